// What may make heed speak: learnt habits with the lines they rest on, and declared situations.

import { get, post } from "./api.js";
import { button, el, fill, fold, list, t } from "./dom.js";

export async function habits(place) {
  const [known, rules] = await Promise.all([get("learnt"), get("rules")]);
  fill(place,
    ownRules(rules),
    el("section", { "aria-label": t("habits") },
      el("p.lead", {}, t("habits_more")),
      known.habits.length ? known.habits.map(habit) : el("p.empty", {}, t("habits_empty"))),
    el("section", { "aria-label": t("situations") },
      el("h3", {}, t("situations")),
      el("p.lead", {}, t("situations_more")),
      el("ul.switches", {}, known.situations.map(situation))));
}

let ruleForm = null;

/** The box for a new rule, made once: what is typed in it outlives that the view is drawn anew. */
function newRule() {
  const said = el("p.fault", { role: "alert" });
  const sentence = el("input", { type: "text", id: "rule", maxlength: "300", required: true, "aria-label": t("rule_new"), placeholder: t("rule_example") });
  const add = async (event) => {
    event.preventDefault();
    said.textContent = "";
    try { await post("rules", { sentence: sentence.value }); sentence.value = ""; } catch (error) { said.textContent = error.message; }
  };
  return [el("form.new-rule", { onsubmit: add }, sentence, el("button.secondary", { type: "submit" }, t("rule_add"))), said];
}

function ownRules(rules) {
  ruleForm ??= newRule();
  return el("section", { "aria-label": t("rules") },
    el("h3", {}, t("rules")),
    el("p.lead", {}, t("rules_more")),
    ruleForm,
    el("ul.switches", {}, rules.map((rule) => el("li", {}, el("div", {}, el("div", {}, rule.sentence), el("p.note", {}, rule.example)),
      button(t("rule_remove"), () => post(`rules/${rule.id}/remove`), { kind: "secondary", id: `remove-${rule.id}`, "aria-label": `${t("rule_remove")}${t("colon")}${rule.sentence}` })))));
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
