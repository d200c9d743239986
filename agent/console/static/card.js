// A question as a card: the sentence, why, the plan, the risk, and the buttons. Both pages show it.

import { el, fold, list, pairs, t } from "./dom.js";

/** The card; `answer(said, widened)` sends an answer and throws what went wrong, `pictures(question)` shows what it is about. */
export function card(question, answer, pictures = () => null) {
  const said = el("p.fault", { role: "alert" });
  const wider = question.widenings.map((one) => ({ one, box: el("input", { type: "checkbox" }) }));
  const buttons = el("div.answers", { role: "group", "aria-label": t("suggestion") },
    choices(question).map(([name, kind]) =>
      el(`button.${kind}`, { type: "button", "data-answer": name, onclick: () => send(name) }, t(name))));

  const steps = plan(question);
  let free = false;
  const enable = (on) => { for (const each of buttons.children) each.disabled = !on || !free; };
  const unread = reading(steps, () => { free = true; enable(true); });
  enable(true);

  /** After an answer that counts, the card only waits to be taken away. */
  async function send(name) {
    if (!free) return;
    said.textContent = "";
    enable(false);
    try {
      await answer(name, name === "always" ? widened(wider) : []);
    } catch (error) {
      said.textContent = error.message;
      enable(true);
    }
  }

  const heading = `question-${question.plan_id}`;
  return el("article.card.question", { "aria-labelledby": heading },
    question.phone_name ? el("p.note", {}, `${t("phone")}${t("colon")}${question.phone_name}`) : null,
    el("h2", { id: heading }, question.sentence),
    // A situation's reason is the first half of its sentence: once is enough.
    question.sentence.startsWith(question.why) ? null : el("p.why", {}, question.why),
    foreign(question),
    steps,
    pictures(question),
    widenings(wider),
    el("p.risk", { "data-risk": question.risk }, `${t("risk")}${t("colon")}${question.risk_text}`),
    unread,
    buttons,
    timer(question),
    said,
    question.evidence.length ? fold(`${t("evidence")} (${question.evidence.length})`, list(question.evidence)) : null,
    fold(t("details"), question.steps.map((step) => list(step.commands.map((line) => el("code", {}, line))))));
}

const choices = (question) => [
  ["once", "primary"],
  ...(question.may_always ? [["always", "secondary"]] : []),
  ["not_now", "secondary"],
  ["never", "quiet"],
];

// It may be long and scroll, so the keyboard must reach it.
const plan = (question) => el("div.plan", { tabindex: "0", role: "group", "aria-label": t("will") }, question.steps.map((step) => pairs(
  [t("will"), list(step.effects.map(toRead))],
  [t("undo"), step.undo.length ? list(step.undo.map(toRead)) : toRead(t(step.changes_nothing ? "nothing_to_undo" : "cannot_undo"))],
)));

/** A text whose end must have been on the screen before the question can be answered. */
const toRead = (text) => el("span.to-read", { tabindex: "-1" }, text, el("span.end", { "aria-hidden": "true" }));

/** A button that leads to the next text that was not on the screen yet; calls `done` and goes when there is none. */
function reading(steps, done) {
  const left = new Set(steps.querySelectorAll(".end"));
  const button = el("button.secondary", { type: "button", onclick: () => next() }, t("read_on"));
  const shown = el("div.unread", { role: "status" }, el("p.note", {}, t("read_first")), button);

  function next() {
    const end = [...left][0];
    if (!end) return;
    // The focus has a screen reader say the text; its end is what must be on the screen.
    end.parentElement.focus({ preventScroll: true });
    end.scrollIntoView({ block: "center" });
  }

  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting && entry.intersectionRatio >= 1) left.delete(entry.target);
    if (left.size) return;
    observer.disconnect();
    const focused = document.activeElement === button;
    shown.remove();
    done();
    // Whoever came here with the keyboard goes on from what was read last.
    if (focused) steps.focus({ preventScroll: true });
  }, { threshold: 1 });
  for (const end of left) observer.observe(end);
  if (!left.size) { done(); shown.hidden = true; }
  return shown;
}

const foreign = (question) => {
  const found = question.steps.flatMap((step) => Object.entries(step.third_party));
  if (!found.length && !question.is_influenced) return null;
  return el("div.foreign", {},
    question.is_influenced ? el("p", {}, el("strong", {}, t("influenced"))) : null,
    found.length ? [el("strong", {}, t("third_party")), pairs(...found)] : null);
};

/** What "always" may be widened by; unchecked, it covers the values that are shown. */
const widenings = (wider) => wider.length ? el("fieldset.wider", {}, el("legend", {}, t("always_covers")),
  wider.map(({ one, box }) => el("label", {}, box, `${one.text} (${t("not_only")} ${one.shown})`))) : null;

const widened = (wider) => wider.filter(({ box }) => box.checked)
  .map(({ one }) => ({ step: one.step, parameter: one.parameter }));

/** Counts down to the end of the question; hidden from screen readers, which would speak of nothing else. */
function timer(question) {
  const ends = performance.now() + question.seconds_left * 1000;
  const shown = el("p.timer", { "aria-hidden": "true" });
  const tick = () => {
    const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
    shown.textContent = `${t("closes_in")} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    return left;
  };
  tick();
  const clock = setInterval(() => { if (!tick() || !shown.isConnected) clearInterval(clock); }, 1000);
  return shown;
}
