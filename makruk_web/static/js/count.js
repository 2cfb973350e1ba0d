// The count beside the board, with its buttons.

import { act, app, isLive, position } from "./app.js";
import { $, h, put } from "./dom.js";
import { asking } from "./trouble.js";

const FEW = 12; // men on the board from which on it matters what a count would come to
const SIDES = ["White", "Black"];

function declare(text, what) {
  const may = isLive() && app.game?.can.move && position()?.declare === what;
  const look = { id: `count-${what}`, "data-key": what, disabled: !may, class: may ? "primary" : "" };
  return asking(text, () => act("moves", { move: what }), look);
}

export function drawCount() {
  const now = position();
  if (!now) return;
  const { count, outlook } = now;
  const title = count ? `${count.kind === "pieces" ? "Pieces" : "Board"} count` : "Count";
  const few = Object.keys(now.men).length <= FEW;
  const lines = count ? outlook.slice(1) : outlook.slice(0, few || now.declare ? undefined : 1);
  put(
    $("count"),
    h("h2", { id: "count-title" }, title),
    count &&
      h(
        "div",
        { class: "big" },
        h("span", { class: "number" }, String(count.number)),
        h("span", { class: "limit" }, `of ${count.limit}`),
        h("span", { class: "whose" }, `${SIDES[count.counter]} counts`),
      ),
    count && h("progress", { max: count.limit, value: Math.min(count.number, count.limit), "aria-label": count.line }),
    lines.length > 0 && h("ul", { class: "lines" }, ...lines.map((line) => h("li", {}, line))),
    !app.run && h("div", { class: "row" }, declare("Start count", "start"), declare("Stop count", "stop")),
  );
}
