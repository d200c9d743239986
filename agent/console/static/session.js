// Signs the browser in, and keeps it signed in over tabs and restarts of heed.
//
// The key that proves it is kept in the browser's database as a key that no script can read again; it is never sent.

const KEPT = "proof";
let unkept = null;
let pageKey = "";

/** The header that every request carries. */
export const credentials = () => ({ "X-Heed-Key": pageKey });

/** Exchanges the token of the address, where there is one, and takes it out of the address and the history. */
export async function signIn() {
  const token = location.hash.slice(1);
  if (!token || token.startsWith("/")) return;
  history.replaceState(null, "", "/");
  const { key, proof_key: proofKey } = await send("session", { token });
  await keep(await crypto.subtle.importKey("raw", bytes(proofKey), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]));
  pageKey = key;
}

/** Proves that this browser is signed in; whether that succeeded. */
export async function resume() {
  const key = await kept();
  if (!key) return false;
  try {
    const { challenge } = await send("session/challenge");
    const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${location.host} ${challenge}`));
    const proof = [...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    pageKey = (await send("session/resume", { challenge, proof })).key;
    return true;
  } catch (error) {
    if (error.status) return false;
    throw error;
  }
}

async function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/${path}`, body ? { method: "POST", body: JSON.stringify(body), headers } : {});
  const said = await answer.json();
  if (!answer.ok) throw Object.assign(new Error([said.error, said.remedy].filter(Boolean).join(" ")), { status: answer.status });
  return said;
}

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

/** The browser's database; where it is switched off, the session ends with the tab. */
const database = () => new Promise((resolve, reject) => {
  const opening = indexedDB.open("heed", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});

async function inStore(mode, work) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const asked = work(opened.transaction("keys", mode).objectStore("keys"));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } finally {
    opened.close();
  }
}

async function keep(key) {
  unkept = key;
  try { await inStore("readwrite", (store) => store.put(key, KEPT)); } catch { /* the tab alone is signed in */ }
}

async function kept() {
  try { return (await inStore("readonly", (store) => store.get(KEPT))) ?? unkept; } catch { return unkept; }
}
