// Asks the server. Every request carries the page's key; the browser adds the cookie.

import { credentials, resume } from "./session.js";

export class Refused extends Error {
  constructor(status, { error = "", remedy = "" }) {
    super([error, remedy].filter(Boolean).join(" "));
    this.status = status;
  }
}

const request = (path, options) => fetch(`/api/${path}`, { ...options, headers: { ...credentials(), ...options.headers } });

/** The answer; after a restart of heed, the session is resumed once. */
async function ask(path, options = {}) {
  let answer = await request(path, options);
  if (answer.status === 401 && await resume()) answer = await request(path, options);
  if (answer.ok || answer.status === 304) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({ error: answer.statusText })));
}

export const get = async (path) => (await ask(path)).json();

export const post = async (path, body = {}) =>
  (await ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } })).json();

/** A picture: its address for an `img` and its tag, or null when it is the one with `tag`. */
export async function picture(path, tag = "") {
  const answer = await ask(path, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  if (answer.status === 304) return null;
  return { address: URL.createObjectURL(await answer.blob()), tag: answer.headers.get("ETag") ?? "" };
}

/** What has changed, as it changes; ends when the connection does. */
export async function* changes() {
  const answer = await ask("events");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value.replaceAll("\r", "");
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}
