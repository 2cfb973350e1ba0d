// The values of a game as a curve, as White sees them.

import { app, go, here, shown } from "./app.js";
import { s, signed } from "./dom.js";
import { stepByKey } from "./moves.js";
import { complain } from "./trouble.js";

const WIDTH = 320;
const HEIGHT = 92;

// Returns [ply, value] of the positions that have one, the last one of the game among them.
function valued(game) {
  const values = [...game.moves.map((move) => move.value), game.value ?? null];
  return values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
}

function valueText(points) {
  const [ply, value] = points.findLast(([ply]) => ply <= here()) ?? points[0];
  const where = `After ${here()} of ${shown().moves.length} moves`;
  return ply === here() ? `${where}: ${signed(value)}` : `${where}; after ${ply}: ${signed(value)}`;
}

export function curve() {
  const game = shown();
  const points = valued(game);
  if (!points.length) return null;
  const last = Math.max(game.moves.length, 1);
  const x = (ply) => ((ply / last) * WIDTH).toFixed(1);
  const y = (value) => (HEIGHT / 2 - value * (HEIGHT / 2 - 5)).toFixed(1);
  const path = points.map(([ply, value], k) => `${k ? "L" : "M"}${x(ply)} ${y(value)}`).join("");
  const area = `${path}L${x(points.at(-1)[0])} ${HEIGHT / 2}L${x(points[0][0])} ${HEIGHT / 2}Z`;
  const svg = s(
    "svg",
    {
      class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "slider", tabindex: 0, "data-key": "curve",
      "aria-label": "Values of the game as White sees them, between -1 and 1", "aria-valuemin": 0, "aria-valuemax": game.moves.length,
      "aria-valuenow": here(), "aria-valuetext": valueText(points),
    },
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s("path", { class: "area", d: area }),
    s("path", { class: "line", d: `${path}h0` }),
    s("line", { class: "now", x1: x(here()), x2: x(here()), y1: 0, y2: HEIGHT }),
  );
  svg.addEventListener("keydown", stepByKey);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last)).catch(complain);
  });
  return svg;
}

export const hasTree = () => app.run !== null || Boolean(app.game?.agent?.tree);
