// Builds elements. Text is only ever set as text: nothing that anybody wrote is parsed as markup.

let words = {};

/** Loads the page's words and puts them where the page asks for them with `data-word`. */
export async function loadWords() {
  words = await (await fetch("/words")).json();
  document.documentElement.lang = words.lang;
  for (const place of document.querySelectorAll("[data-word]")) place.textContent = t(place.dataset.word);
  for (const place of document.querySelectorAll("[data-label]")) place.setAttribute("aria-label", t(place.dataset.label));
}

/** A word or sentence, its placeholders `{name}` filled from `values`. */
export const t = (name, values = {}) =>
  (words[name] ?? name.replace("channel_", "")).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

const SVG = "http://www.w3.org/2000/svg";

/** An element: `el("p.note", { id: "x", onclick: f }, "text", child)`. */
export const el = (what, properties, ...children) => built((tag) => document.createElement(tag), what, properties, children);

/** An element of a drawing. */
export const svg = (what, properties, ...children) =>
  built((tag) => document.createElementNS(SVG, tag), what, properties, children);

function built(create, what, properties, children) {
  const [tag, ...classes] = what.split(".");
  const element = create(tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Replaces what an element holds. */
export const fill = (element, ...children) => element.replaceChildren(...children.flat(Infinity).filter(Boolean));

/** A list of terms and what they mean; rows without a meaning are left out. */
export const pairs = (...rows) =>
  el("dl.pairs", {}, rows.filter(([, value]) => value && value.length !== 0)
    .map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));

export const list = (items, kind = "ul.plain") => items.length ? el(kind, {}, items.map((item) => el("li", {}, item))) : null;

/** A part that opens and closes. */
export const fold = (summary, ...children) => el("details.fold", {}, el("summary", {}, summary), ...children);

/** Text with what was taken out of it marked: `[code]`, `[card]`, `[id]`, `[key]`. */
export function marked(text) {
  return text.split(/(\[(?:code|card|id|key)\])/).map((part, index) => (index % 2 ? el("mark", {}, part) : part));
}

/** A button whose work runs once at a time; `work` may throw what `fail` shows. */
export function button(label, work, { kind = "quiet", fail = () => {}, ...more } = {}) {
  const element = el(`button.${kind}`, { type: "button", ...more }, label);
  element.addEventListener("click", async () => {
    element.disabled = true;
    try { await work(element); } catch (error) { fail(error); } finally { element.disabled = false; }
  });
  return element;
}

/** Words a button that deletes: for its first press, or for the second one that makes sure. */
export function askSure(pressed, sure, first) {
  pressed.textContent = sure ? t("forget_sure") : first;
  pressed.classList.toggle("danger", sure);
}

/** A switch that is on or off; `work(on)` sets it. */
export function toggle(label, on, work, { fail = () => {}, ...more } = {}) {
  return button("", () => work(!on), { kind: "switch", fail, role: "switch", "aria-checked": String(on), "aria-label": label, ...more });
}

const clock = (iso) => iso.slice(11, 16);
const dated = (format) => (iso) => new Intl.DateTimeFormat(words.lang, { ...format, timeZone: "UTC" })
  .format(new Date(`${iso.slice(0, 10)}T12:00:00Z`));

/** Times as the phone shows them: they come with the phone's own offset, which a `Date` would lose. */
export const times = {
  clock,
  day: dated({ weekday: "long", day: "numeric", month: "long" }),
  short: dated({ day: "numeric", month: "short" }),
  weekday: (milliseconds) => new Intl.DateTimeFormat(words.lang, { weekday: "short", timeZone: "UTC" }).format(milliseconds),
};
