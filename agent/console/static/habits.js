// Learnt habits with the lines they rest on; each is switched.

import { get, post } from "./api.js";
import { el, fill, fold, list, t, toggle } from "./dom.js";

export async function habits(place) {
  const known = await get("learnt");
  fill(place, el("p.lead", {}, t("habits_more")),
    known.habits.length ? known.habits.map(habit) : el("p.empty", {}, t("habits_empty")));
}

const habit = (one) => {
  const said = el("p.fault", { role: "alert" });
  return el("article.card", { "data-on": String(one.enabled) },
    el("div.line.apart", {},
      el("div", {}, el("h3", {}, one.offer), el("p.note", {}, one.reason)),
      toggle(one.offer, one.enabled, (on) => post(`habits/${one.id}`, { on }),
        { id: `habit-${one.id}`, fail: (error) => { said.textContent = error.message; } })),
    said,
    fold(`${t("evidence")} (${one.evidence.length})`, list(one.evidence)));
};
