// The configuration in force, the browsers' sessions, and how to have things forgotten.

import { get, post } from "./api.js";
import { button, el, fill, fold, t } from "./dom.js";

export async function settings(place) {
  const found = await get("settings");
  const said = el("p.fault", { role: "alert" });
  fill(place,
    el("section.card", { "aria-label": t("sessions") }, el("h3", {}, t("sessions")), el("p.note", {}, t("sessions_more")),
      button(t("sessions_end"), () => post("sessions/end"), { kind: "secondary", fail: (error) => { said.textContent = error.message; } }), said),
    el("section.card", { "aria-label": t("forget_title") }, el("h3", {}, t("forget_title")), el("p.note", {}, t("forget_more")),
      el("code", {}, "heed forget --app APP"), el("code", {}, "heed forget --person NAME"),
      el("code", {}, "heed forget --before 30d"), el("code", {}, "heed forget --everything")),
    el("section.card", { "aria-label": t("configuration") }, el("h3", {}, t("configuration")),
      el("p.note", {}, t("configuration_more")), el("code", {}, found.file),
      found.sections.map(section)));
}

const section = (one) => {
  const set = one.settings.filter((setting) => setting.is_set).length;
  const name = set ? `${one.name} · ${t("so_many_set", { count: set })}` : one.name;
  return fold(name, el("dl.settings", {}, one.settings.map((setting) => el("div", { "data-set": String(setting.is_set) },
    el("dt", {}, setting.name), el("dd", {}, setting.value || "–")))));
};
