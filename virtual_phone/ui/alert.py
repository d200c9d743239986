"""Dialogues and menus of an app: AppCompat's ``AlertDialog`` and the list behind *More options*.

Each is the window that accessibility shows while it is open; the app's page lies dimmed behind it. Ids are those of
AOSP's ``alert_dialog.xml`` and AppCompat's ``abc_popup_menu_item_layout.xml``; buttons show capitals, as
``textAllCaps`` makes them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.ui.page import HEIGHT, MARGIN, STATUS_BAR, WIDTH
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle

ASKS = "asks"
"""The field of an activity that names the dialogue or menu that is open."""
POSITIVE, NEGATIVE, NEUTRAL = "android:id/button1", "android:id/button2", "android:id/button3"
_LEFT, _TOP, _PAD = 54, 180, 48
_LINE = 1.32


class AlertButton(NamedTuple):
    """A button below a dialogue: its id, label and action."""

    resource: str
    label: str
    tap: Action
    enabled: bool = True


def ask(name: str) -> Action:
    """A tap that opens a dialogue or menu of the page."""
    return lambda state: state.apps.set_field(ASKS, name)


def close(state: PhoneState) -> None:
    """Close the dialogue or menu that is open."""
    state.apps.unfocus()
    state.apps.set_field(ASKS, "")


class AlertCard:
    """A dialogue being built; the cursor ``y`` moves down with each piece."""

    def __init__(self, state: PhoneState, activity: RunningActivity, title: str = "") -> None:
        self.state, self.activity = state, activity
        self.y = _TOP + _PAD
        self._pieces: list[ViewNode] = []
        self.left, self.right = _LEFT + _PAD, WIDTH - _LEFT - _PAD
        if title:
            self.text(title, resource="alertTitle", size=54)

    def text(self, text: str, *, resource: str = "", size: int = 42, ink: str = "ink") -> None:
        """A paragraph as high as it needs."""
        height = round(len(fonts.wrap(text, size, self.right - self.left)) * size * _LINE)
        box = Box(self.left, self.y, self.right, self.y + height)
        self._pieces.append(ViewNode("text", box, text=text, resource=resource, style=ViewStyle(size=size, ink=ink)))
        self.y += height + 18

    def field(self, name: str, hint: str, value: str = "", *, share: tuple[float, float] = (0, 1)) -> None:
        """A text field; ``share`` is where it begins and ends across the dialogue. The next piece lies below it."""
        width = self.right - self.left
        box = Box(self.left + round(share[0] * width), self.y, self.left + round(share[1] * width), self.y + 126)
        focused = self.activity.focus == name
        node = ViewNode("field", box, text=self.activity.fields.get(name, value), hint=hint, resource=name)
        node.style = ViewStyle(size=42, radius=12, border="primary" if focused else "line")
        node.focused, node.tap = focused, lambda state: state.apps.focus(name, value)
        self._pieces.append(node)
        if share[1] == 1:
            self.y += 144

    def choice(self, resource: str, text: str, tap: Action) -> None:
        """A drop-down list (``android.widget.Spinner``) that shows what is chosen."""
        box = Box(self.left, self.y, self.right, self.y + 120)
        node = ViewNode("spinner", box, resource=resource, tap=tap, style=ViewStyle(border="line", radius=12))
        inner = Box(box.left + 24, box.top, box.right - 24, box.bottom)
        node.children = [ViewNode("text", inner, text=text, resource="android:id/text1")]
        self._pieces.append(node)
        self.y += 138

    def radio(self, resource: str, label: str, tap: Action, *, chosen: bool) -> None:
        """One of several choices."""
        box = Box(self.left, self.y, self.right, self.y + 120)
        self._pieces.append(ViewNode("radio", box, text=label, resource=resource, checked=chosen, tap=tap))
        self.y += 126

    def finish(self, buttons: Sequence[AlertButton], *, back: Action = close) -> ViewNode:
        """The dialogue's window: neutral button at the left, the others at the right."""
        right = self.right
        for button in sorted(buttons, key=lambda one: one.resource):
            width = fonts.width(button.label.upper(), 42, bold=True) + 72
            left = self.left if button.resource == NEUTRAL else right - width
            box = Box(left, self.y + 12, left + width, self.y + 132)
            style = ViewStyle(size=42, bold=True, ink="primary" if button.enabled else "faint", align="center")
            node = ViewNode("button", box, text=button.label.upper(), resource=button.resource, style=style)
            node.tap, node.enabled = button.tap, button.enabled
            self._pieces.append(node)
            right = left if button.resource != NEUTRAL else right
        box = Box(_LEFT, _TOP, WIDTH - _LEFT, self.y + 156)
        card = ViewNode("group", box, resource="parentPanel", style=ViewStyle(fill="surface", radius=12))
        card.children = self._pieces
        return _over(card, back)


def menu(items: Sequence[tuple[str, Action | None]], *, back: Action = close) -> ViewNode:
    """The list that *More options* or a drop-down opens; items without an action take no touch."""
    left, top, height = WIDTH - 660, STATUS_BAR + 24, 132
    rows = []
    for number, (label, tap) in enumerate(items):
        box = Box(left, top + number * height, WIDTH - 24, top + (number + 1) * height)
        row = ViewNode("group", box, resource="content", tap=_after_closing(tap) if tap else None)
        inner = Box(box.left + MARGIN, box.top, box.right - MARGIN, box.bottom)
        row.children = [ViewNode("text", inner, text=label, resource="title", style=ViewStyle(size=45))]
        rows.append(row)
    box = Box(left, top, WIDTH - 24, top + len(items) * height)
    return _over(ViewNode("menu", box, style=ViewStyle(fill="surface", radius=12), children=rows), back)


def _after_closing(tap: Action) -> Action:
    def action(state: PhoneState) -> None:
        close(state)
        tap(state)

    return action


def _over(card: ViewNode, back: Action) -> ViewNode:
    style = ViewStyle(fill="scrim")
    return ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), style=style, children=[card], back=back)
