// The pause in the header: a chip that says until when, and a menu.

import { get, post } from "./api.js";
import { button, el, fill, t } from "./dom.js";

const LENGTHS = [["pause_hour", { minutes: 60 }], ["pause_tomorrow", { until_tomorrow: true }], ["pause_until_resumed", {}]];

const LOOK_MS = 30000;
let timer = 0;
let drawn = null;

/** Draws the chip; a demo's day has no pause and no chip. */
export async function pauseMenu(place) {
  clearTimeout(timer);
  const state = await get("pause");
  if (!state) return fill(place);
  if (state.text !== drawn || !place.firstChild) draw(place, state);
  drawn = state.text;
  if (state.paused) timer = setTimeout(() => pauseMenu(place).catch(() => {}), LOOK_MS); // it ends by itself
}

/** Drawn only when the state has changed: an open menu stays open. */
function draw(place, state) {
  if (state.paused) {
    return fill(place, el("span.chip", { role: "status" }, state.text), button(t("pause_end"), async () => {
      await post("resume");
      await pauseMenu(place);
    }, { kind: "pill", id: "resume" }));
  }
  const choose = (length) => async () => { await post("pause", length); await pauseMenu(place); };
  fill(place, el("details.menu", {}, el("summary.pill", { id: "pause-menu" }, t("pause_heed")),
    el("div.choices", {}, LENGTHS.map(([word, length]) => button(t(word), choose(length))))));
}
