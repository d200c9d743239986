"""The methods of uiautomator2's server, each a view of the screen or a touch on it."""

import asyncio
import base64
import time
from collections.abc import Callable, Sequence
from typing import Any

from virtual_phone.automation.views import Selector, View, select, views
from virtual_phone.ui import touch
from virtual_phone.ui.dump import hierarchy
from virtual_phone.ui.screen import Screen

_ACTION_DOWN, _ACTION_UP = 0, 1
_KEYS = {
    "home": 3, "back": 4, "up": 19, "down": 20, "left": 21, "right": 22, "center": 23, "volume_up": 24,
    "volume_down": 25, "power": 26, "camera": 27, "enter": 66, "delete": 67, "del": 67, "menu": 82, "search": 84,
    "volume_mute": 164, "recent": 187,
}  # fmt: skip
INJECTING = frozenset(
    {"click", "injectInputEvent", "swipe", "drag", "swipePoints", "pressKey", "pressKeyCode", "wakeUp", "sleep"}
)
"""Methods that need the right to inject touches and keys."""
_FLING = 3
"""Pages that a fling scrolls."""


class NoSuchViewError(Exception):
    """No view fits the selector."""


class Methods:
    """The methods of one server, and what it keeps between calls."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._state = screen, screen.state
        self._finger: tuple[int, int] | None = None
        self._lowered = 0.0
        self._toast: str | None = None
        self.table: dict[str, Callable[..., Any]] = {
            "deviceInfo": self._device_info, "dumpWindowHierarchy": self._dump, "takeScreenshot": self._screenshot,
            "click": self._click, "injectInputEvent": self._inject, "swipe": self._swipe, "drag": self._swipe,
            "swipePoints": self._swipe_points, "exist": self._exists, "count": lambda what: len(self._all(what)),
            "objInfo": lambda what: self._one(what).info(),
            "objInfoOfAllInstances": lambda what: [view.info() for view in self._all(what)],
            "waitForExists": lambda what, milliseconds: self._wait(what, milliseconds, there=True),
            "waitUntilGone": lambda what, milliseconds: self._wait(what, milliseconds, there=False),
            "getText": lambda what: self._one(what).attributes["text"], "setText": self._set_text,
            "clearTextField": lambda what: self._set_text(what, ""), "clearInputText": self._clear_input,
            "getClipboard": lambda: self._state.keyboard.clipboard, "setClipboard": self._set_clipboard,
            "pasteClipboard": lambda: touch.type_text(self._state, self._state.keyboard.clipboard),
            "pressKey": self._press, "pressKeyCode": lambda code, meta=0: touch.press(self._state, str(int(code))),
            "scrollForward": lambda what, vertical, steps=0: self._scroll(what, 1),
            "scrollBackward": lambda what, vertical, steps=0: self._scroll(what, -1),
            "scrollToBeginning": lambda what, vertical, swipes=0, steps=0: self._scroll(what, -swipes),
            "scrollToEnd": lambda what, vertical, swipes=0, steps=0: self._scroll(what, swipes),
            "flingForward": lambda what, vertical: self._scroll(what, _FLING),
            "flingBackward": lambda what, vertical: self._scroll(what, -_FLING),
            "scrollTo": self._scroll_to, "wakeUp": self._state.power.wake,
            "sleep": self._state.power.sleep, "openNotification": self._open_shade,
            "openQuickSettings": self._open_shade, "getLastToast": lambda: self._toast,
            "makeToast": self._make_toast, "clearLastToast": lambda: self._make_toast(None),
        }  # fmt: skip

    # --- what is on the screen --------------------------------------------------------------------------------
    def _all(self, selector: Selector) -> list[View]:
        return select(views(self._screen.reachable_windows()), selector)

    def _one(self, selector: Selector) -> View:
        found = self._all(selector)
        if not found:
            raise NoSuchViewError(str(dict(selector)))
        return found[0]

    def _exists(self, selector: Selector) -> bool:
        return bool(self._all(selector))

    async def _wait(self, selector: Selector, milliseconds: float, *, there: bool) -> bool:
        try:
            async with asyncio.timeout(milliseconds / 1000):
                while self._exists(selector) != there:
                    await self._state.until_changed()
        except TimeoutError:
            return False
        return True

    def _dump(self, compressed: bool, depth: int = 50, active_only: bool = False) -> str:
        windows = self._screen.reachable_windows()
        return hierarchy(windows[:1] if active_only else windows, self._state.display.rotation, depth=int(depth))

    async def _screenshot(self, scale: float = 1, quality: int = 80) -> str:
        return base64.b64encode(await asyncio.to_thread(self._screen.drawing("jpeg"))).decode()

    def _device_info(self) -> dict[str, Any]:
        display, identity = self._state.display, self._state.identity
        return {
            "currentPackageName": self._screen.active_window().package,
            "displayHeight": display.height,
            "displayRotation": display.rotation,
            "displaySizeDpX": display.width * 160 // display.density,
            "displaySizeDpY": display.height * 160 // display.density,
            "displayWidth": display.width,
            "productName": identity.device,
            "screenOn": self._state.power.wakefulness == "Awake",
            "sdkInt": int(identity.all_properties()["ro.build.version.sdk"]),
            "naturalOrientation": display.rotation == 0,
        }

    # --- fingers and keys -------------------------------------------------------------------------------------
    def _click(self, x: float, y: float, milliseconds: float = 0) -> bool:
        touch.tap(self._screen, self._state, int(x), int(y), seconds=milliseconds / 1000)
        return True

    def _inject(self, action: int, x: float, y: float, meta: int = 0) -> bool:
        if action == _ACTION_DOWN:
            self._finger, self._lowered = (int(x), int(y)), time.monotonic()
        elif action == _ACTION_UP and self._finger is not None:
            start, self._finger = self._finger, None
            seconds = time.monotonic() - self._lowered
            touch.swipe(self._screen, self._state, start, (int(x), int(y)), seconds=seconds)
        return True

    def _swipe(self, x: float, y: float, to_x: float, to_y: float, steps: int = 0) -> bool:
        touch.swipe(self._screen, self._state, (int(x), int(y)), (int(to_x), int(to_y)))
        return True

    def _swipe_points(self, numbers: Sequence[float], steps: int = 0) -> bool:
        x, y, *_, to_x, to_y = numbers
        return self._swipe(x, y, to_x, to_y)

    def _press(self, name: str) -> bool:
        code = _KEYS.get(name.lower())
        return code is not None and touch.press(self._state, str(code))

    def _open_shade(self) -> bool:
        self._state.show_panel("shade")
        return True

    def _scroll(self, selector: Selector, pages: int) -> bool:
        """Scroll a list by pages; whether it moved."""
        node = self._one(selector).node
        before = self._state.apps.foreground.scroll
        self._state.apps.scroll(pages * node.box.height * 2 // 3, node.scroll_range)
        return self._state.apps.foreground.scroll != before

    def _scroll_to(self, selector: Selector, wanted: Selector, vertical: bool = True) -> bool:
        self._scroll(selector, -self._state.display.height)
        while not self._exists(wanted):
            if not self._scroll(selector, 1):
                return False
        return True

    # --- text -------------------------------------------------------------------------------------------------
    def _set_text(self, selector: Selector, text: str) -> bool:
        node = self._one(selector).node
        if node.kind != "field" or not node.enabled:
            return False
        self._state.apps.set_field(node.resource, text)
        return True

    def _clear_input(self) -> bool:
        focus = self._state.apps.foreground.focus
        if focus:
            self._state.apps.set_field(focus, "")
        return bool(focus)

    def _set_clipboard(self, label: str | None, text: str) -> None:
        self._state.keyboard.put_on_clipboard(text)

    def _make_toast(self, text: str | None, milliseconds: float = 0) -> bool:
        self._toast = text
        return True
