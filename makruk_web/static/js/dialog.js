// The one dialog of the page.

import { $, h } from "./dom.js";

// Opens the dialog with these contents; the promise is kept with what `close` was given, or null where it was left.
export function ask(title, build, kind = "") {
  const dialog = $("dialog");
  if (dialog.open) dialog.close();
  dialog.className = kind;
  return new Promise((resolve) => {
    let result = null;
    const close = (value = null) => {
      result = value;
      dialog.close();
    };
    dialog.replaceChildren(h("div", { class: "inner" }, h("h2", { id: "dialog-title" }, title), ...[build(close)].flat()));
    dialog.onclose = () => resolve(result);
    dialog.onclick = (event) => {
      if (event.target === dialog) dialog.close();
    };
    dialog.showModal();
  });
}

export const buttons = (...all) => h("div", { class: "buttons" }, ...all);

export const button = (text, onclick, more = {}) => h("button", { type: "button", onclick, ...more }, text);

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
