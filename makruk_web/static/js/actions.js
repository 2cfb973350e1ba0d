// The buttons of a game, and how it stands.

import { act, app, changed, closeRun, here, isLive, length, position } from "./app.js";
import { ask, buttons } from "./dialog.js";
import { $, button, h, put } from "./dom.js";
import { endText } from "./runs.js";
import { asking } from "./trouble.js";

const action = (id, text, may, doing) => asking(text, doing, { id, "data-key": id, disabled: !may });

async function resign() {
  const sure = await ask("Resign?", (close) => [
    buttons(button("Play on", () => close()), button("Resign", () => close(true), { class: "primary", id: "resign-sure" })),
  ], "small");
  if (sure) await act("resign");
}

const flip = () => action("flip", "Flip", true, () => {
  app.turned = !app.turned;
  changed();
});

const NOTES = { asked: "You offer a draw …", declined: "Draw declined." };

export function drawActions() {
  const { game, run } = app;
  if (run) {
    put($("actions"), flip(), h("span"), action("leave-run", "Back to my game", true, closeRun));
    return;
  }
  if (!game) return;
  const live = isLive();
  put(
    $("actions"),
    action("back", "Take back", live && game.can.back, () => act("back")),
    action("draw", "Draw", live && game.can.draw, () => act("draw")),
    action("resign", "Resign", live && game.can.resign, resign),
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
    const where = here() === length() ? `${run.result}, ${endText(run)}` : `after ${here()} of ${length()} moves`;
    text = `${run.run}, game ${run.number}: ${where}`;
  } else if (!isLive()) text = `Looking back: after ${here()} of ${length()} moves`;
  else if (game.outcome === null) text = now.check ? `Check! ${now.status}` : now.status;
  $("status").textContent = text;
  $("status").classList.toggle("over", Boolean(!run && isLive() && game.outcome));
}
