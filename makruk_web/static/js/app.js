// What the page shows, in one place: whoever draws listens here, whoever changes something goes through here.

import { get, post } from "./api.js";
import { follow, leave } from "./live.js";
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
  connected: true,
};

const listeners = [];
export const listen = (listener) => listeners.push(listener);
export const changed = (what = "all") => listeners.forEach((listener) => listener(what));

export const shown = () => app.run ?? app.game;
export const length = () => shown()?.moves.length ?? 0;
export const here = () => app.ply ?? length();
export const isLive = () => app.run === null && app.ply === null;
export const position = () => (isLive() ? app.game?.position : (app.at?.position ?? null));

const path = () => (app.run ? `/api/runs/${encodeURIComponent(app.run.run)}/games/${app.run.number}` : `/api/games/${app.game.id}`);

export function setting(name, value) {
  app[name] = value;
  keep(name, value);
  changed();
}

// Shows a state of the game, unless it is older than what is shown; the first state of a stream always counts.
export function show(game, first = false) {
  const old = app.game?.id === game.id ? app.game : null;
  if (!first && old && (game.version < old.version || (game.version === old.version && game.serial < old.serial))) return;
  const before = app.game?.id === game.id ? app.game : null;
  app.game = game;
  if (!game.thinking && game.analysing === null) app.thinking = null;
  if (app.ply !== null && app.run === null && app.ply > game.moves.length) app.ply = app.at = null;
  if (!before) app.turned = game.you === 1;
  changed(before ? "state" : "game");
  if (app.run === null && app.ply === null) recall();
}

// Opens a game by its name and follows it.
export async function open(id) {
  const game = await get(`/api/games/${encodeURIComponent(id)}`);
  enter(game);
}

export function enter(game) {
  Object.assign(app, { run: null, ply: null, at: null, thinking: null, thought: null, game: null });
  keep("game", game.id);
  if (location.hash !== `#${game.id}`) history.replaceState(null, "", `#${game.id}`);
  show(game);
  follow(game.id);
}

// Asks for a change of the game as it stands.
export async function act(what, more = {}) {
  const game = await post(`/api/games/${app.game.id}/${what}`, { version: app.game.version, ...more });
  if (what !== "analyse") app.ply = app.at = null;
  show(game);
}

export const analyse = async (ply) => show(await post(`/api/games/${app.game.id}/analyse`, { ply }));

// Looks at the position after so many moves; the last one of the game is the game itself.
export async function go(ply) {
  ply = Math.max(0, Math.min(ply, length()));
  if (app.run === null && ply === length()) {
    Object.assign(app, { ply: null, at: null });
    changed();
    await recall();
    return;
  }
  app.ply = ply;
  const at = await get(`${path()}/at/${ply}`);
  if (app.ply !== ply) return; // somebody has gone on meanwhile
  app.at = at;
  app.thought = at.thought ? { ply, thought: at.thought } : null;
  changed();
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
  const at = await get(`/api/games/${game.id}/at/${ply}`).catch(() => null);
  if (app.game !== game || !isLive()) return;
  app.thought = at?.thought ? { ply, thought: at.thought, serial: game.serial } : null;
  changed("thought");
}

export async function openRun(name, number) {
  app.run = await get(`/api/runs/${encodeURIComponent(name)}/games/${number}`);
  leave();
  Object.assign(app, { ply: 0, at: null, thought: null, thinking: null });
  changed("game");
  await go(0);
}

export async function closeRun() {
  Object.assign(app, { run: null, ply: null, at: null, thought: null });
  if (app.game) await open(app.game.id);
  else changed("game");
}
