// Asks the server. Every request carries the session's key; the browser adds the cookie.

const KEY = "heed-key";

export class Refused extends Error {
  constructor(status, { error = "", remedy = "" }) {
    super([error, remedy].filter(Boolean).join(" "));
    this.status = status;
  }
}

const headers = (more = {}) => ({ "X-Heed-Key": sessionStorage.getItem(KEY) ?? "", ...more });

async function ask(path, options = {}) {
  const answer = await fetch(`/api/${path}`, { ...options, headers: headers(options.headers) });
  if (answer.ok || answer.status === 304) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({ error: answer.statusText })));
}

export const get = async (path) => (await ask(path)).json();

export const post = async (path, body = {}) =>
  (await ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } })).json();

/** Exchanges the token of the address for a session, and takes it out of the address and the history. */
export async function signIn() {
  const token = location.hash.slice(1);
  if (!token || token.startsWith("/")) return;
  history.replaceState(null, "", "/");
  sessionStorage.setItem(KEY, (await post("session", { token })).key);
}

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
