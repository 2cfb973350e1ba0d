// Moves made on the board: picked and put down by clicks, dragged, or made by the keyboard.

import { app, act, isLive, position } from "./app.js";
import { manText } from "./board.js";
import { $ } from "./dom.js";
import { choosePromotion } from "./promotion.js";
import { corner, squareAt } from "./squares.js";
import { complain } from "./trouble.js";

const FAR = 6; // pixels that make a drag of a click

export class Hands {
  constructor(board) {
    this.board = board;
    this.picked = null;
    this.drag = null;
    this.at = "e1";
    this.waiting = false;
    const svg = board.svg;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.drag?.pointer === event.pointerId && this.letGo());
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focus", () => this.board.cursor(this.at));
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get mayMove() {
    return isLive() && Boolean(app.game?.can.move) && !this.waiting;
  }

  targets(from) {
    return [...new Set((position()?.legal ?? []).filter((move) => move.startsWith(from)).map((move) => move.slice(2, 4)))];
  }

  isOwn(square) {
    return this.mayMove && position().men[square]?.[0] === position().turn;
  }

  draw(over = null) {
    const now = position();
    if (!now) return;
    if (this.drag && !this.holds()) this.letGo();
    if (this.picked && (!this.mayMove || !this.isOwn(this.picked))) this.picked = null;
    this.board.svg.classList.toggle("yours", this.mayMove);
    this.board.mark({
      last: now.last, check: now.check, picked: this.picked, over, targets: this.picked ? this.targets(this.picked) : [],
    });
  }

  pick(square) {
    this.picked = square;
    this.draw();
  }

  async play(to) {
    const from = this.picked;
    const { version } = app.game; // of the position that the player sees, whatever comes while the choice is open
    const moves = (position()?.legal ?? []).filter((move) => move.startsWith(from + to));
    if (!moves.length) return false;
    this.pick(null);
    const move = moves.length > 1 ? await choosePromotion(moves, position().turn) : moves[0];
    if (!move) return false;
    this.waiting = true;
    try {
      await act("moves", { move, version });
      return true;
    } catch (error) {
      complain(error);
      return false;
    } finally {
      this.waiting = false;
      this.draw();
    }
  }

  down(event) {
    if (event.button !== 0 || this.drag) return;
    this.board.svg.classList.remove("by-keys");
    const square = squareAt(...this.board.unit(event), this.board.turned);
    if (!square || !this.mayMove) return;
    this.at = square;
    if (this.picked && this.picked !== square && this.targets(this.picked).includes(square)) {
      this.play(square);
      return;
    }
    if (!this.isOwn(square)) {
      this.pick(null);
      return;
    }
    const element = this.board.elements.get(square);
    const { clientX: x, clientY: y, pointerId: pointer } = event;
    this.drag = { from: square, element, pointer, again: this.picked === square, x, y, moving: false, over: null };
    this.board.svg.setPointerCapture(pointer);
    this.pick(square);
  }

  // Tells whether the man that is dragged still stands where it was taken up, for the player to move.
  holds() {
    return this.board.elements.get(this.drag.from) === this.drag.element && this.isOwn(this.drag.from);
  }

  moved(event) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.moving) {
      drag.moving = true;
      drag.element.classList.add("lifted");
      drag.element.parentNode.append(drag.element);
    }
    const [x, y] = this.board.unit(event);
    drag.element.style.transform = `translate(${x - 50}px, ${y - 60}px)`;
    const over = squareAt(x, y, this.board.turned);
    if (over !== drag.over) {
      drag.over = over;
      this.draw(over && this.targets(drag.from).includes(over) ? over : null);
    }
  }

  async up(event) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moving) {
      this.drag = null;
      if (drag.again) this.pick(null);
      return;
    }
    const to = squareAt(...this.board.unit(event), this.board.turned);
    if (!to || !this.targets(drag.from).includes(to)) {
      this.letGo();
      return;
    }
    this.drag = null;
    this.board.place(drag.element, to);
    const played = await this.play(to);
    drag.element.classList.remove("lifted");
    if (!played) this.settle();
  }

  // Ends a drag without a move.
  letGo() {
    this.drag.element.classList.remove("lifted");
    this.drag = null;
    this.settle();
    this.pick(null);
  }

  // Puts all men where they stand.
  settle() {
    const now = position();
    if (now) this.board.show(now);
  }

  key(event) {
    const steps = { ArrowUp: [0, -100], ArrowDown: [0, 100], ArrowLeft: [-100, 0], ArrowRight: [100, 0] };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in steps) {
      const [x, y] = corner(this.at, this.board.turned);
      const [dx, dy] = steps[event.key];
      this.at = squareAt(x + dx, y + dy, this.board.turned) ?? this.at;
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.picked && this.picked !== this.at && this.targets(this.picked).includes(this.at)) this.play(this.at);
      else this.pick(this.isOwn(this.at) && this.picked !== this.at ? this.at : null);
    } else if (event.key === "Escape") {
      this.pick(null);
    } else return;
    event.preventDefault();
    this.board.svg.classList.add("by-keys");
    this.board.cursor(this.at);
    this.sayCursor();
  }

  sayCursor() {
    const targets = this.picked ? this.targets(this.picked) : [];
    const picked = this.picked === this.at ? `, picked, ${targets.length} squares to go to` : "";
    const target = targets.includes(this.at) ? ", may go here" : "";
    $("cursor-said").textContent = `${this.at}, ${manText(position()?.men[this.at])}${picked}${target}`;
  }
}
