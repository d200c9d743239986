// The box for requests in the owner's own words, and the questions about what they do not say.

import { get, post } from "./api.js";
import { button, el, fill, t } from "./dom.js";

const shown = new Map();

/** Fills `place` with the box; `phone()` is the address of the phone that is chosen on the page. */
export function requestBox(place, phone) {
  const words = el("input", { type: "text", name: "request", maxlength: 500, required: true, placeholder: t("ask_heed_example"), "aria-label": t("ask_heed") });
  const send = el("button.primary", {}, t("send"));
  const said = el("p.note", { role: "status" });
  const form = el("form.ask.card", {}, el("label", {}, t("ask_heed"), words), send, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    said.textContent = t("reading_request");
    try {
      const done = await post("request", { text: words.value, serial: phone() });
      said.textContent = done.join(" ") || t("not_allowed");
      words.value = "";
    } catch (error) {
      said.textContent = error.message;
    }
    send.disabled = false;
  });
  fill(place, form, el("div", { id: "clarifications" }));
}

/** Adds new questions to `place` and takes away those that are over; one that stays keeps its focus. */
export async function clarifications(place) {
  const open = await get("clarifications");
  const ids = new Set(open.map((one) => one.id));
  for (const [id, element] of shown) if (!ids.has(id)) { element.remove(); shown.delete(id); }
  for (const one of open) {
    if (shown.has(one.id)) continue;
    shown.set(one.id, clarification(one));
    place.append(shown.get(one.id));
  }
}

function clarification(one) {
  const heading = `clarification-${one.id}`;
  const keep = el("input", { type: "checkbox", name: "remember" });
  const words = el("input", { type: "text", name: "words", maxlength: 500, "aria-labelledby": heading });
  const said = el("p.fault", { role: "alert" });
  const reply = async (answer) => post(`clarifications/${one.id}`, { words: answer, remember: keep.checked });
  const fail = (error) => { said.textContent = error.message; };
  const form = el("form", {}, words, el("button.primary", {}, t("send")));
  form.addEventListener("submit", (event) => { event.preventDefault(); reply(words.value).catch(fail); });
  return el("article.card.question", { "aria-labelledby": heading },
    el("p.note", {}, one.request),
    el("h2", { id: heading }, one.question),
    el("div.answers", {}, one.choices.map((choice) => button(choice, () => reply(choice), { kind: "secondary", fail }))),
    one.takes_words ? form : null,
    one.may_remember ? el("label", {}, keep, " ", t("remember_answer")) : null,
    button(t("leave_open"), () => reply(""), { fail }),
    said);
}
