// The stream of a game's changes; it comes back by itself, and begins with the whole state each time.
// A browser has only six connections to a server, so a page that is not seen lets its stream go.

import { app, changed, show } from "./app.js";

let source = null;
let followed = null;

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
  else if (followed && !source) follow(followed);
}

document.addEventListener("visibilitychange", come);
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", come);

export function follow(id) {
  close();
  followed = id;
  const stream = new EventSource(`/api/games/${encodeURIComponent(id)}/events`);
  source = stream;
  let first = true;
  const connected = (value) => {
    if (app.connected === value) return;
    app.connected = value;
    changed("connection");
  };
  stream.addEventListener("open", () => {
    first = true;
    connected(true);
  });
  stream.addEventListener("state", (event) => {
    connected(true);
    const game = JSON.parse(event.data);
    if (source === stream && app.run === null) show(game, first);
    first = false;
  });
  stream.addEventListener("thinking", (event) => {
    if (source !== stream || !app.game || !(app.game.thinking || app.game.analysing !== null)) return;
    app.thinking = JSON.parse(event.data);
    changed("thinking");
  });
  stream.addEventListener("error", () => {
    connected(false);
    if (stream.readyState === EventSource.CLOSED && source === stream) setTimeout(() => source === stream && follow(id), 2000);
  });
}
