"""The on-screen keyboard, shown while a text field has the focus."""

from collections.abc import Mapping
from typing import Literal

from virtual_phone.state import PhoneState
from virtual_phone.ui.page import HEIGHT, KEYBOARD, NAVIGATION_BAR, WIDTH, keyboard_height
from virtual_phone.ui.screens import browser
from virtual_phone.ui.tree import Action, Box, ScreenWindow, ViewNode, ViewStyle

PACKAGE = "com.google.android.inputmethod.latin"
_KEY, _ROW, _WIDE, _EDGE = 108, 176, 162, 28
_ROWS: Mapping[str, tuple[str, str, str]] = {
    "letters": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "capitals": ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"),
    "symbols": ("1234567890", "@#$_&-+()", "*\"':;!?"),
}
_LONG_TEXTS = ("compose_message_text", "body", "document__fragment__edit__highlighting_editor")
"""Fields in which Enter begins a new line."""
Side = Literal["letters", "capitals", "symbols"]


def keyboard(state: PhoneState) -> ScreenWindow | None:
    """The keyboard's window; None while no text field has the focus."""
    if not keyboard_height(state.apps.foreground):
        return None
    top = HEIGHT - NAVIGATION_BAR - KEYBOARD
    # A tap between the keys does not reach the app.
    root = ViewNode(
        "frame",
        Box(0, top, WIDTH, HEIGHT),
        resource="keyboard_area",
        style=ViewStyle(fill="surface"),
        tap=lambda state: None,
    )
    side = state.keyboard.side
    for number, letters in enumerate(_ROWS[side]):
        left = (WIDTH - len(letters) * _KEY) // 2
        for column, letter in enumerate(letters):
            root.children.append(_key(_place(left + column * _KEY, number, _KEY, top), letter, _type(letter)))
    other: Side = "letters" if side != "letters" else "capitals"
    third, fourth = 2, 3
    root.children += [
        _special(_place(0, third, _WIDE, top), "up", "Shift", _turn(other)),
        _special(_place(WIDTH - _WIDE, third, _WIDE, top), "back", "Delete", lambda state: state.apps.erase()),
        _key(_place(0, fourth, _WIDE, top), "ABC" if side == "symbols" else "?123",
             _turn("letters" if side == "symbols" else "symbols"), fill="accent", size=42),
        _key(_place(_WIDE, fourth, _KEY, top), ",", _type(",")),
        _key(_place(_WIDE + _KEY, fourth, 5 * _KEY, top), "English", _type(" "), size=38, resource="key_space"),
        _key(_place(WIDTH - _WIDE - _KEY, fourth, _KEY, top), ".", _type(".")),
        _special(_place(WIDTH - _WIDE, fourth, _WIDE, top), "forward", "Enter", enter),
    ]  # fmt: skip
    return ScreenWindow(PACKAGE, root, "InputMethod", touch_modal=False)


def _place(left: int, row: int, width: int, top: int) -> Box:
    y = top + _EDGE + row * _ROW
    return Box(left + 8, y + 8, left + width - 8, y + _ROW - 14)


def _key(box: Box, label: str, tap: Action, *, fill: str = "card", size: int = 60, resource: str = "key") -> ViewNode:
    style = ViewStyle(fill=fill, ink="on_accent" if fill == "accent" else "ink", radius=21, size=size, align="center")
    return ViewNode("button", box, text=label, resource=resource, style=style, tap=tap)


def _special(box: Box, glyph: str, label: str, tap: Action) -> ViewNode:
    style = ViewStyle(fill="accent", ink="on_accent", radius=21, glyph=glyph, size=66)
    return ViewNode("button", box, description=label, resource="key", style=style, tap=tap)


def _type(text: str) -> Action:
    """Type a key; after a capital letter the keyboard shows small ones."""

    def type_key(state: PhoneState) -> None:
        state.apps.type_text(text)
        if state.keyboard.side == "capitals":
            state.keyboard.turn("letters")

    return type_key


def _turn(side: Side) -> Action:
    return lambda state: state.keyboard.turn(side)


def enter(state: PhoneState) -> None:
    """Enter: opens the address in the browser, starts a new line in a long text, else closes the keyboard."""
    front = state.apps.foreground
    if front.screen == "browser":
        browser.submit(state)
    elif front.focus in _LONG_TEXTS:
        state.apps.type_text("\n")
    else:
        state.apps.unfocus()
