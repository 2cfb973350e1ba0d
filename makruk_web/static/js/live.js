// The stream of a game's changes; it comes back by itself, and begins with the whole state each time.
// A browser has only six connections to a server, so a page that is not seen lets its stream go.

import { get } from "./api.js";

const AGAIN = 2000; // milliseconds between two tries

let source = null;
let followed = null; // { id, told }

function close() {
  source?.close();
  source = null;
}

export function leave() {
  close();
  followed = null;
}

function come() {
  if (document.hidden) close();
  else if (followed && !source) begin();
}

document.addEventListener("visibilitychange", come);
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", come);

// Follows a game. told: what is done with its `state`, with a `look` into a search, and with the `connection`: null
// while changes come, else why they do not: the server is "away" or too "crowded", or the game is "gone".
export function follow(id, told) {
  followed = { id, told };
  begin();
}

function begin() {
  close();
  const { id, told } = followed;
  const stream = new EventSource(`/api/games/${encodeURIComponent(id)}/events`);
  source = stream;
  let first = true;
  const hear = (name, then) => stream.addEventListener(name, (event) => source === stream && then(event));
  hear("open", () => {
    first = true;
    told.connection(null);
  });
  hear("state", (event) => {
    told.state(JSON.parse(event.data), first);
    first = false;
  });
  hear("thinking", (event) => told.look(JSON.parse(event.data)));
  hear("error", () => (stream.readyState === EventSource.CLOSED ? check("crowded") : told.connection("away")));
}

// Asks whether the game that is followed is still there. otherwise: what its connection is if it is.
export async function check(otherwise = null) {
  if (!followed) return;
  close();
  const mine = followed;
  const [game, error] = await get(`/api/games/${encodeURIComponent(mine.id)}`).then((game) => [game], (error) => [null, error]);
  if (followed !== mine) return;
  if (error?.status === 404) {
    leave();
    mine.told.connection("gone");
    return;
  }
  if (game) mine.told.state(game, true);
  mine.told.connection(game ? otherwise : "away");
  setTimeout(() => followed === mine && come(), AGAIN);
}
