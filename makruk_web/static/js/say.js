// The words for those who listen instead of looking: the last move, check, the count, whose turn it is.

import { app, here, isLive, position, shown } from "./app.js";
import { $ } from "./dom.js";
import { moveText } from "./moves.js";

let said = null;

// Returns what is told once: other words about the same are not told again.
function key() {
  const { game, run } = app;
  if (run) return `${run.run} ${run.number} ${here()}`;
  const look = isLive() ? `${game.offer} ${game.failure?.message} ${game.outcome?.line}` : "look";
  return `${game.id} ${here()} ${look}`;
}

export function say() {
  const now = position();
  if (!now || key() === said) return;
  said = key();
  const { game } = app;
  const last = shown().moves[here() - 1];
  const parts = [];
  if (!isLive()) parts.push(`${$("status").textContent}.`);
  if (last) parts.push(`${last.turn ? "Black" : "White"}: ${moveText(last)}${now.check ? ", check" : ""}.`);
  if (now.count) parts.push(`${now.count.line}.`);
  if (isLive()) {
    if (game.offer === "declined") parts.push("The draw is declined.");
    if (game.failure) parts.push("The agent cannot move.");
    parts.push(`${now.status}.`);
  }
  $("said").textContent = parts.join(" ");
}
