// The games of runs, to be looked through.

import { get } from "./api.js";
import { app, openRun } from "./app.js";
import { ask, button, buttons, wrongs } from "./dialog.js";
import { h, put } from "./dom.js";

const PAGE = 50;

export function showRuns() {
  return ask(
    "Games of runs",
    (close) => {
      const [wrong, tell] = wrongs();
      const table = h("div", { class: "list", tabindex: 0, "aria-label": "Games" });
      const where = h("span", { class: "help" });
      const run = h("select", { "aria-label": "Run" }, ...app.options.runs.map((name) => h("option", { value: name }, name)));
      let skip = 0;
      const older = button("Older", () => load(skip + PAGE));
      const newer = button("Newer", () => load(Math.max(0, skip - PAGE)));
      const row = (game) =>
        h(
          "tr",
          {},
          h("td", {}, button(`Game ${game.number}`, async () => {
            try {
              await openRun(run.value, game.number);
              close(true);
            } catch (error) {
              tell(error);
            }
          })),
          ...[game.result, game.termination.toLowerCase().replaceAll("_", " "), game.plies, game.start, game.iteration].map((cell) =>
            h("td", {}, String(cell)),
          ),
        );
      const load = async (from) => {
        try {
          const page = await get(`/api/runs/${encodeURIComponent(run.value)}/games?skip=${from}`);
          skip = from;
          where.textContent = `${page.count} games`;
          older.disabled = skip + PAGE >= page.count;
          newer.disabled = skip === 0;
          const head = ["game", "result", "end", "plies", "start", "iteration"].map((name) => h("th", {}, name));
          put(table, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...page.games.map(row))));
          tell(null);
        } catch (error) {
          tell(error);
        }
      };
      run.addEventListener("change", () => load(0));
      load(0);
      return [run, where, wrong, table, buttons(newer, older, button("Close", () => close(), { class: "primary" }))];
    },
    "wide",
  );
}
