// What may make heed speak: learnt habits with the lines they rest on, and declared situations.

import { get, post } from "./api.js";
import { button, el, fill, fold, list, t } from "./dom.js";

export async function habits(place) {
  const known = await get("learnt");
  fill(place,
    el("section", { "aria-label": t("habits") },
      el("p.lead", {}, t("habits_more")),
      known.habits.length ? known.habits.map(habit) : el("p.empty", {}, t("habits_empty"))),
    el("section", { "aria-label": t("situations") },
      el("h3", {}, t("situations")),
      el("p.lead", {}, t("situations_more")),
      el("ul.switches", {}, known.situations.map(situation))));
}

const situation = (one) => el("li", { "data-on": String(one.on) },
  el("span", {}, one.about), el("code", {}, one.id),
  button(t(one.on ? "switch_off" : "switch_on"), () => post(`situations/${one.id}`, { on: !one.on }),
    { kind: "secondary", id: `situation-${one.id}`, "aria-label": `${t(one.on ? "switch_off" : "switch_on")}${t("colon")}${one.about}` }));

const habit = (one) => el("article.card", { "data-on": String(one.enabled) },
  el("div.line", {},
    el("div", {}, el("h4", {}, one.offer), el("p.note", {}, one.reason)),
    button(t(one.enabled ? "switch_off" : "switch_on"), () => post(`habits/${one.id}`, { on: !one.enabled }),
      { kind: "secondary", id: `habit-${one.id}`, "aria-label": `${t(one.enabled ? "switch_off" : "switch_on")}${t("colon")}${one.offer}` })),
  fold(`${t("evidence")} (${one.evidence.length})`, list(one.evidence)));
