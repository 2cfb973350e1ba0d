// The one dialog of the page.

import { $, button, h } from "./dom.js";

let leave = null; // leaves the dialog that is open

// Opens the dialog with what `build` returns; the promise is kept with what `close` was given, null where it was left.
// build gets `close`, which tells whether the dialog was still open, and `enters`, which takes what Enter and the button
// of `confirm` do: once at a time, however often they are pressed.
export function ask(title, build, kind = "") {
  leave?.();
  const dialog = $("dialog");
  const form = h("form", { novalidate: "" });
  return new Promise((resolve) => {
    const close = (result = null) => {
      if (leave !== close) return false;
      leave = null;
      dialog.close();
      resolve(result);
      return true;
    };
    const enters = (doing) => (form.onsubmit = (event) => once(form, event, doing));
    enters(() => {});
    leave = close;
    form.append(h("h2", { id: "dialog-title" }, title), ...[build(close, enters)].flat());
    dialog.className = kind;
    dialog.replaceChildren(form);
    dialog.onclose = () => {
      if (!dialog.open) close(); // left by Escape; one that was closed before may be told late
    };
    dialog.onclick = (event) => {
      if (event.target === dialog) close();
    };
    dialog.showModal();
  });
}

async function once(form, event, doing) {
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  try {
    await doing();
  } finally {
    form.ariaBusy = "false";
  }
}

export const buttons = (...all) => h("div", { class: "buttons" }, ...all);

export const confirm = (text, more = {}) => button(text, null, { type: "submit", class: "primary", ...more });

// Returns a place for a table that may be longer than the dialog, and what fills it.
export function listing(name, head) {
  const place = h("div", { class: "list", tabindex: 0, role: "region", "aria-label": name });
  const titles = h("thead", {}, h("tr", {}, ...head.map((title) => h("th", { scope: "col" }, title))));
  const row = (cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell)));
  return [place, (rows) => place.replaceChildren(h("table", {}, titles, h("tbody", {}, ...rows.map(row))))];
}

// Returns a place for the words of a refusal, and what writes them there.
export function wrongs() {
  const place = h("p", { class: "wrong", role: "alert", hidden: true });
  return [
    place,
    (error) => {
      place.textContent = error ? error.message : "";
      place.hidden = !error;
    },
  ];
}
