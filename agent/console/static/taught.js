// The tasks that the owner taught: their steps as sentences, the texts that they type to change, and a button to delete each.

import { post } from "./api.js";
import { button, el, fold, t } from "./dom.js";

/** The section of the taught tasks. */
export const taughtTasks = (tasks) => el("section.card", { "aria-label": t("taught") }, el("h3", {}, t("taught")),
  el("p.note", {}, tasks.length ? t("taught_more") : t("taught_none")),
  tasks.length ? el("ul.switches", {}, tasks.map(task)) : null);

const task = (one) => {
  const said = el("p.fault", { role: "alert" });
  const fail = (error) => { said.textContent = error.message; };
  const usage = [one.name, ...one.slots.map((slot) => `${slot}=…`)].join(" ");
  return el("li", {}, el("div", {}, el("div", {}, usage), el("p.note", {}, one.app),
    fold(t("taught_steps"), el("ol", {}, one.steps.map((step) => stepLine(one, step, fail))))),
    button(t("taught_forget"), () => post(`taught/${one.name}/forget`), { kind: "secondary.small", id: `forget-${one.name}`,
      "aria-label": `${t("taught_forget")}${t("colon")}${one.name}`, fail }), said);
};

const stepLine = (one, step, fail) => el("li", {}, step.sentence, step.text ? textForm(one, step, fail) : null);

/** The box for the text that a step types; `{name}` makes it a slot. */
function textForm(one, step, fail) {
  const text = el("input", { type: "text", value: step.text, required: true, "aria-label": `${t("taught_text")}${t("colon")}${one.name} ${step.number}` });
  const change = async (event) => {
    event.preventDefault();
    try { await post(`taught/${one.name}/text`, { step: step.number, text: text.value }); } catch (error) { fail(error); }
  };
  return el("form.new-rule", { onsubmit: change }, text, el("button.secondary", { type: "submit" }, t("taught_change")));
}
