// The games that the server keeps, to come back to one.

import { get } from "./api.js";
import { app, open } from "./app.js";
import { ask, buttons, listing, wrongs } from "./dialog.js";
import { button, h } from "./dom.js";
import { agentName } from "./opponent.js";

const when = (seconds) => new Date(1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

const against = (game) => (game.you === null ? "Both sides by hand" : agentName(game.agent));

const side = (game) => (game.you === null ? "both" : ["White", "Black"][game.you]);

export function showGames() {
  return ask(
    "Your games",
    (close) => {
      const [wrong, tell] = wrongs();
      const [place, fill] = listing("Games", ["against", "result", "last change", "plies", "you"]);
      const help = h("p", { class: "help" }, "Loading …");
      place.hidden = true;
      const come = async (game) => {
        try {
          await open(game.id);
          close();
        } catch (error) {
          tell(error);
        }
      };
      const row = (game) => {
        const shown = game.id === app.game?.id;
        const link = button(against(game), () => come(game), { "aria-current": shown ? "true" : null });
        return [link, game.result === "*" ? "goes on" : game.result, when(game.changed), String(game.plies), side(game)];
      };
      const load = async () => {
        const games = await get("/api/games");
        help.textContent = games.length
          ? "The games that were played last; each stands at its own address, too."
          : "None with a move yet. Games are listed to the machine alone that serves them; elsewhere keep a game's address.";
        if (games.length) fill(games.map(row));
        place.hidden = games.length === 0;
      };
      load().catch((error) => {
        help.textContent = "";
        tell(error);
      });
      return [help, wrong, place, buttons(button("Close", () => close(), { class: "primary" }))];
    },
    "wide",
  );
}
