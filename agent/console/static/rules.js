// The owner's own rules: a box and a form for a new one, and a list of them.

import { post } from "./api.js";
import { button, el, t } from "./dom.js";
import { ruleForm } from "./rule_form.js";

let form = null;

/** The section of the rules. */
export function ownRules(rules) {
  form ??= newRule();
  return el("section.card", { "aria-label": t("rules") }, el("h3", {}, t("rules")), el("p.note", {}, t("rules_more")), form,
    rules.length ? el("ul.switches", {}, rules.map(rule)) : null);
}

/** The box for a new rule, made once: what is typed in it outlives that the view is drawn anew. */
function newRule() {
  const said = el("p.fault", { role: "alert" });
  const sentence = el("input", { type: "text", id: "rule", maxlength: "300", required: true, "aria-label": t("rule_new"), placeholder: t("rule_example") });
  const add = async (event) => {
    event.preventDefault();
    said.textContent = "";
    try { await post("rules", { sentence: sentence.value }); sentence.value = ""; } catch (error) { said.textContent = error.message; }
  };
  return [el("form.new-rule", { onsubmit: add }, sentence, el("button.secondary", { type: "submit" }, t("rule_add"))), said, ruleForm()];
}

const rule = (one) => {
  const said = el("p.fault", { role: "alert" });
  return el("li", {}, el("div", {}, el("div", {}, one.sentence), el("p.note", {}, one.example)),
    button(t("rule_remove"), () => post(`rules/${one.id}/remove`), { kind: "secondary.small", id: `remove-${one.id}`,
      "aria-label": `${t("rule_remove")}${t("colon")}${one.sentence}`, fail: (error) => { said.textContent = error.message; } }), said);
};
