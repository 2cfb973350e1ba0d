// The look into the search: arrows on the board, a table, the play that is expected.

import { analyse, app, here, isLive, position, setting, shown } from "./app.js";
import { curve, hasTree } from "./curve.js";
import { $, h, put, signed } from "./dom.js";
import { moveText } from "./moves.js";
import { agentName } from "./opponent.js";
import { asking } from "./trouble.js";

const ROWS = 8;

// Returns what is shown now: { ply, thought, live }, null where nobody has thought.
function current() {
  const live = app.thinking;
  if (live && !app.run && live.ply === here()) return { ply: live.ply, thought: live, live: true };
  return app.thought ? { ...app.thought, live: false } : null;
}

// Returns the arrows of what is thought about the position shown, and of no other.
export function arrows() {
  const now = current();
  if (!now || now.ply !== here() || !app.arrows || !$("inside").open) return [];
  const ways = now.thought.ways.filter((way) => way.uci.length >= 4 && way.uci !== "start" && way.uci !== "stop" && way.visits > 0);
  const most = Math.max(1, ...ways.map((way) => way.visits));
  const played = shown()?.moves[now.ply]?.uci;
  return ways
    .map((way) => ({ from: way.uci.slice(0, 2), to: way.uci.slice(2, 4), weight: way.visits / most, played: way.uci === played }))
    .reverse();
}

const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

function valueText(way) {
  if (way.proof === "win") return `wins in ${way.distance}`;
  if (way.proof === "loss") return `loses in ${way.distance}`;
  if (way.proof === "draw") return "draw";
  return way.value === null ? "" : signed(way.value);
}

function table({ ply, thought }) {
  const played = shown()?.moves[ply]?.uci;
  const most = Math.max(1, ...thought.ways.map((way) => way.visits));
  const valued = thought.ways.some((way) => way.proof || way.value !== null); // runs keep no values of single moves
  const row = (way) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${(100 * way.visits) / most}%`;
    return h(
      "tr",
      { class: way.uci === played ? "played" : "" },
      h("td", { lang: app.thai ? "th" : "en" }, moveText(way), way.uci === played && h("span", { class: "dot", title: "played" }, " •"), bar),
      h("td", {}, way.visits.toLocaleString("en")),
      h("td", {}, percent(way.prior)),
      valued && h("td", {}, valueText(way)),
    );
  };
  return h(
    "table",
    { class: "ways" },
    h("thead", {}, h("tr", {}, ...["move", "visits", "prior", valued && "value"].filter(Boolean).map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...thought.ways.slice(0, ROWS).map(row)),
  );
}

function about({ ply, thought, live }) {
  const count = `${thought.simulations.toLocaleString("en")} simulation${thought.simulations === 1 ? "" : "s"}`;
  const value = thought.value === null ? "" : `; worth ${signed(thought.value)} to the side to move`;
  const move = shown()?.moves[ply];
  const where = live ? "Thinking: " : ply !== here() && move ? `Before ${moveText(move)}: ` : "";
  return `${where}${agentName(thought.agent)}, ${count}${value}`;
}

function expected({ thought }) {
  const line = thought.ways[0]?.line ?? [];
  if (line.length < 2) return null;
  return h("p", { class: "expected", lang: app.thai ? "th" : "en" }, h("b", {}, "Expected: "), line.map((move) => move[app.thai ? 1 : 0]).join(" "));
}

const BY_HAND = ["RESIGNATION", "AGREEMENT", "TIMEOUT"]; // ends of games whose last position has moves, though none is told

function canAnalyse() {
  const { game, run } = app;
  if (run || !game || app.connection === "gone" || game.thinking || game.analysing !== null) return false;
  return position()?.legal.length > 0 || (isLive() && BY_HAND.includes(game.outcome?.termination));
}

export function drawInside() {
  if (!shown()) return;
  const now = current();
  const drawn = curve();
  const none = hasTree() ? "Nothing has been thought about this position." : "This agent has no search tree to look into.";
  put(
    $("inside-body"),
    drawn,
    drawn && h("div", { class: "curve-legend", "aria-hidden": "true" }, h("span", {}, "above the line: better for White"), h("span", {}, `${shown().moves.length} moves`)),
    h("p", { class: "about" }, now ? about(now) : app.game && !app.run && !app.game.agent ? "Nobody has thought about this position." : none),
    now && now.thought.ways.length > 0 && table(now),
    now && expected(now),
  );
}

export function drawControls() {
  const box = h("input", { type: "checkbox", "data-key": "arrows", checked: app.arrows, onchange: (event) => setting("arrows", event.target.checked) });
  const looking = app.game?.analysing ?? null;
  put(
    $("inside-controls"),
    h("label", { class: "switch" }, box, h("span", {}, "Arrows on the board")),
    !app.run &&
      asking(looking === null ? "Analyse this position" : "Analysing …", () => analyse(here()), {
        id: "analyse", "data-key": "analyse", disabled: !canAnalyse(),
      }),
  );
}
