// Requests to the server; what it refuses is thrown as a Refusal with the server's own words.

export class Refusal extends Error {
  constructor(status, name, message) {
    super(message);
    this.status = status;
    this.name = name;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal(0, "Unreachable", "the server does not answer");
  }
  const told = (answer.headers.get("content-type") ?? "").includes("json") ? await answer.json() : await answer.text();
  if (!answer.ok) {
    throw new Refusal(answer.status, told?.error?.name ?? "Error", told?.error?.message ?? `the server said ${answer.status}`);
  }
  return told;
}

export const get = (path) => ask(path);

export const post = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
