// The console: signs in, shows the questions and the chosen view, and follows what changes.

import { changes, get, post, signIn } from "./api.js";
import { card } from "./card.js";
import { button, el, fill, loadWords, t } from "./dom.js";
import { habits } from "./habits.js";
import { memory } from "./memory.js";
import { liveScreen } from "./screen.js";
import { clarifications, requestBox } from "./request.js";
import { sees } from "./sees.js";
import { timeline } from "./timeline.js";

const VIEWS = {
  timeline: { draw: timeline, parts: ["journal"] },
  sees: { draw: sees, parts: ["journal"] },
  habits: { draw: habits, parts: ["memory"] },
  memory: { draw: memory, parts: ["memory"] },
};
const RETRY_MS = 2000;

const $ = (id) => document.getElementById(id);
const screen = liveScreen($("screen"), $("screen-note"), $("screen-pause"));
const shown = new Map();
let phone = "";
let focused = "";

const chosen = () => location.hash.slice(2) in VIEWS ? location.hash.slice(2) : "timeline";

async function drawView() {
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash.slice(2) === chosen()) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  await VIEWS[chosen()].draw($("view"));
  // Whoever pressed a button by keyboard is still there when the view was drawn anew.
  if (document.activeElement === document.body && focused) $(focused)?.focus({ preventScroll: true });
}

async function drawPhones() {
  const phones = await get("phones");
  if (!phones.some((one) => one.serial === phone)) phone = phones[0]?.serial ?? "";
  fill($("phones"), phones.map(day), phones.length ? phones.map(pill) : el("span.pill", {}, t("no_phone")));
  const failing = phones.filter((one) => one.state === "failing").map((one) => `${one.name || one.serial}${t("colon")}${one.reason}`);
  trouble(failing.join(" "));
  screen.follow(phones.find((one) => one.serial === phone)?.state === "monitored" ? phone : "");
}

/** A demo's day can be held; a real one cannot. */
const day = (one) => "paused" in one
  ? button(t(one.paused ? "day_on" : "day_pause"), () => post("day", { paused: !one.paused }), { kind: "pill", id: "day" })
  : null;

const pill = (one) => el("button.pill", {
  type: "button", "data-state": one.state, title: [one.reason || one.serial, ...(one.pending ?? [])].join("\n"), "aria-pressed": String(one.serial === phone),
  onclick: () => { phone = one.serial; drawPhones(); },
}, el("span.dot"), `${one.name || one.serial} · ${t(one.state)}${one.pending?.length ? ` · ${t("pending")} (${one.pending.length})` : ""}`);

/** Adds new questions and takes away those that are over; a card that stays is left alone, with its focus. */
async function drawQuestions() {
  const open = await get("questions");
  const ids = new Set(open.map((question) => question.plan_id));
  for (const [id, element] of shown) if (!ids.has(id)) { element.remove(); shown.delete(id); }
  for (const question of open) {
    if (shown.has(question.plan_id)) continue;
    const element = card(question, (answer, widened) =>
      post(`questions/${question.plan_id}`, { plan_hash: question.plan_hash, answer, widened }));
    shown.set(question.plan_id, element);
    $("quiet")?.remove();
    $("questions").append(element);
    element.scrollIntoView({ block: "nearest" });
    $("announcement").textContent = `${t("question_arrived")} ${question.sentence}`;
  }
  if (!open.length) {
    $("announcement").textContent = "";
    fill($("questions"), el("section.card.calm", { id: "quiet" }, el("h2", {}, t("quiet")), el("p", {}, t("quiet_more"))));
  }
  document.title = open.length ? `● ${t("suggestion")} – heed` : "heed";
}

async function follow() {
  for await (const parts of changes()) {
    trouble("");
    if (parts.includes("questions")) { await drawQuestions(); await clarifications($("clarifications")); }
    if (parts.includes("screen")) screen.hurry();
    if (parts.includes("journal")) await drawPhones();
    if (VIEWS[chosen()].parts.some((part) => parts.includes(part))) await drawView();
  }
}

function trouble(text) {
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
}

const signedOut = () => fill(document.body,
  el("main.single", {}, el("section.card", {}, el("h2", {}, t("signed_out")), el("p", {}, t("signed_out_more")))));

async function start() {
  await loadWords();
  await signIn();
  await get("phones");
  $("page").hidden = false;
  requestBox($("request"), () => phone);
  addEventListener("hashchange", drawView);
  document.addEventListener("focusin", (event) => { focused = event.target.id; });
  document.addEventListener("visibilitychange", () => screen.hurry());
  for (;;) {
    try { await follow(); } catch (error) { if (error.status === 401) return signedOut(); }
    trouble(t("connection_lost"));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

start().catch((error) => (error.status === 401 ? signedOut() : trouble(error.message)));
