// The list of moves, and the steps through the game.

import { app, go, here, length, shown } from "./app.js";
import { $, h, put } from "./dom.js";
import { complain } from "./trouble.js";

const DECLARED = { start: "starts the count", stop: "stops the count" };

export const moveText = (move) => DECLARED[move.uci] ?? (app.thai ? move.thai : move.san);

const look = (ply) => go(ply).catch(complain);

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

export function drawMoves() {
  const game = shown();
  if (!game) return;
  const current = here();
  const cell = (entries) =>
    h(
      "span",
      { class: "cell", lang: app.thai ? "th" : "en" },
      ...entries.map(([move, ply]) =>
        h(
          "button",
          {
            type: "button", "data-key": `ply-${ply}`, class: move.uci in DECLARED ? "declares" : "", onclick: () => look(ply),
            "aria-current": ply === current ? "true" : null,
          },
          moveText(move),
        ),
      ),
    );
  const items = rows(game.moves, game.start).map(({ number, sides }) =>
    h("li", {}, h("span", { class: "n" }, `${number}.`), cell(sides[0]), cell(sides[1])),
  );
  put($("moves"), items.length ? items : h("li", {}, h("span", { class: "none" }, "No move yet.")));
  const now = $("moves").querySelector("[aria-current]");
  if (now) $("moves").scrollTop = Math.max(0, now.offsetTop - $("moves").offsetTop - 90);
  const step = (key, text, label, ply, may) =>
    h("button", { type: "button", id: key, "data-key": key, "aria-label": label, title: label, disabled: !may, onclick: () => look(ply()) }, text);
  put(
    $("steps"),
    step("first", "«", "To the beginning", () => 0, current > 0),
    step("previous", "‹", "One move back", () => here() - 1, current > 0),
    step("next", "›", "One move on", () => here() + 1, current < length()),
    step("last", "»", "To the end", length, current < length()),
  );
}

export function stepByKeys() {
  $("moves").addEventListener("keydown", (event) => {
    const to = { ArrowLeft: here() - 1, ArrowRight: here() + 1, Home: 0, End: length() }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    look(to);
  });
}
