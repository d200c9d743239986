"""Dialogs and sheets: what lies over an app that is dimmed behind it."""

from collections.abc import Sequence
from typing import NamedTuple

from virtual_phone.ui import fonts
from virtual_phone.ui.page import HEIGHT, NAVIGATION_BAR, WIDTH
from virtual_phone.ui.tree import Action, Box, Look, Node

_SIDE, _PAD, _LINE = 90, 66, 1.32
_BUTTON = 132
DIALOGS = ("chooser", "permission", "uninstall")
"""The screens that are drawn over the activity before them."""


class Choice(NamedTuple):
    """A button: what it says, what it does, its resource id."""

    label: str
    tap: Action
    resource: str


class Answer(NamedTuple):
    """A row of a sheet: an icon in its colour, what it says, what a tap does."""

    glyph: str
    color: str
    label: str
    tap: Action


def dialog(title: str, text: str, choices: Sequence[Choice], *, glyph: str = "") -> Node:
    """A card in the middle: a question and its answers, one below the other."""
    inside = WIDTH - 2 * _SIDE - 2 * _PAD
    heights = [_height(title, 54, inside), _height(text, 42, inside)]
    icon = 120 if glyph else 0
    total = _PAD + icon + heights[0] + (24 + heights[1] if text else 0) + 42 + len(choices) * _BUTTON + 36
    top = (HEIGHT - total) // 2
    card = Node("group", Box(_SIDE, top, WIDTH - _SIDE, top + total), resource="parentPanel",
                look=Look(fill="surface", radius=84))  # fmt: skip
    left, right, y = _SIDE + _PAD, WIDTH - _SIDE - _PAD, top + _PAD
    if glyph:
        box = Box(WIDTH // 2 - 42, y, WIDTH // 2 + 42, y + 84)
        card.children.append(Node("icon", box, look=Look(glyph=glyph, size=84, ink="primary")))
        y += icon
    align = Look(size=54, align="center" if glyph else "left")
    card.children.append(Node("text", Box(left, y, right, y + heights[0]), text=title, resource="alertTitle",
                              look=align))  # fmt: skip
    y += heights[0] + 24
    if text:
        look = Look(size=42, ink="faint")
        card.children.append(
            Node("text", Box(left, y, right, y + heights[1]), text=text, resource="message", look=look)
        )
        y += heights[1]
    y += 18
    for choice in choices:
        box = Box(left - 24, y + 6, right + 24, y + _BUTTON - 6)
        look = Look(fill="accent", ink="on_accent", radius=60, size=42, bold=True, align="center")
        card.children.append(Node("button", box, text=choice.label, resource=choice.resource, look=look,
                                  tap=choice.tap))  # fmt: skip
        y += _BUTTON
    return Node("frame", Box(0, 0, WIDTH, HEIGHT), children=[card])


def _height(text: str, size: int, width: int) -> int:
    return round(len(fonts.wrap(text, size, width)) * size * _LINE)


def sheet(title: str, answers: Sequence[Answer], *, away: Action) -> Node:
    """A sheet from the bottom: a title and rows; a tap above it puts it away."""
    row = 156
    height = 210 + row * len(answers) + NAVIGATION_BAR + 30
    top = max(240, HEIGHT - height)
    panel = Node(
        "group", Box(0, top, WIDTH, HEIGHT + 60), resource="contentPanel", look=Look(fill="surface", radius=84)
    )
    handle = Box(WIDTH // 2 - 54, top + 30, WIDTH // 2 + 54, top + 40)
    panel.children = [
        Node("icon", handle, look=Look(fill="line", radius=5)),
        Node("text", Box(_PAD, top + 72, WIDTH - _PAD, top + 168), text=title, resource="title", look=Look(size=54)),
    ]
    for number, answer in enumerate(answers):
        y = top + 192 + number * row
        line = Node("group", Box(0, y, WIDTH, y + row), description=answer.label, tap=answer.tap)
        look = Look(fill=answer.color, ink="#ffffff", radius=54, glyph=answer.glyph, size=57)
        line.children = [
            Node("icon", Box(_PAD, y + 24, _PAD + 108, y + 132), look=look),
            Node("text", Box(_PAD + 150, y, WIDTH - _PAD, y + row), text=answer.label, look=Look(size=45)),
        ]
        panel.children.append(line)
    outside = Node("frame", Box(0, 0, WIDTH, top), resource="touch_outside", tap=away)
    return Node("frame", Box(0, 0, WIDTH, HEIGHT), children=[outside, panel])
