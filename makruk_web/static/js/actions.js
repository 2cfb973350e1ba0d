// The buttons of a game, and how it stands.

import { act, app, changed, closeRun, here, isLive, length, position } from "./app.js";
import { ask, button as plain, buttons } from "./dialog.js";
import { $, h, put } from "./dom.js";
import { complain } from "./trouble.js";

const button = (id, text, may, doing) =>
  h("button", { type: "button", id, "data-key": id, disabled: !may, onclick: () => Promise.resolve(doing()).catch(complain) }, text);

async function resign() {
  const sure = await ask("Resign?", (close) => [
    buttons(plain("Play on", () => close()), plain("Resign", () => close(true), { class: "primary", id: "resign-sure" })),
  ], "small");
  if (sure) await act("resign");
}

const flip = () => button("flip", "Flip", true, () => {
  app.turned = !app.turned;
  changed();
});

const NOTES = { asked: "You offer a draw …", declined: "Draw declined." };

export function drawActions() {
  const { game, run } = app;
  if (run) {
    put($("actions"), flip(), h("span"), button("leave-run", "Back to my game", true, closeRun));
    return;
  }
  if (!game) return;
  const live = isLive();
  put(
    $("actions"),
    button("back", "Take back", live && game.can.back, () => act("back")),
    button("draw", "Draw", live && game.can.draw, () => act("draw")),
    button("resign", "Resign", live && game.can.resign, resign),
    flip(),
    game.offer && h("p", { class: "note", role: "status" }, NOTES[game.offer]),
  );
}

export function drawStatus() {
  const { game, run } = app;
  const now = position();
  if (!now) return;
  let text = now.status;
  if (run) {
    const end = `${run.result}, ${run.termination.toLowerCase().replaceAll("_", " ")}`;
    text = `${run.run}, game ${run.number}: ${here() === length() ? end : `after ${here()} of ${length()} moves`}`;
  }
  else if (!isLive()) text = `Looking back: after ${here()} of ${length()} moves`;
  else if (game.outcome === null) text = now.check ? `Check! ${now.status}` : now.status;
  $("status").textContent = text;
  $("status").classList.toggle("over", Boolean(!run && isLive() && game.outcome));
}
