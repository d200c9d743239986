// The consent page on the phone: one question, one answer.

import { card } from "./card.js";
import { button, el, fill, loadWords, t } from "./dom.js";

const page = document.querySelector("main");

// Out of the address and the history; kept for a reload of this tab.
const token = location.hash.slice(1) || sessionStorage.getItem("heed-token") || "";
sessionStorage.setItem("heed-token", token);
history.replaceState(null, "", "/");

async function ask(path, body) {
  const answer = await fetch(`/consent/${path}`, {
    method: body ? "POST" : "GET",
    body: body && JSON.stringify(body),
    headers: { "X-Heed-Token": token, ...(body ? { "Content-Type": "application/json" } : {}) },
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error([said.error, said.remedy].filter(Boolean).join(" "));
  return said;
}

const over = (text) => fill(page, el("article.card.over", { role: "status" }, el("h2", {}, text), el("p", {}, t("close_page"))));

const ended = ({ answer, channel }) => over(answer ? `${t(answer)} · ${t(`channel_${channel}`)}` : t("withdrawn"));

await loadWords();
try {
  const question = await ask("question");
  fill(page, card(question, async (answer, widened) =>
    ended(await ask("answer", { plan_hash: question.plan_hash, answer, widened }))),
  button(t("pause_for_hour"), async (pressed) => pressed.replaceWith((await ask("pause", {})).text), { id: "pause" }));
  document.title = question.sentence;
  ask("end").then(ended, (error) => over(error.message));
} catch (error) {
  over(error.message);
}
