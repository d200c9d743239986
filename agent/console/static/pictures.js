// Pictures: the screens of a context and the phone's own files, small; a press enlarges them.

import { picture } from "./api.js";
import { el, t, times } from "./dom.js";

/** The screens of a context as small pictures. */
export async function screens(context) {
  const shown = await Promise.all(context.frames.map((frame) =>
    thumbnail(`journal/${context.decision}/frames/${frame.sha256}`, `${t("frames")} ${times.clock(frame.taken_at)}`, times.clock(frame.taken_at), t("frame_gone"))));
  return shown.length ? el("div", {}, el("h3", {}, t("frames")), el("div.frames", {}, shown)) : null;
}

/** The phone's pictures that a plan is about; those that the phone does not give are left out. */
export function files(plan, numbers) {
  if (!numbers.length) return null;
  const place = el("div.frames.files", { role: "group", "aria-label": t("pictures") });
  numbers.forEach(async (number, index) => {
    const slot = el("span");
    place.append(slot);
    slot.replaceWith((await thumbnail(`plans/${plan}/pictures/${number}`, `${t("picture")} ${index + 1}`, "", "")) ?? "");
  });
  return place;
}

/** The screen that a question is about; whoever answers must see it, so that it is large. */
export function asked(question) {
  if (!question.has_screen) return null;
  const place = el("div.frames.asked", { role: "group", "aria-label": t("frames") });
  picture(`plans/${question.plan_id}/screen`).then(
    ({ address }) => place.append(el("img.asked", { src: address, alt: t("asked_screen") })),
    () => place.append(el("p.note", {}, t("frame_gone"))));
  return place;
}

/** The steps of a run on the screen, each with the picture that it was about. */
export function steps(decision, run) {
  if (!run.length) return null;
  return el("ol.run", {}, run.map((step) => {
    const place = el("span");
    thumbnail(`journal/${decision}/frames/${step.sha256}`, step.text, "", t("frame_gone")).then((shown) => place.replaceWith(shown));
    return el("li", {}, el("span", {}, step.text), step.note ? el("span.note", {}, ` ${step.note}`) : null, place);
  }));
}

async function thumbnail(path, name, caption, missing) {
  try {
    const { address } = await picture(path);
    return el("button.thumbnail", { type: "button", "aria-label": name, onclick: () => enlarge(address, name) },
      el("img.frame", { src: address, alt: "" }), caption ? el("span", {}, caption) : null);
  } catch {
    return missing ? el("p.note", {}, missing) : null;
  }
}

function enlarge(address, name) {
  const close = el("button.secondary", { type: "button", onclick: () => dialog.close() }, t("close"));
  const dialog = el("dialog.large", { "aria-label": name, onclose: () => dialog.remove() }, el("img", { src: address, alt: name }), close);
  document.body.append(dialog);
  dialog.showModal();
}
