// The start of the page: what is drawn when, and the first game.

import { get, post } from "./api.js";
import { app, enter, listen, open, position, setting } from "./app.js";
import { drawActions, drawStatus } from "./actions.js";
import { Board } from "./board.js";
import { drawCount } from "./count.js";
import { $, loadMen } from "./dom.js";
import { showGames } from "./games.js";
import { Hands } from "./hands.js";
import { arrows, drawControls, drawInside } from "./inside.js";
import { keep, kept } from "./kept.js";
import { drawMoves, stepByKey } from "./moves.js";
import { newGame } from "./newgame.js";
import { drawPlayers } from "./players.js";
import { showRuns } from "./runs.js";
import { say } from "./say.js";
import { showTexts } from "./texts.js";
import { complain, drawTrouble } from "./trouble.js";

const board = new Board($("board-place"));
const hands = new Hands(board);

function draw(what) {
  if (what === "connection") {
    drawTrouble();
    return;
  }
  const now = position();
  if (what === "thinking" || what === "thought") {
    board.point(arrows());
    drawInside();
    return;
  }
  board.turn(app.turned);
  if (now) board.show(now);
  hands.draw();
  board.point(arrows());
  for (const part of [drawPlayers, drawStatus, drawCount, drawActions, drawMoves, drawInside, drawControls, drawTrouble, say]) part();
}

async function firstGame() {
  const named = location.hash.slice(1);
  const asked = named || kept("game", null);
  if (asked) {
    try {
      await open(asked);
      return;
    } catch (error) {
      if (error.status !== 404) throw error;
      if (named) complain(error);
    }
  }
  const agent = app.options.levels.includes("normal") ? "normal" : app.options.agents.at(-1);
  enter(await post("/api/games", { agent }));
}

async function start() {
  listen(draw);
  $("thai").checked = app.thai;
  $("thai").addEventListener("change", (event) => setting("thai", event.target.checked));
  $("inside").open = kept("inside", matchMedia("(min-width: 901px)").matches);
  $("inside").addEventListener("toggle", () => {
    keep("inside", $("inside").open);
    draw("thought");
  });
  $("new").addEventListener("click", () => newGame());
  $("texts").addEventListener("click", () => showTexts().catch(complain));
  $("games").addEventListener("click", () => showGames());
  $("runs").addEventListener("click", () => showRuns());
  window.addEventListener("hashchange", () => {
    const id = location.hash.slice(1);
    if (id && id !== app.game?.id) open(id).catch(complain);
  });
  $("moves").addEventListener("keydown", stepByKey);
  try {
    const [options] = await Promise.all([get("/api/options"), loadMen()]);
    app.options = options;
    $("runs").hidden = options.runs.length === 0;
    await firstGame();
  } catch (error) {
    complain(error);
  }
}

start();
