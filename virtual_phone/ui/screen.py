"""The phone's screen: windows built from the state, drawn once per state version and minute."""

import io
import struct
from collections.abc import Callable
from typing import Literal

from PIL import Image

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.well_known import SYSTEM_UI
from virtual_phone.ui import keyboard, paint, recents, system_windows
from virtual_phone.ui.dialog import DIALOGS
from virtual_phone.ui.page import HEIGHT, WIDTH
from virtual_phone.ui.screens import SCREENS
from virtual_phone.ui.tree import Box, ScreenWindow, ViewNode, ViewStyle

FrameKind = Literal["png", "jpeg", "raw"]
_RGBA_8888, _SRGB = 1, 1
_PANELS = {"shade": system_windows.shade, "recents": recents.recents}


class Screen:
    """The screen of one phone; frames are cached by state version and clock minute."""

    def __init__(self, state: PhoneState) -> None:
        self.state = state
        self._frames: dict[FrameKind, tuple[tuple[int, str, bool], bytes]] = {}

    def windows(self) -> list[ScreenWindow]:
        """Every window, bottom first; none of the app's when the screen is off.

        Pages are laid out for one size and stretched to that of the display.
        """
        windows = self._laid_out()
        across, down = self.state.display.width / WIDTH, self.state.display.height / HEIGHT
        if (across, down) != (1, 1):
            for window in windows:
                window.root.scaled(across, down)
        return windows

    def _laid_out(self) -> list[ScreenWindow]:
        state = self.state
        size = Box(0, 0, WIDTH, HEIGHT)
        if state.power.wakefulness != "Awake":
            return [ScreenWindow(SYSTEM_UI, ViewNode("frame", size, style=ViewStyle(fill="#000000")), "Off")]
        if state.power.locked:
            ink = "#ffffff"
            over = [system_windows.keyguard(state)]
        else:
            ink = "#ffffff" if _is_dark(state) and not state.panel else "ink"
            over = [*self._behind(), self.app_window()]
            keys = keyboard.keyboard(state)
            over.extend([keys] if keys else [])
            if state.panel:
                over.append(_PANELS[state.panel](state))
        bars = [system_windows.status_bar(state, ink), system_windows.navigation_bar(ink)]
        peeking = None if state.power.locked or state.panel else system_windows.heads_up(state)
        return [*over, *bars, *([peeking] if peeking else [])]

    def app_window(self) -> ScreenWindow:
        """The foreground activity's window."""
        return self._window(self.state.apps.foreground)

    def _behind(self) -> list[ScreenWindow]:
        """The window below a dialog."""
        before = self.state.apps.before
        if self.state.apps.foreground.screen not in DIALOGS or before is None or before.screen in DIALOGS:
            return []
        return [self._window(before)]

    def _window(self, activity: RunningActivity) -> ScreenWindow:
        spec = self.state.apps.spec(activity.component)
        root = SCREENS[activity.screen](self.state, activity)
        dims, secure = activity.screen in DIALOGS, spec is not None and spec.secure
        return ScreenWindow(activity.package, root, activity.component, dims=dims, secure=secure)

    def active_window(self) -> ScreenWindow:
        """The focused window, which ``uiautomator dump`` shows."""
        return self.reachable_windows()[0]

    def reachable_windows(self) -> list[ScreenWindow]:
        """The focused window and those over it."""
        windows = self.windows()
        active = max(index for index, window in enumerate(windows) if window.touch_modal)
        return windows[active:]

    def find(self, text: str) -> tuple[int, int] | None:
        """The centre of the topmost tappable node with ``text`` in itself or in a child."""
        for window in reversed(self.windows()):
            for node in reversed(list(window.root.walk())):
                if node.tap is not None and any(
                    text in (inner.text, inner.description, inner.hint) for inner in node.walk()
                ):
                    return node.box.center
            if window.touch_modal:
                return None
        return None

    # --- frames -----------------------------------------------------------------------------------------------
    def image(self) -> Image.Image:
        """The pixels."""
        display = self.state.display
        return paint.draw(self.windows(), (display.width, display.height), dark=display.dark)

    def png(self) -> bytes:
        """The pixels as ``screencap -p`` gives them."""
        return self.drawing("png")()

    def raw(self) -> bytes:
        """The pixels as ``screencap`` gives them: width, height, format, colour space, RGBA rows."""
        return self.drawing("raw")()

    def jpeg(self) -> bytes:
        """The pixels as JPEG."""
        return self.drawing("jpeg")()

    def drawing(self, kind: FrameKind) -> Callable[[], bytes]:
        """A function that draws and encodes the present frame; safe to call in another thread."""
        display = self.state.display
        minute = f"{self.state.clock.wall():%Y-%m-%d %H:%M}"
        peeking = system_windows.peeking(self.state)
        key = (self.state.version, f"{minute} {peeking.key if peeking else ''}", display.dark)
        known = self._frames.get(kind)
        if known is not None and known[0] == key:
            frame = known[1]
            return lambda: frame
        windows, size, dark = self.windows(), (display.width, display.height), display.dark

        def draw() -> bytes:
            encoded = _ENCODERS[kind](paint.draw(windows, size, dark=dark))
            self._frames[kind] = (key, encoded)
            return encoded

        return draw


def _is_dark(state: PhoneState) -> bool:
    """Whether the area under the status bar is dark in both themes."""
    front = state.apps.foreground
    return front.screen in ("camera", "photo") or (front.screen == "launcher" and not front.fields)


def _png(image: Image.Image) -> bytes:
    return _saved(image, "PNG", compress_level=1)


def _jpeg(image: Image.Image) -> bytes:
    return _saved(image, "JPEG", quality=80)


def _saved(image: Image.Image, kind: str, **options: int) -> bytes:
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def _raw(image: Image.Image) -> bytes:
    return struct.pack("<4I", *image.size, _RGBA_8888, _SRGB) + image.convert("RGBA").tobytes()


_ENCODERS: dict[FrameKind, Callable[[Image.Image], bytes]] = {"png": _png, "jpeg": _jpeg, "raw": _raw}
