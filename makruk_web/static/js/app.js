// What the page shows, in one place: whoever draws listens here, whoever changes something goes through here.

import { get, post } from "./api.js";
import { check, follow, leave } from "./live.js";
import { keep, kept } from "./kept.js";

export const app = {
  options: null,
  game: null, // the game that is played, as the server told it last
  run: null, // a game of a run that is looked through instead
  ply: null, // the number of moves before the position shown; null: as it stands
  at: null, // what the server told of a position that is looked back at
  thinking: null, // the newest look into the search
  thought: null, // { ply, thought }: what was thought of the position shown, or of the last one
  turned: false,
  thai: kept("thai", false),
  arrows: kept("arrows", true),
  connection: null, // what keeps the game's changes away: "away", "crowded" or "gone"
};

const listeners = [];
export const listen = (listener) => listeners.push(listener);
export const changed = (what = "all") => listeners.forEach((listener) => listener(what));

let going = null; // what is fetched to be shown, { ply } for a position; another thing once it is not wanted any more

export const shown = () => app.run ?? app.game;
export const length = () => shown()?.moves.length ?? 0;
export const here = () => app.ply ?? length();
export const heading = () => going?.ply ?? here();
export const isLive = () => app.run === null && app.ply === null;
export const position = () => (isLive() ? app.game?.position : (app.at?.position ?? null));

const pathOf = (id) => `/api/games/${encodeURIComponent(id)}`;
const pathOfRun = (name, number) => `/api/runs/${encodeURIComponent(name)}/games/${number}`;

// Returns where the server tells of the game that is shown.
export const path = () => (app.run ? pathOfRun(app.run.run, app.run.number) : pathOf(app.game.id));

export function setting(name, value) {
  app[name] = value;
  keep(name, value);
  changed();
}

const isOlder = (game, old) => game.version < old.version || (game.version === old.version && game.serial < old.serial);

// Shows a state of the game, unless it is older than what is shown; the first state of a stream always counts.
export function show(game, first = false) {
  const old = app.game?.id === game.id ? app.game : null;
  if (!first && old && isOlder(game, old)) return;
  app.game = game;
  if (!game.thinking && game.analysing === null) app.thinking = null;
  if (app.run === null && app.ply !== null && app.ply >= game.moves.length) lookAt(null);
  if (!old) app.turned = game.you === 1;
  changed(old ? "state" : "game");
  if (app.run !== null) return;
  if (app.ply === null) recall();
  else if (old?.version !== game.version || old.analysing !== game.analysing) lookAgain();
}

// What follows from the stream of the game.
const told = {
  state(game, first) {
    if (app.run === null) show(game, first);
  },
  look(thinking) {
    if (!app.game?.thinking && (app.game?.analysing ?? null) === null) return;
    app.thinking = thinking;
    changed("thinking");
  },
  connection(what) {
    if (app.connection === what) return;
    app.connection = what;
    if (what === "gone") lose();
    else changed("connection");
  },
};

// Leaves a game that the server keeps no more on the board, to be looked at.
function lose() {
  const clock = app.game.clock && { ...app.game.clock, running: null };
  app.game = { ...app.game, clock, can: {}, thinking: false, job: null, analysing: null };
  app.thinking = null;
  changed("state");
}

// Opens a game by its name and follows it.
export async function open(id) {
  const mine = (going = {});
  const game = await get(pathOf(id));
  if (going === mine) enter(game);
}

export function enter(game) {
  Object.assign(app, { run: null, thinking: null, thought: null, game: null, connection: null });
  lookAt(null);
  keep("game", game.id);
  if (location.hash !== `#${game.id}`) history.replaceState(null, "", `#${game.id}`);
  show(game);
  follow(game.id, told);
}

// Returns the state that the server answers with, null where the page shows another game by then.
async function ask(what, body) {
  const { id } = app.game;
  try {
    const game = await post(`${pathOf(id)}/${what}`, body);
    return app.run === null && app.game?.id === id ? game : null;
  } catch (error) {
    if (error.status === 404 && app.game?.id === id) {
      await check();
      error.isTold = app.connection === "gone";
    }
    throw error;
  }
}

// Asks for a change of the game as it stands.
export async function act(what, more = {}) {
  const game = await ask(what, { version: app.game.version, ...more });
  if (!game) return;
  lookAt(null);
  show(game);
}

export async function analyse(ply) {
  const game = await ask("analyse", { ply });
  if (game) show(game);
}

// Shows the game as it stands, for null, or a position in it that the server has told.
function lookAt(ply, at = null) {
  going = null;
  Object.assign(app, { ply, at });
  if (at) app.thought = at.thought && { ply, thought: at.thought };
}

// Looks at the position after so many moves; the last one of the game is the game itself.
export async function go(ply) {
  ply = Math.max(0, Math.min(ply, length()));
  if (app.run !== null || ply < length()) {
    await look(ply);
    return;
  }
  lookAt(null);
  changed();
  await recall();
}

async function look(ply) {
  const mine = (going = { ply });
  try {
    const at = await get(`${path()}/at/${ply}`);
    if (going !== mine) return; // somebody has gone on meanwhile
    lookAt(ply, at);
    changed();
  } finally {
    if (going === mine) going = null;
  }
}

// Fetches anew what is looked back at: it may have been thought about meanwhile.
function lookAgain() {
  if (going === null || "ply" in going) look(heading()).catch(() => {}); // a stream that breaks says so itself
}

// Fetches what was thought of the position as it stands, or else of the last one that anybody thought about.
async function recall() {
  const { game } = app;
  const ply = game?.seen.at(-1);
  if (ply === undefined) {
    app.thought = null;
    changed("thought");
    return;
  }
  if (app.thought?.ply === ply && app.thought.serial === game.serial) return;
  const at = await get(`${pathOf(game.id)}/at/${ply}`).catch(() => null);
  if (app.game !== game || !isLive()) return;
  app.thought = at?.thought ? { ply, thought: at.thought, serial: game.serial } : null;
  changed("thought");
}

export async function openRun(name, number) {
  const mine = (going = {});
  const where = pathOfRun(name, number);
  const [run, at] = await Promise.all([get(where), get(`${where}/at/0`)]);
  if (going !== mine) return;
  leave();
  Object.assign(app, { run, thinking: null });
  lookAt(0, at);
  changed("game");
}

export async function closeRun() {
  try {
    if (app.game) {
      await open(app.game.id);
      return;
    }
  } catch (error) {
    if (error.status !== 404) throw error;
    app.connection = "gone";
  }
  app.run = null;
  lookAt(null);
  if (app.game) lose();
  changed("game");
}
