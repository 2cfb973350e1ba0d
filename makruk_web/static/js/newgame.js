// The dialog that begins a game.

import { post } from "./api.js";
import { app, enter } from "./app.js";
import { ask, buttons, confirm, wrongs } from "./dialog.js";
import { button, h } from "./dom.js";
import { keep, kept } from "./kept.js";
import { agentField } from "./opponent.js";
import { about, named, plain, withPromotion } from "./rules.js";

const YOU = [["white", "White"], ["black", "Black"], ["both", "Both"]];
const CLOCK = [["none", "None"], ["timed", "Timed"]];

function segments(name, title, choices, chosen) {
  const choice = ([value, text]) =>
    h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, text));
  const field = h("fieldset", { class: "field" }, h("legend", {}, title), h("div", { class: "segments" }, ...choices.map(choice)));
  return [field, () => field.querySelector("input:checked").value];
}

// Returns fields for rules, chosen by a preset or whole where they are no preset, and what reads them as a text.
function rulesFields(chosen) {
  const presets = app.options.rules;
  const known = plain(chosen, presets);
  const option = (text) => h("option", { value: text, selected: text === (known?.preset ?? chosen) }, named(text));
  const select = h("select", { id: "rules" }, ...presets.map(option), known ? null : option(chosen));
  const help = h("span", { class: "help" });
  const optional = h("input", { type: "checkbox", id: "optional", checked: known?.optional ?? false });
  const promotion = h("label", { class: "switch" }, optional, h("span", {}, "Promotion is optional"));
  const explain = () => {
    help.textContent = about(select.value);
    promotion.hidden = !presets.includes(select.value);
  };
  select.addEventListener("change", explain);
  explain();
  const read = () => withPromotion(select.value, optional.checked && !promotion.hidden);
  return [h("label", { class: "field" }, h("span", {}, "Rules"), select, help), promotion, read];
}

// Returns fields for where a game begins, and what reads them; a FEN and a PGN both go to the server, which takes one.
function startFields(given) {
  const fen = h("input", { type: "text", id: "fen-in", value: given ?? "", maxlength: 200, spellcheck: "false" });
  const pgn = h("textarea", { id: "pgn-in", rows: 4, spellcheck: "false" });
  const fields = h(
    "details",
    { open: Boolean(given) },
    h("summary", {}, "From a position or a game"),
    h(
      "div",
      { class: "field" },
      h("label", { class: "field" }, h("span", {}, "FEN"), fen),
      h("label", { class: "field" }, h("span", {}, "or PGN; where it names no rules and no other variant, those chosen here count"), pgn),
    ),
  );
  return [fields, () => ({ fen: fen.value.trim() || null, pgn: pgn.value.trim() || null })];
}

// Opens the dialog; given: what stands in it at first, else what was chosen last.
export function newGame(given = {}) {
  const { agents } = app.options;
  const usual = agents.includes("normal") ? "normal" : agents.at(-1);
  const last = { agent: usual, you: "white", rules: "ttakji", clock: "none", ...kept("last", {}), ...given };
  return ask("New game", (close, enters) => {
    const [you, readYou] = segments("you", "You play", YOU, last.you);
    const [agent, readAgent] = agentField(last.agent);
    const [rules, promotion, readRules] = rulesFields(last.rules);
    const [clock, readClock] = segments("clock", "Clock", CLOCK, last.clock);
    const [start, readStart] = startFields(last.fen);
    const [wrong, tell] = wrongs();
    enters(async () => {
      const chosen = { agent: readAgent(), you: readYou(), rules: readRules(), clock: readClock() };
      try {
        const made = await post("/api/games", { ...chosen, ...readStart(), clock: chosen.clock === "timed" });
        keep("last", chosen);
        if (close()) enter(made);
      } catch (error) {
        tell(error);
      }
    });
    const clocks = h("span", { class: "help" }, "Timed: 5 minutes, then three times 30 seconds");
    return [
      h("div", { class: "field two" }, you, agent, rules, h("div", { class: "field" }, clock, clocks, promotion)),
      start,
      wrong,
      buttons(button("Cancel", () => close()), confirm("Begin", { id: "begin" })),
    ];
  });
}
