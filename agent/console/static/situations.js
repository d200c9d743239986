// The owner's rules, what they taught, and declared situations by scenario, each with a switch; the recommended ones come first.

import { get, post } from "./api.js";
import { el, fill, t, toggle } from "./dom.js";
import { ownRules } from "./rules.js";
import { taughtTasks } from "./taught.js";

export async function situations(place) {
  const [known, rules, taught] = await Promise.all([get("learnt").then((found) => found.situations), get("rules"), get("taught")]);
  const scenarios = [...new Set(known.map((one) => one.scenario))].sort();
  const groups = [
    [t("recommended"), known.filter((one) => one.is_recommended)],
    ...scenarios.map((name) => [name, known.filter((one) => one.scenario === name && !one.is_recommended)]),
  ];
  fill(place, ownRules(rules), taughtTasks(taught), el("p.lead", {}, t("situations_more")), groups.filter(([, inside]) => inside.length).map(group));
}

const group = ([name, inside]) => el("section.card", { "aria-label": name },
  el("div.line.apart", {}, el("h3", {}, name),
    el("span.note", {}, t("so_many_on", { on: inside.filter((one) => one.on).length, all: inside.length }))),
  el("ul.switches", {}, inside.map(situation)));

const situation = (one) => {
  const said = el("p.fault", { role: "alert" });
  return el("li", { "data-on": String(one.on) }, el("span", {}, one.about),
    toggle(one.about, one.on, (on) => post(`situations/${one.id}`, { on }),
      { id: `situation-${one.id}`, fail: (error) => { said.textContent = error.message; } }), said);
};
