// What went wrong, told above the board: the server's refusals, an agent that cannot move, a game that is gone.

import { act, app } from "./app.js";
import { $, button, h, put } from "./dom.js";
import { showGames } from "./games.js";
import { newGame } from "./newgame.js";
import { chooseOpponent } from "./opponent.js";

const TOLD = 8000; // milliseconds
const AWAY = {
  away: "The server does not answer; trying again …",
  crowded: "The server has no room to tell of changes as they come; asking again and again …",
};
const FAILED = { offer: "The agent cannot answer your offer.", analysis: "The position cannot be looked into." };

let refusal = null;
let timer = null;

function tell(error) {
  refusal = error;
  clearTimeout(timer);
  timer = error && setTimeout(tell, TOLD, null);
  drawTrouble();
}

// Tells a refusal for a while. A change that came too late is no trouble: the newer state is on its way. Nor is one of
// a game that is gone: that is told as long as the game is shown.
export function complain(error) {
  if (error.isTold || (error.status === 409 && error.name === "StaleError")) return;
  tell(error);
}

// Returns a button that asks for something; what is refused is told above the board.
export const asking = (text, doing, more = {}) => button(text, () => Promise.resolve(doing()).catch(complain), more);

const row = (...all) => h("div", { class: "row" }, ...all);

// Returns what is wrong with the game as it stands.
function ofGame() {
  const { game } = app;
  if (app.run || !game) return [];
  if (app.connection === "gone") {
    return [
      h("span", {}, "The server does not keep this game any more. Games in which nobody did anything are removed after ten minutes."),
      row(button("New game", () => newGame()), button("Your games", () => showGames())),
    ];
  }
  const { failure, failed } = game;
  if (failure) {
    return [
      h("span", {}, `${game.agent.text} cannot move. ${failure.name}: ${failure.message}`),
      row(asking("Ask again", () => act("agent", { agent: app.game.agent.text })), button("Choose another", () => chooseOpponent())),
    ];
  }
  if (failed) return [h("span", {}, `${FAILED[failed.job] ?? "The agent failed."} ${failed.name}: ${failed.message}`)];
  return game.unsaved ? [h("span", {}, "The disk refuses to keep this game; it goes on in the server's memory.")] : [];
}

// Shows what is wrong, if anything.
export function drawTrouble() {
  const parts = [refusal && h("p", {}, `${refusal.name}: ${refusal.message}`), ...ofGame()].filter(Boolean);
  put($("trouble"), parts);
  $("trouble").hidden = parts.length === 0;
  const away = AWAY[app.connection] ?? "";
  if ($("connection").textContent !== away) $("connection").textContent = away; // read aloud each time that it is written
  $("connection").hidden = away === "" || app.run !== null;
}
