// The choice of a bia that may promote.

import { ask, buttons } from "./dialog.js";
import { button, h, s, use } from "./dom.js";

const drawing = (man, colour) => s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, use(man, colour));

// Returns the chosen one of two moves, null where the player thinks better of it.
export function choosePromotion(moves, colour) {
  const promoting = moves.find((move) => move.length > 4);
  const staying = moves.find((move) => move.length === 4);
  return ask(
    "Promote?",
    (close) => [
      h(
        "div",
        { class: "choice" },
        h("button", { type: "button", id: "promote", onclick: () => close(promoting) }, drawing("bia-ngai", colour), "Promote"),
        h("button", { type: "button", id: "stay", onclick: () => close(staying) }, drawing("bia", colour), "Stay a bia"),
      ),
      buttons(button("Cancel", () => close())),
    ],
    "small",
  );
}
