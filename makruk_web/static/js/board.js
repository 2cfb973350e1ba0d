// The drawing of the board. It knows positions and marks, not the rules: what is legal comes from the server.

import { s, use } from "./dom.js";
import { FILES, corner, squares } from "./squares.js";

const NAMES = { khun: "khun", met: "met", khon: "khon", ma: "ma", ruea: "ruea", bia: "bia", "bia-ngai": "promoted bia" };

export const manText = (man) => (man ? `${man[0] ? "black" : "white"} ${NAMES[man[1]]}` : "empty");

function frame() {
  const glow = s(
    "radialGradient",
    { id: "glow" },
    s("stop", { offset: "0%", "stop-color": "#e0452a", "stop-opacity": "0.95" }),
    s("stop", { offset: "55%", "stop-color": "#e0452a", "stop-opacity": "0.6" }),
    s("stop", { offset: "100%", "stop-color": "#e0452a", "stop-opacity": "0" }),
  );
  return [
    s("defs", {}, glow),
    s("rect", { class: "frame", x: -32, y: -14, width: 846, height: 846 }),
    s("rect", { class: "edge", x: -3, y: -3, width: 806, height: 806 }),
  ];
}

export class Board {
  constructor(place) {
    this.turned = false;
    this.position = null;
    this.elements = new Map(); // square -> the man's element
    this.layers = {};
    this.svg = s("svg", {
      id: "board", class: "board", viewBox: "-32 -14 846 846", role: "grid", tabindex: 0, "aria-rowcount": 8, "aria-colcount": 8,
      "aria-label": "Makruk board; arrow keys move the cursor, Enter picks a man and its square, Escape drops it",
    });
    this.svg.append(...frame());
    for (const name of ["squares", "marks", "targets", "men", "arrows", "names", "cursor"]) {
      const hidden = name === "squares" ? {} : { "aria-hidden": "true" };
      this.svg.append((this.layers[name] = s("g", { class: name, ...hidden })));
    }
    this.drawSquares();
    place.append(this.svg);
  }

  turn(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    this.drawSquares();
    this.elements.clear();
    this.layers.men.replaceChildren();
  }

  drawSquares() {
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = squares
        .filter((square) => corner(square, this.turned)[1] === 100 * row)
        .sort((a, b) => corner(a, this.turned)[0] - corner(b, this.turned)[0])
        .map((square) => {
          const [x, y] = corner(square, this.turned);
          const shade = (FILES.indexOf(square[0]) + Number(square[1])) % 2 ? "dark" : "light";
          return s("rect", {
            id: `square-${square}`, class: `square ${shade}`, x, y, width: 100, height: 100, role: "gridcell",
            "aria-label": square, "data-square": square,
          });
        });
      rows.push(s("g", { role: "row" }, ...cells));
    }
    this.layers.squares.replaceChildren(...rows);
    const names = [];
    for (let at = 0; at < 8; at++) {
      const rank = this.turned ? at + 1 : 8 - at;
      const file = FILES[this.turned ? 7 - at : at];
      names.push(s("text", { class: "name", x: -17, y: 100 * at + 56 }, String(rank)));
      names.push(s("text", { class: "name", x: 100 * at + 50, y: 823 }, file));
    }
    this.layers.names.replaceChildren(...names);
  }

  // Shows a position; a man that has made the last move glides there.
  show(position) {
    this.position = position;
    const old = this.elements;
    const now = new Map();
    const same = (element, man) => element && element.dataset.man === man.join(" ");
    const taken = new Set();
    for (const [square, man] of Object.entries(position.men)) {
      let element = old.get(square);
      if (!same(element, man)) {
        const from = position.last?.[1] === square ? position.last[0] : null;
        const mover = from && !position.men[from] ? old.get(from) : null;
        element = mover && mover.dataset.man.startsWith(`${man[0]} `) ? mover : null;
        if (element && !same(element, man)) {
          element.setAttribute("href", `#man-${man[1]}`);
          element.dataset.man = man.join(" ");
        }
      }
      element ??= use(man[1], man[0], { "data-man": man.join(" ") });
      taken.add(element);
      now.set(square, element);
    }
    for (const element of [...this.layers.men.children]) if (!taken.has(element)) element.remove();
    for (const [square, element] of now) {
      this.place(element, square);
      if (!element.parentNode) this.layers.men.append(element);
    }
    this.elements = now;
    for (const square of squares) {
      this.svg.getElementById(`square-${square}`).setAttribute("aria-label", `${square}, ${manText(position.men[square])}`);
    }
  }

  place(element, square) {
    const [x, y] = corner(square, this.turned);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  mark({ last = null, check = null, picked = null, over = null, targets = [] }) {
    const square = (name, kind, more = {}) => {
      const [x, y] = corner(name, this.turned);
      return s("rect", { class: `mark ${kind}`, x, y, width: 100, height: 100, "data-mark": name, ...more });
    };
    const marks = (last ?? []).map((name) => square(name, "last"));
    if (check) marks.push(square(check, "check"));
    if (picked) marks.push(square(picked, "picked"));
    if (over) marks.push(square(over, "over"));
    this.layers.marks.replaceChildren(...marks);
    this.layers.targets.replaceChildren(
      ...targets.map((name) => {
        const [x, y] = corner(name, this.turned);
        const takes = Boolean(this.position?.men[name]);
        return s("circle", { class: `target${takes ? " takes" : ""}`, cx: x + 50, cy: y + 50, r: takes ? 45 : 14, "data-target": name });
      }),
    );
  }

  // Draws arrows: { from, to, weight in 0..1, played }.
  point(arrows) {
    this.layers.arrows.replaceChildren(...arrows.map((arrow) => this.arrow(arrow)));
  }

  arrow({ from, to, weight, played }) {
    const [x0, y0] = corner(from, this.turned);
    const [x1, y1] = corner(to, this.turned);
    const length = Math.hypot(x1 - x0, y1 - y0);
    const half = 3 + 7 * weight;
    const head = 13 + 16 * weight;
    const tip = length - 10;
    const neck = tip - 1.4 * head;
    const points = [[20, -half], [neck, -half], [neck, -head], [tip, 0], [neck, head], [neck, half], [20, half]];
    const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
    return s("path", {
      class: `arrow${played ? " played" : ""}`, d: `M${points.map((point) => point.join(" ")).join("L")}Z`,
      transform: `translate(${x0 + 50} ${y0 + 50}) rotate(${angle})`, "fill-opacity": (0.25 + 0.5 * weight).toFixed(2),
    });
  }

  cursor(square) {
    const [x, y] = corner(square, this.turned);
    const size = { x: x + 5, y: y + 5, width: 90, height: 90, rx: 8 };
    this.layers.cursor.replaceChildren(s("rect", { class: "cursor-edge", ...size }), s("rect", { class: "cursor", ...size }));
    this.svg.setAttribute("aria-activedescendant", `square-${square}`);
  }

  // Returns where a pointer is, in units of the picture.
  unit(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }
}
