// Elements made in one line, and small things about them.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "disabled" || name === "hidden" || name === "selected") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

export const use = (man, colour, more = {}) =>
  s("use", { href: `#man-${man}`, class: `man ${colour ? "black" : "white"}`, ...more });

export const button = (text, onclick, more = {}) => h("button", { type: "button", onclick, ...more }, text);

// Returns a value between -1 and 1 with its sign.
export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? text : (value < 0 ? "−" : "+") + text;
}

// Replaces what an element holds, if that is another thing: a button must not go while it is pressed. What
// is done at a click therefore reads the state at the click. The focus stays
// where it was if something with the same key is there again.
export function put(element, ...children) {
  const fresh = document.createElement("div");
  fresh.append(...children.flat().filter(Boolean));
  if (fresh.innerHTML === element.innerHTML) return;
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...fresh.childNodes);
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

export async function loadMen() {
  const text = await (await fetch("/men.svg")).text();
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  $("men").append(...[...drawn.childNodes].map((node) => document.importNode(node, true)));
}
