// The stream of a game's changes; it comes back by itself, and begins with the whole state each time.

import { app, changed, show } from "./app.js";

let source = null;

export function leave() {
  source?.close();
  source = null;
}

export function follow(id) {
  leave();
  const stream = new EventSource(`/api/games/${encodeURIComponent(id)}/events`);
  source = stream;
  const connected = (value) => {
    if (app.connected === value) return;
    app.connected = value;
    changed("connection");
  };
  stream.addEventListener("open", () => connected(true));
  stream.addEventListener("state", (event) => {
    connected(true);
    const game = JSON.parse(event.data);
    if (source === stream && app.run === null) show(game);
  });
  stream.addEventListener("thinking", (event) => {
    if (source !== stream) return;
    app.thinking = JSON.parse(event.data);
    changed("thinking");
  });
  stream.addEventListener("error", () => {
    connected(false);
    if (stream.readyState === EventSource.CLOSED && source === stream) setTimeout(() => source === stream && follow(id), 2000);
  });
}
