// A click needs its element at the press and at the release: while something is pressed, no view, phone or question is drawn anew.

const LONGEST_MS = 5000; // a release outside the window may never be told

let held = Promise.resolve();
let release = null;
let timer = 0;

/** Resolves when nothing is pressed. */
export const released = () => held;

function press() {
  if (release) return;
  held = new Promise((resolve) => { release = resolve; });
  timer = setTimeout(end, LONGEST_MS);
}

function end() {
  release?.();
  release = null;
  clearTimeout(timer);
}

const endAfterClick = () => setTimeout(end); // the browser sends the click right after the release

addEventListener("pointerdown", (event) => { if (event.button === 0) press(); }, true);
addEventListener("keydown", (event) => { if (event.key === " ") press(); }, true);
for (const name of ["pointerup", "pointercancel", "keyup"]) addEventListener(name, endAfterClick, true);
addEventListener("blur", end);
