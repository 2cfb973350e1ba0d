// The presets of the rules, and rules as a text: a preset, with its changes behind a colon.

const ABOUT = {
  ttakji: "Declared board count, pieces count by the ranked table",
  wikipedia: "Stalemate loses, counts are declared",
  wiki_classic: "Stalemate is not allowed, counts are declared",
  fairy: "As Fairy-Stockfish plays makruk; counts run by themselves",
  pychess: "As fairy, with a board count that is declared",
  ouk: "With the Cambodian leaps of khun and met",
  cambodian: "As Fairy-Stockfish plays Cambodian chess",
  sut: "With the khun's leap and double first moves",
};
const OPTIONAL = "promotion=optional";

function split(text) {
  const [preset] = text.split(":", 1);
  return [preset, text.slice(preset.length + 1)];
}

export const withPromotion = (preset, optional) => (optional ? `${preset}:${OPTIONAL}` : preset);

// Returns { preset, optional } of rules with at most an optional promotion, null of others.
export function plain(text, presets) {
  const [preset, changes] = split(text);
  return presets.includes(preset) && ["", OPTIONAL].includes(changes) ? { preset, optional: changes !== "" } : null;
}

export function about(text) {
  const [preset, changes] = split(text);
  const told = ABOUT[preset] ?? "";
  return changes ? `${told || preset}; changed: ${changes.replaceAll(",", ", ")}` : told;
}

// Returns rules in a few words.
export function named(text) {
  const [preset, changes] = split(text);
  return changes ? `${preset}, ${changes.replaceAll(",", ", ")}` : preset;
}
