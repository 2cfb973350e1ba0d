// What went wrong, told above the board: the server's refusals, and an agent that cannot move.

import { act, app } from "./app.js";
import { $, h, put } from "./dom.js";
import { chooseOpponent } from "./opponent.js";

let timer = null;

// Tells a refusal for a while. A change that came too late is no trouble: the newer state is on its way.
export function complain(error) {
  if (error.status === 409 && error.name === "StaleError") return;
  clearTimeout(timer);
  put($("trouble"), h("span", {}, `${error.name}: ${error.message}`));
  $("trouble").hidden = false;
  timer = setTimeout(drawTrouble, 6000);
}

const button = (text, doing) => h("button", { type: "button", onclick: () => Promise.resolve(doing()).catch(complain) }, text);

// Shows what is wrong with the game as it stands, if anything.
export function drawTrouble() {
  clearTimeout(timer);
  const { game, run } = app;
  const failure = !run && game?.failure;
  const unsaved = !run && game?.unsaved;
  $("trouble").hidden = !failure && !unsaved;
  $("connection").hidden = app.connected;
  if (failure) {
    put(
      $("trouble"),
      h("span", {}, `${game.agent.text} cannot move. ${failure.name}: ${failure.message}`),
      h("div", { class: "row" }, button("Ask again", () => act("agent", { agent: game.agent.text })), button("Choose another", chooseOpponent)),
    );
  } else if (unsaved) {
    put($("trouble"), h("span", {}, "The disk refuses to keep this game; it goes on in the server's memory."));
  }
}
