// The values of a game as a curve, as White sees them.

import { app, go, here, shown } from "./app.js";
import { s, signed } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 92;

export function curve() {
  const game = shown();
  const points = game.moves.map((move, k) => [k, move.value]).filter(([, value]) => value !== null);
  if (!points.length) return null;
  const last = Math.max(game.moves.length, 2);
  const x = (ply) => (ply / last) * WIDTH;
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - 5);
  const path = points.map(([ply, value], k) => `${k ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const area = `${path}L${x(points.at(-1)[0]).toFixed(1)} ${HEIGHT / 2}L${x(points[0][0]).toFixed(1)} ${HEIGHT / 2}Z`;
  const now = points.findLast(([ply]) => ply <= here()) ?? points[0];
  const svg = s(
    "svg",
    {
      class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `Values of the game as White sees them, between -1 and 1; now ${signed(now[1])}`,
    },
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s("path", { class: "area", d: area }),
    s("path", { class: "line", d: path }),
    s("line", { class: "now", x1: x(here()), x2: x(here()), y1: 0, y2: HEIGHT }),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last)).catch(() => {});
  });
  return svg;
}

export const hasTree = () => app.run !== null || Boolean(app.game?.agent?.tree);
