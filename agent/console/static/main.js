// The console: signs in, shows the questions and the chosen view, and follows what changes.

import { changes, get, post } from "./api.js";
import { card } from "./card.js";
import { button, el, fill, loadWords, t } from "./dom.js";
import { habits } from "./habits.js";
import { memory } from "./memory.js";
import { pauseMenu } from "./pause.js";
import { asked, files } from "./pictures.js";
import { released } from "./press.js";
import { liveScreen } from "./screen.js";
import { clarifications, requestBox } from "./request.js";
import { sees } from "./sees.js";
import { signIn } from "./session.js";
import { settings } from "./settings.js";
import { situations } from "./situations.js";
import { statistics } from "./statistics.js";
import { timeline } from "./timeline.js";

const VIEWS = {
  timeline: { draw: timeline, parts: ["journal"] },
  statistics: { draw: statistics, parts: ["journal"] },
  habits: { draw: habits, parts: ["memory"] },
  situations: { draw: situations, parts: ["memory"] },
  memory: { draw: memory, parts: ["memory"] },
  sees: { draw: sees, parts: ["journal"] },
  settings: { draw: settings, parts: [] },
};
const RETRY_MS = 2000;

const $ = (id) => document.getElementById(id);
const screen = liveScreen($);
const shown = new Map();
let phone = "";
let focused = "";
let looked = "";
let drawn = "";
let begun = 0;
let latest = 0;

const chosen = () => location.hash.slice(2) in VIEWS ? location.hash.slice(2) : "timeline";

async function drawView() {
  const name = chosen(), number = begun += 1;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash.slice(2) === name) {
      link.setAttribute("aria-current", "page");
      const tabs = link.parentElement;
      tabs.scrollLeft = Math.max(0, link.offsetLeft - tabs.clientWidth / 2 + link.clientWidth / 2);
    } else link.removeAttribute("aria-current");
  }
  const place = el("div.view");
  try {
    await VIEWS[name].draw(place, drawView);
  } catch (error) {
    if (error.status === 401) return signedOut();
    fill(place, el("section.card", { role: "alert" }, el("p.fault", {}, error.message),
      button(t("try_again"), drawView, { kind: "secondary" })));
  }
  await released();
  // What was read late does not take the place of what was read after it, nor of the view chosen meanwhile.
  if (name !== chosen() || number < latest) return;
  latest = number;
  if (drawn === name) keepState($("view"), place);
  drawn = name;
  keepFocus(() => fill($("view"), place));
}

/** What was opened and what was typed in a view outlive that it is drawn anew. */
function keepState(before, after) {
  const opened = new Set([...before.querySelectorAll("details.fold[open]")].map(foldName));
  for (const fold of after.querySelectorAll("details.fold")) if (opened.has(foldName(fold))) fold.open = true;
  const typed = new Map([...before.querySelectorAll("input[type=text]")]
    .filter((input) => input.value !== input.defaultValue).map((input) => [input.getAttribute("aria-label"), input]));
  for (const input of after.querySelectorAll("input[type=text]")) {
    const old = typed.get(input.getAttribute("aria-label"));
    if (old && old.defaultValue === input.defaultValue) input.value = old.value;
  }
}

/** A fold by its words and those of the entry that it belongs to. */
const foldName = (fold) => `${fold.firstElementChild.textContent} ${fold.closest("li, article, section")?.firstElementChild?.textContent.slice(0, 80)}`;

/** Whoever pressed a button or typed is still there when the view was drawn anew. */
function keepFocus(draw) {
  const active = document.activeElement;
  const caret = active?.id === focused && "selectionStart" in active ? active.selectionStart : null;
  draw();
  if (document.activeElement !== document.body || !focused) return;
  $(focused)?.focus({ preventScroll: true });
  if (caret !== null) $(focused)?.setSelectionRange?.(caret, caret);
}

async function drawPhones() {
  await pauseMenu($("pause"));
  const phones = await get("phones");
  await released();
  if (!phones.some((one) => one.serial === phone)) phone = phones[0]?.serial ?? "";
  fill($("phones"), phones.map(day), phones.length ? phones.map(pill) : el("span.pill", {}, t("no_phone")));
  const failing = phones.filter((one) => one.state === "failing").map((one) => `${one.name || one.serial}${t("colon")}${one.reason}`);
  trouble(failing.join(" "));
  const monitored = phones.find((one) => one.serial === phone)?.state === "monitored";
  screen.follow(monitored ? phone : "");
  if (!$("look").children.length) fill($("look"), button(t("look"), look, { kind: "pill", fail: (error) => trouble(error.message) }));
  $("look").hidden = !monitored;
}

/** Decides now on what the phone shows. */
async function look(pressed) {
  pressed.textContent = t("looking");
  try {
    looked = await post(`phones/${encodeURIComponent(phone)}/look`) === "silent" ? t("looked_silent") : "";
  } finally {
    pressed.textContent = t("look");
  }
  await drawQuestions();
  $("announcement").textContent = looked;
  looked = "";
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
  await released();
  const ids = new Set(open.map((question) => question.plan_id));
  for (const [id, element] of shown) if (!ids.has(id)) { element.remove(); shown.delete(id); }
  for (const question of open) {
    if (shown.has(question.plan_id)) continue;
    const element = card(question, (answer, widened) =>
      post(`questions/${question.plan_id}`, { plan_hash: question.plan_hash, answer, widened }),
    (one) => [asked(one), files(one.plan_id, one.pictures)]);
    shown.set(question.plan_id, element);
    $("quiet")?.remove();
    $("questions").append(element);
    element.scrollIntoView({ block: "nearest" });
    $("announcement").textContent = `${t("question_arrived")} ${question.sentence}`;
  }
  if (!open.length) {
    $("announcement").textContent = "";
    fill($("questions"), el("section.calm", { id: "quiet" },
      el("h2", {}, t("quiet")), el("p", {}, looked || t("quiet_more"))));
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
  el("header.bar", {}, el("h1.brand", {}, "heed")),
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
  await drawView();
  for (;;) {
    try { await follow(); } catch (error) { if (error.status === 401) return signedOut(); }
    trouble(t("connection_lost"));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

start().catch((error) => (error.status === 401 ? signedOut() : trouble(error.message)));
