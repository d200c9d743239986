// A new rule as a form: when, what, and only the fields that these ask for.

import { get, post } from "./api.js";
import { el, fold, t, times } from "./dom.js";

const MONDAY = Date.UTC(2026, 2, 2);
const DAY = 24 * 60 * 60 * 1000;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const field = (label, control) => el("div.field", {}, el("label", { for: control.id }, label), control);
const input = (id, type, more) => el("input", { id: `rule-${id}`, type, ...more });
const option = (value, label) => el("option", { value }, label);

/** The folded form, made once: what is filled in outlives that the view is drawn anew. */
export function ruleForm() {
  const place = el("div");
  const folded = fold(t("rule_form"), place);
  folded.addEventListener("toggle", async () => {
    if (folded.open && !place.firstChild) place.append(...fields(await get("rules/form")));
  });
  return folded;
}

function fields(offered) {
  const said = el("p.fault", { role: "alert" });
  const when = el("select", { id: "rule-when" }, option("", t("rule_at")), offered.events.map((one) => option(one.number, one.label)));
  const what = el("select", { id: "rule-what" }, offered.actions.map((one) => option(one.number, one.label)));
  const at = input("at", "time", { value: "22:30" }), until = input("until", "time"), minutes = input("minutes", "number", { min: 1, max: 1440 });
  const value = input("value", "text", { maxlength: 100 }), text = input("text", "text", { maxlength: 200 });
  const days = DAYS.map((name, number) => [name, input(name, "checkbox", { "aria-label": times.weekday(MONDAY + number * DAY) })]);
  const parts = {
    at: field(t("rule_time"), at), value: field(t("rule_value"), value), text: field(t("rule_text"), text),
    days: el("fieldset.days", {}, el("legend", {}, t("rule_days")),
      days.map(([, box]) => el("label", {}, box, el("span", { "aria-hidden": "true" }, box.getAttribute("aria-label"))))),
    until: field(t("rule_until"), until), minutes: field(t("rule_minutes"), minutes),
  };
  const chosen = () => ({
    event: offered.events.find((one) => String(one.number) === when.value),
    action: offered.actions.find((one) => String(one.number) === what.value),
  });
  const show = () => {
    const { event, action } = chosen();
    const shown = { at: !event, days: !event, value: event?.asks, text: action.asks, until: action.lasts && !event, minutes: action.lasts };
    for (const [name, part] of Object.entries(parts)) part.hidden = !shown[name];
  };
  when.addEventListener("change", show);
  what.addEventListener("change", show);
  show();
  const add = async (event) => {
    event.preventDefault();
    said.textContent = "";
    const { event: begins, action } = chosen();
    const when = begins ? { event: begins.number, value: value.value }
      : { at: at.value || null, days: days.filter(([, box]) => box.checked).map(([name]) => name), until: (action.lasts && until.value) || null };
    const lasts = { minutes: action.lasts && minutes.value ? Number(minutes.value) : null };
    try { await post("rules/form", { ...when, ...lasts, action: action.number, text: text.value }); } catch (error) { said.textContent = error.message; }
  };
  return [el("form.rule-form", { onsubmit: add, "aria-label": t("rule_form") },
    field(t("rule_when"), when), parts.at, parts.days, parts.value, field(t("rule_what"), what), parts.text, parts.until, parts.minutes,
    el("button.secondary", { type: "submit" }, t("rule_add"))), said];
}
