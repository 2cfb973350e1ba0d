// The dialog that begins a game.

import { post } from "./api.js";
import { app, enter } from "./app.js";
import { ask, button, buttons, wrongs } from "./dialog.js";
import { h } from "./dom.js";
import { keep, kept } from "./kept.js";
import { agentField } from "./opponent.js";

const RULES = {
  ttakji: "Declared board count, pieces count by the ranked table",
  wikipedia: "Stalemate loses, counts are declared",
  wiki_classic: "Stalemate is not allowed, counts are declared",
  fairy: "As Fairy-Stockfish plays makruk; counts run by themselves",
  pychess: "As fairy, with a board count that is declared",
  ouk: "With the Cambodian leaps of khun and met",
  cambodian: "As Fairy-Stockfish plays Cambodian chess",
  sut: "With the khun's leap and double first moves",
};

function segments(name, title, choices, chosen) {
  return h(
    "fieldset",
    { class: "field" },
    h("legend", {}, title),
    h(
      "div",
      { class: "segments" },
      ...choices.map(([value, text]) =>
        h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, text)),
      ),
    ),
  );
}

const picked = (root, name) => root.querySelector(`input[name="${name}"]:checked`).value;

export function newGame(given = {}) {
  const { agents } = app.options;
  const usual = agents.includes("normal") ? "normal" : agents.at(-1);
  const last = { agent: usual, you: "white", rules: "ttakji", optional: false, clock: "none", ...kept("last", {}), ...given };
  return ask("New game", (close) => {
    const [agent, readAgent] = agentField(last.agent);
    const [wrong, tell] = wrongs();
    const help = h("span", { class: "help" });
    const rules = h(
      "select",
      { id: "rules" },
      ...app.options.rules.map((name) => h("option", { value: name, selected: name === last.rules }, name)),
    );
    const explain = () => (help.textContent = RULES[rules.value] ?? "");
    rules.addEventListener("change", explain);
    explain();
    const optional = h("input", { type: "checkbox", id: "optional", checked: last.optional });
    const fen = h("input", { type: "text", id: "fen-in", value: last.fen ?? "", maxlength: 200, spellcheck: "false" });
    const pgn = h("textarea", { id: "pgn-in", rows: 4, spellcheck: "false" });
    const form = h(
      "div",
      { class: "field two" },
      segments("you", "You play", [["white", "White"], ["black", "Black"], ["both", "Both"]], last.you),
      agent,
      h("label", { class: "field" }, h("span", {}, "Rules"), rules, help),
      h(
        "div",
        { class: "field" },
        segments("clock", "Clock", [["none", "None"], ["timed", "Timed"]], last.clock),
        h("span", { class: "help" }, "Timed: 5 minutes, then three times 30 seconds"),
        h("label", { class: "switch" }, optional, h("span", {}, "Promotion is optional")),
      ),
    );
    const from = h(
      "details",
      { open: Boolean(last.fen) },
      h("summary", {}, "From a position or a game"),
      h(
        "div",
        { class: "field" },
        h("label", { class: "field" }, h("span", {}, "FEN"), fen),
        h("label", { class: "field" }, h("span", {}, "or PGN, whose own rules count"), pgn),
      ),
    );
    const start = async () => {
      const you = picked(form, "you");
      const chosen = { agent: readAgent(), you, rules: rules.value, optional: optional.checked, clock: picked(form, "clock") };
      const named = chosen.rules + (chosen.optional ? ":promotion=optional" : "");
      const game = { you, agent: chosen.agent, clock: chosen.clock === "timed" };
      if (pgn.value.trim()) game.pgn = pgn.value;
      else Object.assign(game, { rules: named, fen: fen.value.trim() || null });
      try {
        const made = await post("/api/games", game);
        keep("last", chosen);
        close(true);
        enter(made);
      } catch (error) {
        tell(error);
      }
    };
    return [form, from, wrong, buttons(button("Cancel", () => close()), button("Begin", start, { class: "primary", id: "begin" }))];
  });
}
