// The list of moves, and the steps through the game.

import { app, go, heading, here, length, shown } from "./app.js";
import { $, h, put } from "./dom.js";
import { about, named } from "./rules.js";
import { asking, complain } from "./trouble.js";

const DECLARED = { start: "starts the count", stop: "stops the count" };

export const moveText = (move) => DECLARED[move.uci] ?? (app.thai ? move.thai : move.san);

// Groups the moves of a game by their number: [number, White's, Black's], each with the plies they are.
function rows(moves, start) {
  const found = [];
  let ply = start; // moves that both sides have made; declarations do not count
  moves.forEach((move, k) => {
    const number = Math.floor(ply / 2) + 1;
    if (!found.length || found.at(-1).number !== number) found.push({ number, sides: [[], []] });
    found.at(-1).sides[move.turn].push([move, k + 1]);
    if (!(move.uci in DECLARED)) ply += 1;
  });
  return found;
}

function cell(entries) {
  const made = ([move, ply]) =>
    asking(moveText(move), () => go(ply), {
      "data-key": `ply-${ply}`, class: move.uci in DECLARED ? "declares" : "", "aria-current": ply === here() ? "true" : null,
    });
  return h("span", { class: "cell", lang: app.thai ? "th" : "en" }, ...entries.map(made));
}

export function drawMoves() {
  const game = shown();
  if (!game) return;
  const items = rows(game.moves, game.start).map(({ number, sides }) =>
    h("li", {}, h("span", { class: "n" }, `${number}.`), cell(sides[0]), cell(sides[1])),
  );
  put($("moves"), items.length ? items : h("li", {}, h("span", { class: "none" }, "No move yet.")));
  const now = $("moves").querySelector("[aria-current]");
  if (now) $("moves").scrollTop = Math.max(0, now.offsetTop - $("moves").offsetTop - 90);
  drawSteps();
  const { rules } = game;
  put($("rules-shown"), h("span", { title: about(rules) }, `Rules: ${named(rules)}`));
}

// Where the buttons and the keys lead from where the page is going.
const STEPS = {
  first: { text: "«", label: "To the beginning", key: "Home", to: () => 0 },
  previous: { text: "‹", label: "One move back", key: "ArrowLeft", to: () => heading() - 1 },
  next: { text: "›", label: "One move on", key: "ArrowRight", to: () => heading() + 1 },
  last: { text: "»", label: "To the end", key: "End", to: length },
};

function drawSteps() {
  const step = ([id, { text, label, to }]) => {
    const disabled = id === "first" || id === "previous" ? here() === 0 : here() === length();
    return asking(text, () => go(to()), { id, "data-key": id, "aria-label": label, title: label, disabled });
  };
  put($("steps"), ...Object.entries(STEPS).map(step));
}

export function stepByKey(event) {
  const step = Object.values(STEPS).find(({ key }) => key === event.key);
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(step.to()).catch(complain);
}
