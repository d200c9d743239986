// The journal as a timeline: what was seen, decided, asked, answered and done, with search, undo and "decide again".

import { get, post } from "./api.js";
import { askSure, button, el, fill, fold, list, marked, pairs, t, times } from "./dom.js";
import { files, screens, steps } from "./pictures.js";

const STEP = 25;
const SEARCH_MS = 300;
const MOST = 110;
const opened = new Set();
const askedToForget = new Set();
let pages = 1;
let sought = "";
let typing = 0;

export async function timeline(place, redraw) {
  const { rows, older } = await read();
  fill(place, search(redraw), rows.length ? drawn(rows) : el("p.empty", {}, t(sought.trim() ? "nothing_found" : "timeline_empty")),
    older ? button(t("more"), () => { pages += 1; return redraw(); }, { kind: "secondary", id: "older" }) : null);
}

async function read() {
  const rows = [];
  let older = null;
  for (let page = 0; page < pages; page += 1) {
    const before = older ? `&before=${older}` : "";
    const next = await get(`journal?limit=${STEP}${before}&text=${encodeURIComponent(sought.trim())}`);
    rows.push(...next.rows);
    older = next.older;
    if (!older) break;
  }
  return { rows, older };
}

const search = (redraw) => el("search.search", {}, el("input", {
  type: "search", id: "search", value: sought, placeholder: t("search"), "aria-label": t("search"), maxlength: 200,
  oninput: (event) => {
    clearTimeout(typing);
    sought = event.target.value;
    pages = 1;
    typing = setTimeout(redraw, SEARCH_MS);
  },
}));

function drawn(rows) {
  const days = new Map();
  for (const one of rows) days.set(times.day(one.at), [...(days.get(times.day(one.at)) ?? []), one]);
  return [...days].map(([day, inside]) => el("section.day", { "aria-label": day }, el("h3", {}, day), inside.map(row)));
}

const row = (one) => ({ silences, touches, entry })[one.kind](one);

/** Consecutive silences on one line, which opens. */
function silences(stretch) {
  const inside = el("div.inside");
  const reasons = stretch.reasons.map((one) => stretch.reasons.length > 1 ? `${one.text} (${one.count})` : one.text).join(" · ");
  const name = stretch.is_fault ? "fault" : "silent";
  const summary = el("summary", {}, el("time", { datetime: stretch.at }, times.clock(stretch.at)),
    el("span", {}, stretch.count === 1 ? t(`${name}_once`) : t(`${name}_times`, { count: stretch.count, since: times.clock(stretch.begun) }),
      el("span.note", {}, ` · ${reasons}`)));
  const element = el("details.silences", { "data-fault": String(stretch.is_fault) }, summary, inside);
  return remembered(element, `silences-${stretch.oldest}`, async () => {
    const found = await get(`silences?newest=${stretch.newest}&oldest=${stretch.oldest}`);
    fill(inside, found.map(entry));
  }, inside);
}

const touches = (stretch) => el("div.touches", {}, el("time", { datetime: stretch.at }, times.clock(stretch.at)),
  el("span", {}, stretch.count === 1 ? t("touched_once") : t("touched_times", { count: stretch.count })));

function entry(one) {
  const said = el("p.fault", { role: "alert" });
  const fail = (error) => { said.textContent = error.message; };
  const id = `entry-${one.id}`;
  const phone = one.phone_name ? `${one.phone_name} · ` : "";
  return el("article.entry", { "data-decision": one.decision, "aria-labelledby": id },
    el("time", { datetime: one.at }, times.clock(one.at)),
    el("div.told", {},
      el("h4", { id }, heading(one)),
      one.actions.length ? el("p.note", {}, phone, one.sentence) : el("p.note", {}, phone, marked(one.trigger)),
      one.pictures.length ? files(one.plan_id, one.pictures) : null,
      one.actions.length || one.answer ? el("div.line", {}, chip(one), one.actions.map((action) => undo(action, fail))) : null,
      said,
      details(one, fail)));
}

/** What is done reads as done; what was only asked as the question; a silence as what was silent about. */
function heading(one) {
  if (one.actions.length) return one.actions.map((action) => ended(action)).join("; ");
  return one.sentence && one.decision !== "silent" ? one.sentence : one.reason;
}

/** The end of a long list of files is left to the details. */
const brief = (text) => text.length > MOST ? `${text.slice(0, MOST).replace(/[\s,;:、，；]*\S*$/, "")}…` : text.replace(/[.。]$/, "");

function ended(action) {
  const result = brief(action.result || action.effects.join("; ") || action.function);
  return action.undone_at ? `${result} · ${t("undone_at", { time: times.clock(action.undone_at) })}` : result;
}

/** Who answered how, or what became of it. */
function chip(one) {
  const last = one.actions.at(-1);
  const state = !last ? "" : last.state === "finished" ? last.outcome : last.state;
  const answer = one.answer ? `${t(one.answer)} · ${t(`channel_${one.channel}`)}` : "";
  return [
    state ? el("span.chip", { "data-state": state }, t(state)) : null,
    answer ? el("span.chip", { "data-answer": one.answer }, answer) : null,
  ];
}

const undo = (action, fail) => action.can_be_undone
  ? button(t("undo"), () => post(`actions/${action.id}/undo`), { kind: "secondary.small", id: `undo-${action.id}`, fail }) : null;

/** Opens with everything behind the decision. */
function details(one, fail) {
  const inside = el("div.inside");
  return remembered(fold(t("open"), inside), `details-${one.id}`, async () => {
    const found = await get(`journal/${one.id}`);
    fill(inside, behind(found), await screens(found.context),
      el("div.again", {}, el("div.line", {}, again(one.id), forget(one.id, fail)), el("div", { id: `again-${one.id}`, role: "status" })));
  }, inside);
}

/** An element that opens; it stays open when the timeline is drawn anew. */
function remembered(element, key, read, inside) {
  element.addEventListener("toggle", async () => {
    if (!element.open) return opened.delete(key);
    opened.add(key);
    try { await read(); } catch (error) { fill(inside, el("p.fault", { role: "alert" }, error.message)); }
  });
  element.open = opened.has(key);
  return element;
}

const behind = (found) => pairs(
  [t("phone"), found.entry.phone_name],
  [t("trigger"), marked(found.entry.trigger)],
  [t("reason"), found.entry.decision === "silent" ? found.entry.reason : ""],
  [t("why"), marked(found.why)],
  [t("evidence"), list(found.evidence.map(marked))],
  [t("decided_by"), `${found.reasoner}${found.confidence === null ? "" : ` · ${t("confidence")} ${found.confidence.toFixed(2)}`}`],
  [t("effects"), list(found.entry.actions.flatMap((action) => action.effects))],
  [t("undone"), list(found.entry.actions.filter((action) => action.undone_at || action.state === "undone").map((action) => action.message))],
  [t("run_steps"), steps(found.entry.id, found.entry.actions.flatMap((action) => action.run))],
  [t("asked_again"), steps(found.entry.id, found.entry.within)],
  [t("commands"), list(found.entry.actions.flatMap((action) => action.commands).map((line) => el("code", {}, line)))],
  [t("proof"), list(found.entry.actions.flatMap((action) => action.proof)
    .map((one) => [el("code", {}, one.command), " → ", el("code", {}, one.answer)]))],
);

const again = (id) => button(t("replay"), async () => {
  const place = document.getElementById(`again-${id}`);
  try {
    const said = await post(`journal/${id}/replay`);
    fill(place, el("p.note", {}, t("replay_says")), el("p", {}, said.functions.length ? said.sentence : t("stayed_silent")), el("p.note", {}, said.why));
  } catch (error) {
    fill(place, el("p.fault", {}, error.message));
  }
}, { kind: "secondary.small" });

/** Deletes the moment after a second press, also when the timeline is drawn anew between the two. */
function forget(id, fail) {
  const pressed = button(t("forget"), async () => {
    if (!askedToForget.has(id)) {
      askedToForget.add(id);
      return askSure(pressed, true);
    }
    askedToForget.delete(id);
    opened.delete(`details-${id}`);
    await post(`journal/${id}/forget`);
  }, { kind: "secondary.small", fail });
  if (askedToForget.has(id)) askSure(pressed, true);
  return pressed;
}
