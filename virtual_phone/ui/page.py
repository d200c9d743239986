"""Lays out an app screen from top to bottom: bars, rows, fields, buttons, one call each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.ui.tree import Action, Box, Kind, ViewNode, ViewStyle
from virtual_phone.ui.words import word

WIDTH, HEIGHT = 1080, 2400
STATUS_BAR = 118
NAVIGATION_BAR = 62
KEYBOARD = 740
"""Height of the keyboard in pixels."""
_OWN_KEYS = ("digits",)
"""Fields of apps with their own keys."""
MARGIN = 54
_LINE = 1.32
_TABS = 186
"""Height of the bottom navigation in pixels."""


def keyboard_height(activity: RunningActivity) -> int:
    """Height of the keyboard over this activity in pixels; 0 when it is not shown."""
    return KEYBOARD if activity.focus and activity.focus not in _OWN_KEYS else 0


class Tool(NamedTuple):
    """An icon of the app bar, or a tab at the bottom: glyph, description, action of a tap."""

    glyph: str
    label: str
    tap: Action


class ScreenPage:
    """One app screen being built; the cursor ``y`` moves down with each piece."""

    def __init__(self, state: PhoneState, activity: RunningActivity) -> None:
        self.state, self.activity = state, activity
        self.y = STATUS_BAR
        self._bottom = HEIGHT - NAVIGATION_BAR - keyboard_height(activity)
        self.footer_top = self._bottom
        self._fixed: list[ViewNode] = []
        self._list: list[ViewNode] = []
        self._list_top = STATUS_BAR

    def word(self, identifier: str) -> str:
        """A word in the phone's language, or as the app has it."""
        app = self.state.apps.find(self.activity.package)
        return (app.words if app else {}).get(identifier) or word(self.state, identifier)

    # --- fixed pieces -----------------------------------------------------------------------------------------
    def bar(self, title: str, *, back: bool = True, subtitle: str = "", tools: Sequence[Tool] = ()) -> None:
        """The app bar with icons at its end; rows come below it."""
        top, left = STATUS_BAR, MARGIN
        if back:
            arrow = Box(18, top + 12, 138, top + 132)
            style = ViewStyle(glyph="back", size=66, ink="ink")
            self._fixed.append(ViewNode("icon", arrow, description="Navigate up", style=style, tap=_back))
            left = 162
        height = 144 if not subtitle else 168
        right = WIDTH - MARGIN - 120 * len(tools)
        self._fixed.append(
            ViewNode(
                "text",
                Box(left, top, right, top + (144 if not subtitle else 104)),
                text=title,
                resource="title",
                style=ViewStyle(size=57, bold=True),
            )
        )
        for number, tool in enumerate(tools):
            box = Box(WIDTH - 18 - 120 * (len(tools) - number), top + 12, WIDTH - 18 - 120 * (len(tools) - number - 1),
                      top + 132)  # fmt: skip
            style = ViewStyle(glyph=tool.glyph, size=66)
            self._fixed.append(ViewNode("icon", box, description=tool.label, style=style, tap=tool.tap))
        if subtitle:
            box = Box(left, top + 100, right, top + 156)
            self._fixed.append(ViewNode("text", box, text=subtitle, style=ViewStyle(size=36, ink="faint")))
        self.y = self._list_top = top + height

    def footer(self, height: int) -> Box:
        """Reserve a strip above the navigation bar, or the keyboard, for fixed nodes (see ``fix``)."""
        self.footer_top = self._bottom - height
        return Box(0, self.footer_top, WIDTH, self._bottom)

    def tabs(self, names: Mapping[str, str], labels: Sequence[str], first: str = "") -> str:
        """Bottom navigation: tab → glyph, and what each is called; the tab that is chosen (``first`` to begin with)."""
        strip = self.footer(_TABS)
        chosen = self.activity.fields.get("tab", first or next(iter(names)))
        self._fixed.append(ViewNode("group", Box(0, strip.top, WIDTH, HEIGHT), style=ViewStyle(fill="surface")))
        width = WIDTH // len(names)
        for number, (name, label) in enumerate(zip(names, labels, strict=True)):
            box = Box(number * width, strip.top, (number + 1) * width, strip.bottom)
            middle, on = box.center[0], name == chosen
            pill = Box(middle - 84, strip.top + 24, middle + 84, strip.top + 108)
            style = ViewStyle(
                fill="accent" if on else "", ink="on_accent" if on else "faint", radius=42, glyph=names[name]
            )
            style.size = 63
            text = ViewStyle(size=33, ink="ink" if on else "faint", align="center", bold=on)
            tab = ViewNode("group", box, resource="tab", description=label, selected=on, tap=choose("tab", name))
            tab.children = [
                ViewNode("icon", pill, style=style),
                ViewNode("text", Box(box.left, strip.top + 114, box.right, strip.top + 168), text=label, style=text),
            ]
            self._fixed.append(tab)
        return chosen

    def search_bar(
        self, name: str, hint: str, value: str = "", *, right: int = WIDTH - MARGIN + 18, style: ViewStyle | None = None
    ) -> str:
        """A search field in place of the bar; returns its text, ``value`` at first."""
        shown = self.activity.fields.get(name, value)
        box = Box(MARGIN - 18, STATUS_BAR + 18, right, STATUS_BAR + 138)
        style = style or ViewStyle(fill="surface", radius=60, size=42, glyph="search")
        self.header(
            ViewNode(
                "field",
                box,
                text=shown,
                hint=hint,
                resource=name,
                style=style,
                focused=self.activity.focus == name,
                tap=lambda state: state.apps.focus(name, value),
            )
        )
        return shown

    def header(self, node: ViewNode) -> ViewNode:
        """A custom node in place of the bar; rows come below it."""
        self.y = self._list_top = node.box.bottom + 30
        return self.fix(node)

    def fix(self, node: ViewNode) -> ViewNode:
        """A node that does not scroll."""
        self._fixed.append(node)
        return node

    # --- scrolling pieces -------------------------------------------------------------------------------------
    def put(self, node: ViewNode) -> ViewNode:
        """A node of the scrolling content at its own box."""
        self._list.append(node)
        return node

    def gap(self, pixels: int) -> None:
        """Empty space."""
        self.y += pixels

    def heading(self, text: str) -> None:
        """A section's title."""
        box = Box(MARGIN, self.y + 24, WIDTH - MARGIN, self.y + 90)
        self.put(ViewNode("text", box, text=text, style=ViewStyle(size=36, ink="primary", bold=True)))
        self.y += 96

    def text(self, text: str, *, size: int = 42, ink: str = "ink", bold: bool = False, resource: str = "") -> ViewNode:
        """A paragraph as high as it needs."""
        lines = fonts.wrap(text, size, WIDTH - 2 * MARGIN)
        height = round(len(lines) * size * _LINE)
        box = Box(MARGIN, self.y, WIDTH - MARGIN, self.y + height)
        self.y += height + 18
        return self.put(
            ViewNode("text", box, text=text, resource=resource, style=ViewStyle(size=size, ink=ink, bold=bold))
        )

    def row(
        self,
        title: str,
        subtitle: str = "",
        *,
        glyph: str = "",
        color: str = "accent",
        initial: str = "",
        trailing: str = "",
        tools: Sequence[Tool] = (),
        room: int = 0,
        switch: bool | None = None,
        flip: Action | None = None,
        tap: Action | None = None,
        resource: str = "",
        bold: bool = False,
    ) -> ViewNode:
        """A list row: a round icon, one or two lines; a short text, a switch, icons or ``room`` pixels at the end.

        ``flip`` is what the switch does, when that is not what a tap on the row does.
        """
        height = 204 if subtitle else 156
        row = ViewNode("group", Box(0, self.y, WIDTH, self.y + height), resource=resource, tap=tap)
        left = MARGIN
        if glyph or initial:
            self._avatar(row, glyph, initial, color, height)
            left += 150
        right = (
            WIDTH
            - MARGIN
            - max(room, 180 if switch is not None else 0, fonts.width(trailing, 36) + 24 if trailing else 0)
        )
        self._row_texts(row, (title, subtitle), (left, right), bold=bold)
        self._row_end(row, trailing, switch, height, flip or tap)
        for number, tool in enumerate(reversed(tools)):
            middle = (row.box.top + row.box.bottom) // 2
            box = Box(WIDTH - 30 - 120 * (number + 1), middle - 60, WIDTH - 30 - 120 * number, middle + 60)
            style = ViewStyle(glyph=tool.glyph, size=63, ink="faint")
            row.children.append(ViewNode("icon", box, description=tool.label, style=style, tap=tool.tap))
        self.y += height
        return self.put(row)

    def _avatar(self, row: ViewNode, glyph: str, initial: str, color: str, height: int) -> None:
        top = row.box.top + (height - 108) // 2
        ink = "on_accent" if color == "accent" else "#ffffff"
        style = ViewStyle(fill=color, ink=ink, radius=54, glyph=glyph, size=57 if glyph else 50, align="center")
        kind: Kind = "icon" if glyph else "text"
        box = Box(MARGIN, top, MARGIN + 108, top + 108)
        row.children.append(ViewNode(kind, box, text="" if glyph else initial, style=style))

    def _row_texts(self, row: ViewNode, texts: tuple[str, str], sides: tuple[int, int], *, bold: bool) -> None:
        top, (title, subtitle), (left, right) = row.box.top, texts, sides
        first = Box(left, top + 30, right, top + 102) if subtitle else Box(left, top, right, row.box.bottom)
        style = ViewStyle(size=45, bold=bold)
        row.children.append(ViewNode("text", first, text=title, resource="title", style=style))
        if subtitle:
            box = Box(left, top + 102, right, top + 174)
            style = ViewStyle(size=38, ink="faint", bold=bold)
            row.children.append(ViewNode("text", box, text=subtitle, resource="summary", style=style))

    def _row_end(self, row: ViewNode, trailing: str, switch: bool | None, height: int, tap: Action | None) -> None:
        top, right = row.box.top, WIDTH - MARGIN
        if trailing:
            middle = top + (66 if height > 156 else height // 2)
            box = Box(right - fonts.width(trailing, 36) - 6, middle - 36, right, middle + 36)
            row.children.append(
                ViewNode("text", box, text=trailing, style=ViewStyle(size=36, ink="faint", align="right"))
            )
        if switch is not None:
            box = Box(right - 138, top + (height - 84) // 2, right, top + (height + 84) // 2)
            row.children.append(ViewNode("switch", box, resource="switch_widget", checked=switch, tap=tap))

    def slider(self, title: str, glyph: str, share: float, less: Tool, more: Tool) -> None:
        """A slider (``share``: 0 to 1) with a button at each end."""
        row = self.row(title, " ", glyph=glyph, tools=[less, more], resource="slider")
        row.children = [node for node in row.children if node.resource != "summary"]
        left, right, y = MARGIN + 150, WIDTH - 300, row.box.top + 138
        knob = left + round((right - left) * max(0.0, min(1.0, share)))
        row.children += [
            ViewNode("icon", Box(left, y - 6, right, y + 6), style=ViewStyle(fill="line", radius=6)),
            ViewNode("icon", Box(left, y - 6, max(left + 12, knob), y + 6), style=ViewStyle(fill="primary", radius=6)),
            ViewNode("icon", Box(knob - 21, y - 21, knob + 21, y + 21), style=ViewStyle(fill="primary", radius=21)),
        ]

    def field(self, name: str, label: str, value: str = "", *, lines: int = 1, password: bool = False) -> ViewNode:
        """A text field; its text is kept in the activity's ``fields`` under ``name``."""
        self.y += 18  # the label is on the upper edge
        shown = self.activity.fields.get(name, value)
        height = 60 + round(lines * 45 * _LINE) + 42
        box = Box(MARGIN, self.y, WIDTH - MARGIN, self.y + height)
        focused = self.activity.focus == name
        style = ViewStyle(size=45, radius=18, border="primary" if focused else "line", top=lines > 1)
        self.y += height + 18
        return self.put(
            ViewNode(
                "field",
                box,
                text=shown,
                hint=label,
                resource=name,
                style=style,
                focused=focused,
                password=password,
                tap=lambda state: state.apps.focus(name, value),
            )
        )

    def button(
        self, label: str, tap: Action, *, filled: bool = True, resource: str = "", danger: bool = False
    ) -> ViewNode:
        """A wide button."""
        box = Box(MARGIN, self.y + 12, WIDTH - MARGIN, self.y + 132)
        ink = "danger" if danger else "on_primary" if filled else "primary"
        style = ViewStyle(
            fill="primary" if filled else "surface", ink=ink, radius=60, size=42, bold=True, align="center"
        )
        self.y += 156
        return self.put(ViewNode("button", box, text=label, resource=resource, style=style, tap=tap))

    def floating(self, glyph: str, description: str, tap: Action) -> None:
        """The round button at the lower right."""
        bottom = self.footer_top - 54
        box = Box(WIDTH - MARGIN - 168, bottom - 168, WIDTH - MARGIN, bottom)
        style = ViewStyle(fill="accent", ink="on_accent", radius=48, glyph=glyph, size=72)
        self._fixed.append(ViewNode("button", box, description=description, style=style, tap=tap))

    # --- the result -------------------------------------------------------------------------------------------
    def finish(self, *, at_end: bool = False, resource: str = "list") -> ViewNode:
        """The window's tree; the content is scrolled by the activity's ``scroll``, at most to its end.

        ``resource`` is the id of the list that scrolls.
        """
        view = Box(0, self._list_top, WIDTH, self.footer_top)
        overflow = max(0, self.y + 60 - self.footer_top)
        scroll = overflow if at_end else min(self.activity.scroll, overflow)
        content = [node.moved(-scroll) for node in self._list]
        shown = [node for node in content if node.box.clipped(view).height > 0]
        listing = ViewNode("list", view, resource=resource, scroll_range=overflow, children=shown)
        root = Box(0, 0, WIDTH, HEIGHT)
        return ViewNode("frame", root, style=ViewStyle(fill="background"), children=[listing, *self._fixed])


def go(name: str, **extras: str) -> Action:
    """A tap that opens another screen of the same app: its activity ``name`` with these extras."""

    def action(state: PhoneState) -> None:
        component = f"{state.apps.foreground.package}/{name}"
        state.apps.start(Intent(component=component, extras=dict(extras)))

    return action


def number_of(activity: RunningActivity, extra: str) -> int:
    """The id in the intent's ``extra``; 0, which no row has, when it is missing."""
    text = str(activity.intent.extras.get(extra, ""))
    return int(text) if text.isascii() and text.isdecimal() else 0


def choose(field: str, value: str) -> Action:
    """A tap that stores a choice of the screen: a tab, a day, a quantity."""

    def action(state: PhoneState) -> None:
        state.apps.set_field(field, value)
        state.apps.foreground.scroll = 0

    return action


def _back(state: PhoneState) -> None:
    state.apps.back()


def center_note(page: ScreenPage, text: str) -> None:
    """A grey line in the middle of an empty screen."""
    box = Box(MARGIN, 1000, WIDTH - MARGIN, 1080)
    page.put(ViewNode("text", box, text=text, style=ViewStyle(size=42, ink="faint", align="center")))
