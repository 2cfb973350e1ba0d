// Small settings that the browser keeps; where it refuses to, they last as long as the page.

const memory = new Map();

export function keep(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`makruk.${name}`, JSON.stringify(value));
  } catch {
    // private windows may refuse
  }
}

export function kept(name, otherwise) {
  if (memory.has(name)) return memory.get(name);
  try {
    return JSON.parse(localStorage.getItem(`makruk.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}
