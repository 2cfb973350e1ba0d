// The games of runs, to be looked through.

import { get } from "./api.js";
import { app, openRun } from "./app.js";
import { ask, buttons, listing, wrongs } from "./dialog.js";
import { button, h } from "./dom.js";

const HEAD = ["game", "result", "end", "plies", "start", "iteration", "rules"];

export const endText = (game) => game.termination.toLowerCase().replaceAll("_", " ");

export function showRuns() {
  return ask(
    "Games of runs",
    (close) => {
      const [wrong, tell] = wrongs();
      const [place, fill] = listing("Games", HEAD);
      const where = h("span", { class: "help", role: "status" });
      const run = h("select", { id: "run", "aria-label": "Run" }, ...app.options.runs.map((name) => h("option", { value: name }, name)));
      const pages = []; // how many games each page passes over, up to the one that is shown
      let next = null; // the same of the page after it, null behind the last one
      const older = button("Older", () => load(...pages, next), { disabled: true });
      const newer = button("Newer", () => load(...pages.slice(0, -1)), { disabled: true });
      const look = async (game) => {
        try {
          await openRun(run.value, game.number);
          close();
        } catch (error) {
          tell(error);
        }
      };
      const row = (game) => [
        button(`Game ${game.number}`, () => look(game)),
        ...[game.result, endText(game), game.plies, game.start, game.iteration, game.rules].map(String),
      ];
      const load = async (...to) => {
        try {
          const page = await get(`/api/runs/${encodeURIComponent(run.value)}/games?skip=${to.at(-1)}`);
          if (page.run !== run.value) return; // another run was chosen meanwhile
          pages.splice(0, Infinity, ...to);
          const end = page.skip + page.games.length;
          next = end < page.count ? end : null;
          where.textContent = `${page.count} games`;
          older.disabled = next === null;
          newer.disabled = pages.length === 1;
          fill(page.games.map(row));
          tell(null);
        } catch (error) {
          tell(error);
        }
      };
      run.addEventListener("change", () => {
        older.disabled = newer.disabled = true; // they are of the run before
        load(0);
      });
      load(0);
      return [run, where, wrong, place, buttons(newer, older, button("Close", () => close(), { class: "primary" }))];
    },
    "wide",
  );
}
