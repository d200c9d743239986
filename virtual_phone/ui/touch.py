"""Input: taps, swipes, typed text and key events, delivered to the windows."""

import contextlib
from collections.abc import Callable

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import ResolveError
from virtual_phone.ui import keyboard
from virtual_phone.ui.page import HEIGHT, STATUS_BAR, WIDTH, keyboard_height
from virtual_phone.ui.screen import Screen
from virtual_phone.ui.screens import home as home_screen
from virtual_phone.ui.tree import ViewNode

_LONG_WAY = 250
"""Pixels above which a moved tap is a swipe."""
_LONG_PRESS_S = 0.4
"""Seconds after which a touch is a long press (AOSP ``ViewConfiguration.DEFAULT_LONG_PRESS_TIMEOUT``)."""


def tap(screen: Screen, state: PhoneState, x: int, y: int, *, seconds: float = 0.0) -> bool:
    """Tap a point, for so many seconds; True when a node handled it."""
    for window in reversed(screen.windows()):
        node = window.root.at(x, y)
        held = node.hold if node is not None and seconds >= _LONG_PRESS_S else None
        action = held or (node.tap if node is not None else None)
        if action is not None:
            # No app handles it: Android shows a toast and stays.
            with contextlib.suppress(ResolveError):
                action(state)
            state.changed()
            return True
        if window.touch_modal:
            return False
    return False


def swipe(
    screen: Screen, state: PhoneState, start: tuple[int, int], end: tuple[int, int], *, seconds: float = 0.0
) -> None:
    """Drag from one point to another: shade, unlock, home, back or scrolling; a short one is a tap."""
    if state.power.wakefulness != "Awake":
        return
    if abs(end[0] - start[0]) + abs(end[1] - start[1]) < 20:
        tap(screen, state, *start, seconds=seconds)
        return
    width, height = WIDTH, HEIGHT
    across, down = WIDTH / state.display.width, HEIGHT / state.display.height
    start, end = ((round(x * across), round(y * down)) for x, y in (start, end))
    dx, dy = end[0] - start[0], end[1] - start[1]
    if state.power.locked and -dy > _LONG_WAY and not state.power.secure_lock:
        state.power.unlock()
    elif state.power.locked:
        return
    elif start[1] < STATUS_BAR and dy > _LONG_WAY:
        state.show_panel("shade")
    elif start[1] > height - 60 and -dy > _LONG_WAY:
        home(state)
    elif start[0] in (*range(30), *range(width - 30, width)) and abs(dx) > _LONG_WAY:
        back(state)
    elif state.panel == "shade":
        if -dy > _LONG_WAY:
            state.show_panel("")
    elif state.apps.foreground.screen == "launcher" and -dy > _LONG_WAY and not state.apps.foreground.fields:
        home_screen.open_drawer(state)
    else:
        _scroll(screen, state, start, -dy)


def _scroll(screen: Screen, state: PhoneState, point: tuple[int, int], pixels: int) -> None:
    listing: ViewNode | None = next(
        (node for node in screen.app_window().root.walk() if node.scroll_range and node.box.contains(*point)), None
    )
    if listing is not None:
        state.apps.scroll(pixels, listing.scroll_range)


def type_text(state: PhoneState, text: str) -> bool:
    """Type into the focused field; False when there is none or the screen is off or locked."""
    if state.power.wakefulness != "Awake" or state.power.locked or state.panel:
        return False
    return state.apps.type_text(text)


def back(state: PhoneState) -> None:
    """The back key: closes the topmost panel, keyboard, dialogue of the app, or activity."""
    if state.panel:
        state.show_panel("")
    elif not state.power.locked and keyboard_height(state.apps.foreground):
        state.apps.unfocus()
    elif not state.power.locked:
        (Screen(state).app_window().root.back or _leave)(state)
        state.changed()


def _leave(state: PhoneState) -> None:
    state.apps.back()


def home(state: PhoneState) -> None:
    """The home key."""
    state.show_panel("")
    if not state.power.locked:
        state.apps.home()


def _recents(state: PhoneState) -> None:
    if state.power.wakefulness == "Awake" and not state.power.locked:
        state.show_panel("" if state.panel == "recents" else "recents")


def _menu(state: PhoneState) -> None:
    """Dismisses a keyguard without a credential (AOSP SystemUI, ``StatusBarKeyguardViewManager.onMenuPressed``)."""
    if state.power.wakefulness == "Awake" and state.power.locked and not state.power.secure_lock:
        state.power.unlock()


def select_all(state: PhoneState) -> None:
    """Ctrl+A: what is typed or deleted next replaces the whole text (AOSP ``TextView.onKeyShortcut``)."""
    state.apps.select()


def _power(state: PhoneState) -> None:
    if state.power.wakefulness == "Awake":
        state.power.sleep()
    else:
        state.power.wake()


def _volume(step: int) -> Callable[[PhoneState], None]:
    return lambda state: state.audio.set_volume(3, state.audio.volumes[3] + step)


def _media(key: str) -> Callable[[PhoneState], None]:
    return lambda state: state.audio.dispatch(key)


def _mute(state: PhoneState) -> None:
    state.audio.set_volume(3, 0)


# android.view.KeyEvent codes.
KEYS: dict[int, Callable[[PhoneState], None]] = {
    3: home,
    4: back,
    5: lambda state: state.calls.answer(),
    6: lambda state: state.calls.hang_up(),
    24: _volume(1),
    25: _volume(-1),
    26: _power,
    66: keyboard.enter,
    67: lambda state: state.apps.erase(),
    82: _menu,
    83: lambda state: state.show_panel("shade"),
    85: _media("play-pause"),
    86: _media("stop"),
    87: _media("next"),
    88: _media("previous"),
    126: _media("play"),
    127: _media("pause"),
    164: _mute,
    187: _recents,
    223: lambda state: state.power.sleep(),
    224: lambda state: state.power.wake(),
}
KEY_NAMES: dict[str, int] = {
    "HOME": 3, "BACK": 4, "CALL": 5, "ENDCALL": 6, "VOLUME_UP": 24, "VOLUME_DOWN": 25, "POWER": 26, "ENTER": 66,
    "DEL": 67, "NOTIFICATION": 83, "MEDIA_PLAY_PAUSE": 85, "MEDIA_STOP": 86, "MEDIA_NEXT": 87, "MEDIA_PREVIOUS": 88,
    "MEDIA_PLAY": 126, "MEDIA_PAUSE": 127, "VOLUME_MUTE": 164, "APP_SWITCH": 187, "SLEEP": 223, "WAKEUP": 224,
    "SPACE": 62, "TAB": 61, "MENU": 82, "CAMERA": 27, "SEARCH": 84, "ESCAPE": 111, "MOVE_END": 123, "MOVE_HOME": 122,
    "DPAD_UP": 19, "DPAD_DOWN": 20, "DPAD_LEFT": 21, "DPAD_RIGHT": 22, "DPAD_CENTER": 23, "PASTE": 279,
    "FORWARD_DEL": 112, "CTRL_LEFT": 113, "CTRL_RIGHT": 114, "SHIFT_LEFT": 59, "SHIFT_RIGHT": 60, "ALT_LEFT": 57,
    "ALT_RIGHT": 58,
}  # fmt: skip
_LETTERS = {29 + index: letter for index, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
_CHARACTERS = _LETTERS | {7 + digit: str(digit) for digit in range(10)} | {62: " "}


def press(state: PhoneState, key: str) -> bool:
    """A key by number, ``KEYCODE_NAME`` or bare name; False for a name that Android does not know."""
    name = key.upper().removeprefix("KEYCODE_")
    if key.isdigit():
        code = int(key)
    elif name in KEY_NAMES:
        code = KEY_NAMES[name]
    elif len(name) == 1 and name.isalnum():
        code = next(number for number, character in _CHARACTERS.items() if character == name.lower())
    else:
        return False
    if code in KEYS:
        KEYS[code](state)
    elif code in _CHARACTERS:
        type_text(state, _CHARACTERS[code])
    return True
