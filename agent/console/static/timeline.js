// The journal as a timeline: what was seen, decided, asked, answered and done, with undo and "decide again".

import { get, picture, post } from "./api.js";
import { button, el, fill, fold, list, marked, pairs, t, times } from "./dom.js";

const STEP = 25;
let limit = STEP;
const opened = new Map();

export async function timeline(place) {
  const entries = await get(`journal?limit=${limit}`);
  if (!entries.length) return fill(place, el("p.empty", {}, t("timeline_empty")));
  const rows = [];
  let day = "";
  for (const entry of entries) {
    if (times.day(entry.at) !== day) rows.push(el("h3.day", {}, (day = times.day(entry.at))));
    rows.push(row(entry));
  }
  const more = entries.length === limit ? button(t("more"), () => { limit += STEP; return timeline(place); }) : null;
  fill(place, el("section", { "aria-label": t("timeline") }, rows), more);
}

function row(entry) {
  const said = el("p.fault", { role: "alert" });
  const fail = (error) => { said.textContent = error.message; };
  const id = `entry-${entry.id}`;
  return el("article.entry", { "data-decision": entry.decision, "aria-labelledby": id },
    el("time", { datetime: entry.at }, times.clock(entry.at)),
    el("div.told", {},
      el("h4", { id }, entry.sentence && entry.decision !== "silent" ? entry.sentence : `${t("stayed_silent")}${t("colon")}${entry.reason}`),
      el("p.note", {}, entry.phone ? `${entry.phone} · ` : "", marked(entry.trigger)),
      entry.answer ? el("p.chip", { "data-answer": entry.answer }, `${t(entry.answer)} · ${t(`channel_${entry.channel}`)}`) : null,
      entry.actions.map((action) => done(action, fail)),
      said,
      details(entry)));
}

const done = (action, fail) => el("div.action", { "data-outcome": action.outcome, "data-state": action.state },
  el("p", {}, action.effects.join("; ") || action.function),
  el("p.note", {}, action.state === "undone" ? `${t("undone")}${t("colon")}${action.message}` : action.message),
  action.can_be_undone ? button(t("undo"), () => post(`actions/${action.id}/undo`), { kind: "secondary", fail }) : null);

/** Opens with everything behind the decision; stays open when the timeline is drawn anew. */
function details(entry) {
  const inside = el("div");
  const element = fold(t("open"), inside);
  element.addEventListener("toggle", async () => {
    if (!element.open) return opened.delete(entry.id);
    opened.set(entry.id, true);
    const found = await get(`journal/${entry.id}`);
    fill(inside, behind(found), await pictures(found.context), again(entry.id));
  });
  element.open = opened.has(entry.id);
  return element;
}

const behind = (found) => pairs(
  [t("why"), marked(found.why)],
  [t("evidence"), list(found.evidence.map(marked))],
  [t("decided_by"), `${found.reasoner}${found.confidence === null ? "" : ` · ${t("confidence")} ${found.confidence.toFixed(2)}`}`],
  [t("commands"), list(found.entry.actions.flatMap((action) => action.commands).map((line) => el("code", {}, line)))],
  [t("proof"), list(found.entry.actions.flatMap((action) => action.proof)
    .map((one) => [el("code", {}, one.command), " → ", el("code", {}, one.answer)]))],
);

async function pictures(context) {
  const shown = await Promise.all(context.frames.map(async (frame) => {
    try {
      const { address } = await picture(`journal/${context.decision}/frames/${frame.sha256}`);
      return el("img.frame", { src: address, alt: `${t("frames")} ${times.clock(frame.taken_at)}` });
    } catch {
      return el("p.note", {}, t("frame_gone"));
    }
  }));
  return shown.length ? el("div", {}, el("h5", {}, t("frames")), el("div.frames", {}, shown)) : null;
}

function again(id) {
  const answer = el("div", { role: "status" });
  const fail = (error) => { answer.textContent = error.message; };
  const work = async () => {
    const said = await post(`journal/${id}/replay`);
    fill(answer, el("p.note", {}, t("replay_says")), el("p", {}, said.functions.length ? said.sentence : t("stayed_silent")), el("p.note", {}, said.why));
  };
  return el("div.again", {}, button(t("replay"), work, { kind: "secondary", fail }), answer);
}
