// FEN and PGN of what is shown, to be copied.

import { get } from "./api.js";
import { path, position, shown } from "./app.js";
import { ask, buttons } from "./dialog.js";
import { button, h } from "./dom.js";
import { newGame } from "./newgame.js";

function copied(title, id, text, rows) {
  const area = h("textarea", { id, rows, readonly: "", spellcheck: "false", "aria-label": title });
  area.value = text;
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      area.select();
      document.execCommand("copy");
    }
    copy.textContent = "Copied";
  });
  return h("div", { class: "field" }, h("span", {}, title), area, buttons(copy));
}

// Returns the PGN of what is shown, null where the server has the game no more.
const pgnOf = () =>
  get(`${path()}/pgn`).catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });

export async function showTexts() {
  if (!shown()) return null;
  const fen = position()?.fen ?? "";
  const { rules } = shown();
  const pgn = await pgnOf();
  return ask("FEN and PGN", (close) => [
    copied("FEN of the position shown", "fen-out", fen, 2),
    pgn === null ? "" : copied("PGN of the game", "pgn-out", pgn, 9),
    buttons(
      button("Play from this position", () => newGame({ fen, rules }), { id: "play-from" }),
      button("Close", () => close(), { class: "primary" }),
    ),
  ]);
}
