// FEN and PGN of what is shown, to be copied.

import { get } from "./api.js";
import { app, position } from "./app.js";
import { ask, button, buttons } from "./dialog.js";
import { h } from "./dom.js";
import { newGame } from "./newgame.js";

function copied(title, id, text, rows) {
  const area = h("textarea", { id, rows, readonly: "", spellcheck: "false" });
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

export async function showTexts() {
  const fen = position()?.fen ?? "";
  const pgn = app.game && !app.run ? await get(`/api/games/${app.game.id}/pgn`) : null;
  return ask("FEN and PGN", (close) => [
    copied("FEN of the position shown", "fen-out", fen, 2),
    pgn === null ? "" : copied("PGN of the game", "pgn-out", pgn, 9),
    buttons(
      button("Play from this position", () => {
        close();
        const rules = (app.run ? null : app.game?.rules.split(":")[0]) ?? "ttakji";
        newGame({ fen, rules });
      }),
      button("Close", () => close(), { class: "primary" }),
    ),
  ]);
}
