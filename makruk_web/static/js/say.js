// The words for those who listen instead of looking: the last move, check, the count, whose turn it is.

import { app } from "./app.js";
import { $ } from "./dom.js";
import { moveText } from "./moves.js";

let said = null;

export function say() {
  const { game } = app;
  if (!game || app.run) return;
  const key = `${game.id} ${game.moves.length} ${game.outcome?.line} ${game.offer} ${game.failure?.message}`;
  if (key === said) return;
  said = key;
  const { position } = game;
  const last = game.moves.at(-1);
  const parts = [];
  if (last) parts.push(`${last.turn ? "Black" : "White"}: ${moveText(last)}${position.check ? ", check" : ""}.`);
  if (position.count) parts.push(`${position.count.line}.`);
  if (game.offer === "declined") parts.push("The draw is declined.");
  if (game.failure) parts.push("The agent cannot move.");
  parts.push(`${position.status}.`);
  $("said").textContent = parts.join(" ");
}
