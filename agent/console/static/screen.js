// The live screen: asks for the next picture when the last one is shown, while somebody can see it.
// When touch is on, the owner's taps and swipes on it go to the phone.

import { picture, post } from "./api.js";
import { t } from "./dom.js";

const REST_MS = 900;
const WAIT_MS = 4000;
const STEP = .04;
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export function liveScreen($) {
  const image = $("screen"), note = $("screen-note"), pause = $("screen-pause");
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

  touchable($, () => !image.hidden && serial);

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

/** Taps and swipes with a pointer, and with the keyboard a place that the arrows move and Enter taps. */
function touchable($, current) {
  const place = $("touch"), finger = $("finger"), button = $("screen-touch"), note = $("touch-note");
  let on = false, down = null, at = [.5, .5];

  const share = (event) => {
    const box = place.getBoundingClientRect();
    const within = (value) => Math.min(1, Math.max(0, value));
    return [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
  };

  async function send([fromX, fromY], [toX, toY], milliseconds) {
    note.textContent = "";
    const serial = current();
    if (!serial) return;
    const touch = { from_x: fromX, from_y: fromY, to_x: toX, to_y: toY, milliseconds: Math.min(5000, Math.round(milliseconds)) };
    try { await post(`screen/${encodeURIComponent(serial)}/touch`, touch); } catch (error) { note.textContent = error.message; }
  }

  function point(spot) {
    at = spot;
    finger.style.left = `${spot[0] * 100}%`;
    finger.style.top = `${spot[1] * 100}%`;
  }

  button.addEventListener("click", () => {
    on = !on;
    button.textContent = t(on ? "touch_off" : "touch_on");
    button.setAttribute("aria-pressed", String(on));
    place.classList.toggle("on", on);
    note.textContent = on ? t("touch_more") : "";
    if (on) {
      place.tabIndex = 0;
      place.setAttribute("role", "application");
      place.setAttribute("aria-label", t("touch_keys"));
    } else for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
    finger.hidden = true;
  });

  place.addEventListener("pointerdown", (event) => {
    if (!on || !current()) return;
    event.preventDefault();
    place.setPointerCapture(event.pointerId);
    down = { at: share(event), time: event.timeStamp };
  });
  place.addEventListener("pointerup", (event) => {
    if (!down) return;
    const begun = down;
    down = null;
    send(begun.at, share(event), event.timeStamp - begun.time);
  });
  place.addEventListener("pointercancel", () => { down = null; });
  place.addEventListener("focus", () => { finger.hidden = !on || !place.matches(":focus-visible"); point(at); });
  place.addEventListener("blur", () => { finger.hidden = true; });
  place.addEventListener("keydown", (event) => {
    const move = ARROWS[event.key];
    if (!on || (!move && event.key !== "Enter")) return;
    event.preventDefault();
    finger.hidden = false;
    if (!move) return void send(at, at, 0);
    const to = at.map((value, axis) => Math.min(1, Math.max(0, value + move[axis])));
    if (event.shiftKey) send(at, at.map((value, axis) => Math.min(1, Math.max(0, value + 10 * move[axis]))), 300);
    else point(to);
  });
}
