"""Dialogs and sheets, shown over a dimmed app."""

from collections.abc import Sequence
from typing import NamedTuple

from virtual_phone import fonts
from virtual_phone.ui.page import HEIGHT, NAVIGATION_BAR, WIDTH
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle

_SIDE, _PAD, _LINE = 90, 66, 1.32
_BUTTON = 132
DIALOGS = ("chooser", "permission", "uninstall", "usb_debugging")
"""The screens that are drawn over the activity before them."""


class DialogButton(NamedTuple):
    """A button: label, action of a tap, resource id."""

    label: str
    tap: Action
    resource: str


class SheetRow(NamedTuple):
    """A row of a sheet: icon, its colour, label, action of a tap."""

    glyph: str
    color: str
    label: str
    tap: Action


def dialog(title: str, text: str, choices: Sequence[DialogButton], *, glyph: str = "") -> ViewNode:
    """A card in the middle: a question with its buttons, one below the other."""
    inside = WIDTH - 2 * _SIDE - 2 * _PAD
    heights = [_height(title, 54, inside), _height(text, 42, inside)]
    icon = 120 if glyph else 0
    total = _PAD + icon + heights[0] + (24 + heights[1] if text else 0) + 42 + len(choices) * _BUTTON + 36
    top = (HEIGHT - total) // 2
    card = ViewNode(
        "group",
        Box(_SIDE, top, WIDTH - _SIDE, top + total),
        resource="parentPanel",
        style=ViewStyle(fill="surface", radius=84),
    )
    left, right, y = _SIDE + _PAD, WIDTH - _SIDE - _PAD, top + _PAD
    if glyph:
        box = Box(WIDTH // 2 - 42, y, WIDTH // 2 + 42, y + 84)
        card.children.append(ViewNode("icon", box, style=ViewStyle(glyph=glyph, size=84, ink="primary")))
        y += icon
    align = ViewStyle(size=54, align="center" if glyph else "left")
    card.children.append(
        ViewNode("text", Box(left, y, right, y + heights[0]), text=title, resource="alertTitle", style=align)
    )
    y += heights[0] + 24
    if text:
        style = ViewStyle(size=42, ink="faint")
        card.children.append(
            ViewNode("text", Box(left, y, right, y + heights[1]), text=text, resource="message", style=style)
        )
        y += heights[1]
    y += 18
    for choice in choices:
        box = Box(left - 24, y + 6, right + 24, y + _BUTTON - 6)
        style = ViewStyle(fill="accent", ink="on_accent", radius=60, size=42, bold=True, align="center")
        card.children.append(
            ViewNode("button", box, text=choice.label, resource=choice.resource, style=style, tap=choice.tap)
        )
        y += _BUTTON
    return ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), children=[card])


def _height(text: str, size: int, width: int) -> int:
    return round(len(fonts.wrap(text, size, width)) * size * _LINE)


def sheet(title: str, answers: Sequence[SheetRow], *, away: Action) -> ViewNode:
    """A sheet from the bottom: a title and rows; a tap above it closes it."""
    row = 156
    height = 210 + row * len(answers) + NAVIGATION_BAR + 30
    top = max(240, HEIGHT - height)
    panel = ViewNode(
        "group", Box(0, top, WIDTH, HEIGHT + 60), resource="contentPanel", style=ViewStyle(fill="surface", radius=84)
    )
    handle = Box(WIDTH // 2 - 54, top + 30, WIDTH // 2 + 54, top + 40)
    panel.children = [
        ViewNode("icon", handle, style=ViewStyle(fill="line", radius=5)),
        ViewNode(
            "text", Box(_PAD, top + 72, WIDTH - _PAD, top + 168), text=title, resource="title", style=ViewStyle(size=54)
        ),
    ]
    for number, answer in enumerate(answers):
        y = top + 192 + number * row
        line = ViewNode("group", Box(0, y, WIDTH, y + row), description=answer.label, tap=answer.tap)
        style = ViewStyle(fill=answer.color, ink="#ffffff", radius=54, glyph=answer.glyph, size=57)
        line.children = [
            ViewNode("icon", Box(_PAD, y + 24, _PAD + 108, y + 132), style=style),
            ViewNode("text", Box(_PAD + 150, y, WIDTH - _PAD, y + row), text=answer.label, style=ViewStyle(size=45)),
        ]
        panel.children.append(line)
    outside = ViewNode("frame", Box(0, 0, WIDTH, top), resource="touch_outside", tap=away)
    return ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), children=[outside, panel])
