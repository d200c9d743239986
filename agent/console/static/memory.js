// What the person said that lasts: grants and cool-downs, which can be taken back; and deletion by app or person.

import { get, post } from "./api.js";
import { deletion } from "./deletion.js";
import { button, el, fill, list, t, times } from "./dom.js";

export async function memory(place) {
  const known = await get("memory");
  fill(place,
    el("section", { "aria-label": t("permissions") },
      el("h3", {}, t("permissions")),
      el("p.lead", {}, t("permissions_more")),
      known.grants.length ? known.grants.map(grant) : el("p.empty", {}, t("permissions_empty"))),
    el("section", { "aria-label": t("cooldowns") },
      el("h3", {}, t("cooldowns")),
      el("p.lead", {}, t("cooldowns_more")),
      known.cool_downs.length ? known.cool_downs.map(coolDown) : el("p.empty", {}, t("cooldowns_empty"))),
    deletion(known.deletion));
}

const grant = (one) => el("article.card.line.apart", {},
  el("div", {}, el("h4", {}, one.text), list(one.covers),
    el("p.note", {}, `${one.phone_name} · ${times.day(one.since)} ${times.clock(one.since)}`)),
  button(t("revoke"), () => post(`memory/grants/${one.id}/revoke`), { kind: "secondary" }));

const coolDown = (one) => el("article.card.line.apart", {},
  el("div", {}, el("h4", {}, one.about),
    el("p.note", {}, [one.until ? `${t("until")} ${times.day(one.until)} ${times.clock(one.until)}` : t("forever"),
      ` · ${one.rejections} ${t("times_rejected")}`])),
  button(t("lift"), () => post("memory/lift", { subject: one.subject }), { kind: "secondary" }));
