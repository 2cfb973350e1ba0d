// The players above and below the board, and their clocks.

import { app } from "./app.js";
import { $, button, h, put, s, use } from "./dom.js";
import { agentName, chooseOpponent } from "./opponent.js";

let told = { clock: null, when: 0 };

const name = (side) => {
  if (app.run) return `Self-play, ${side ? "Black" : "White"}`;
  const { you, agent } = app.game;
  return you === null || you === side ? (you === null ? ["White", "Black"][side] : "You") : agentName(agent.text);
};

function timeText(left, spent) {
  let { main, period, periods } = left;
  if (main > 0) {
    main -= spent;
    if (main > 0) return [clockText(main), periods, main < 20];
    spent = -main;
  }
  while (spent >= period && periods > 1) {
    spent -= period;
    period = 30;
    periods -= 1;
  }
  return [clockText(Math.max(0, period - spent)), periods, periods <= 1];
}

const clockText = (seconds) => {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

function clock(side) {
  const { clock: both } = app.game;
  if (app.run || !both) return null;
  const runs = both.running === side;
  const spent = runs ? (performance.now() - told.when) / 1000 : 0;
  const [text, periods, short] = timeText(both.left[side], spent);
  const left = `${periods} ${periods === 1 ? "period" : "periods"} of 30 seconds`;
  const kind = `clock${runs ? " runs" : ""}${runs && short ? " short" : ""}`;
  return h(
    "span",
    { id: `clock-${side}`, class: kind, role: "timer", "aria-label": `${side ? "Black" : "White"}: ${text}, ${left}` },
    text,
    h("span", { class: "periods", title: left }, `×${periods}`),
  );
}

const change = () =>
  button("Change", () => chooseOpponent(), { id: "opponent", "data-key": "opponent", class: "quiet small", "aria-label": "Change the opponent" });

const JOBS = { move: "thinks", offer: "considers the draw" };

// Returns what a side's agent is about, nothing where it is about nothing.
function doing(side) {
  const { game, run } = app;
  return run || game.you !== 1 - side ? null : JOBS[game.job];
}

function player(place, side) {
  const busy = doing(side);
  put(
    place,
    s("svg", { class: "disc", viewBox: "0 0 100 100", "aria-hidden": "true" }, use("khun", side)),
    h("span", { class: "who" }, name(side)),
    h("span", { class: "more" }, app.run || app.game.you === null ? "" : side ? "Black" : "White"),
    busy && h("span", { class: "more dots" }, busy),
    h("span", { class: "fill" }),
    !app.run && app.game.can.agent && app.game.you === 1 - side && change(),
    clock(side),
  );
}

export function drawPlayers() {
  if (!app.game && !app.run) return;
  if (app.game && app.game.clock !== told.clock) told = { clock: app.game.clock, when: performance.now() };
  player($("far"), app.turned ? 0 : 1);
  player($("near"), app.turned ? 1 : 0);
}

setInterval(() => {
  if (app.run || !app.game?.clock || app.game.clock.running === null) return;
  for (const side of [0, 1]) $(`clock-${side}`)?.replaceWith(clock(side));
}, 250);
