// The live screen: asks for the next picture when the last one is shown, while somebody can see it.

import { picture } from "./api.js";
import { t } from "./dom.js";

const REST_MS = 900;
const WAIT_MS = 4000;

export function liveScreen(image, note, pause) {
  let serial = "", tag = "", paused = false, timer = 0, running = false;

  function show(address, text) {
    if (image.src) URL.revokeObjectURL(image.src);
    if (address) image.src = address; else image.removeAttribute("src");
    image.alt = t("screen_of");
    image.hidden = !address;
    note.textContent = text;
  }

  async function look() {
    if (running || paused || !serial || document.hidden) return;
    running = true;
    let rest = REST_MS;
    try {
      const found = await picture(`screen/${encodeURIComponent(serial)}`, tag);
      if (found) { tag = found.tag; show(found.address, ""); }
    } catch (error) {
      tag = "";
      show("", error.message);
      rest = WAIT_MS;
    }
    running = false;
    clearTimeout(timer);
    timer = setTimeout(look, rest);
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    pause.textContent = t(paused ? "resume" : "pause");
    pause.setAttribute("aria-pressed", String(paused));
    look();
  });

  return {
    /** Shows another phone, or none. */
    follow(other) {
      if (other === serial) return;
      serial = other;
      tag = "";
      show("", serial ? t("screen_waiting") : t("no_phone"));
      look();
    },
    /** Something changed: look now. */
    hurry() { clearTimeout(timer); look(); },
  };
}
