// Choosing whom to play against.

import { act, app } from "./app.js";
import { ask, buttons, confirm, wrongs } from "./dialog.js";
import { button, h } from "./dom.js";

const OTHER = "…";
const LEVELS = { easy: "Easy", normal: "Normal", hard: "Hard" };

export const agentName = (text) => LEVELS[text] ?? text;

// Returns a field for an agent, and what reads the agent's text from it.
export function agentField(chosen) {
  const { agents } = app.options;
  const listed = agents.includes(chosen);
  const select = h(
    "select",
    { id: "agent", "aria-label": "Opponent" },
    ...agents.map((text) => h("option", { value: text, selected: text === chosen }, agentName(text))),
    h("option", { value: OTHER, selected: !listed }, "Another agent …"),
  );
  const text = h("input", {
    type: "text", id: "agent-text", value: listed ? "" : chosen, placeholder: "alphabeta:seconds=1", hidden: listed,
    "aria-label": "The agent's text", spellcheck: "false", autocapitalize: "off", maxlength: 300,
  });
  select.addEventListener("change", () => {
    text.hidden = select.value !== OTHER;
    if (!text.hidden) text.focus();
  });
  const field = h("div", { class: "field" }, h("span", {}, "Opponent"), select, text);
  return [field, () => (select.value === OTHER ? text.value.trim() : select.value)];
}

export function chooseOpponent() {
  return ask("Go on against", (close, enters) => {
    const [field, read] = agentField(app.game.agent?.text ?? "normal");
    const [wrong, tell] = wrongs();
    enters(async () => {
      try {
        await act("agent", { agent: read() });
        close();
      } catch (error) {
        tell(error);
      }
    });
    return [field, wrong, buttons(button("Cancel", () => close()), confirm("Go on"))];
  });
}
