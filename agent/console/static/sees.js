// The newest context as a model reads it, with what was taken out of it marked, the facts behind it and its screens.

import { get } from "./api.js";
import { el, fill, fold, list, marked, t, times } from "./dom.js";
import { screens } from "./pictures.js";

export async function sees(place) {
  const context = await get("context");
  if (!context) return fill(place, el("p.empty", {}, t("sees_empty")));
  fill(place,
    el("p.lead", {}, t("sees_more")),
    el("p.note", {}, `${times.day(context.at)} ${times.clock(context.at)} · ${context.phone_name}`),
    await screens(context),
    context.sections.map(section));
}

const section = (one) => el("section.card", { "aria-label": t(one.dimension) },
  el("h3", {}, t(one.dimension)),
  el("p.words", {}, marked(one.text)),
  one.missing.length ? el("p.note", {}, `${t("missing")}${t("colon")}${one.missing.map((gap) => `${gap.name} (${gap.reason})`).join(", ")}`) : null,
  one.facts.length ? fold(`${t("facts")} (${one.facts.length})`, list(one.facts.map(fact), "ul.facts")) : null);

const fact = (one) => [el("code", {}, one.name), el("span.trust", { "data-trust": one.trust }, t(`trust_${one.trust}`)),
  el("span", {}, marked(one.value))];
