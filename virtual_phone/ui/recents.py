"""The app switcher."""

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import Task
from virtual_phone.state.well_known import LAUNCHER_APP
from virtual_phone.ui.page import HEIGHT, MARGIN, WIDTH
from virtual_phone.ui.tree import Box, ScreenWindow, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_SHOWN = 5
_TOP, _STEP, _CARD = 220, 370, 340


def recents(state: PhoneState) -> ScreenWindow:
    """One card per recent app: a tap opens it, the cross closes it."""
    root = ViewNode("frame", Box(0, 0, WIDTH, HEIGHT), resource="overview_panel", style=ViewStyle(fill="surface"))
    # A tap beside the cards goes home.
    root.tap = lambda state: state.apps.home()
    tasks = state.apps.recent()
    for number, task in enumerate(tasks[:_SHOWN]):
        root.children.append(_card(state, task, _TOP + number * _STEP))
    style = ViewStyle(size=42, ink="faint", align="center")
    if tasks:
        style = ViewStyle(fill="card", ink="primary", radius=55, size=39, align="center", bold=True)
        box = Box(WIDTH // 2 - 180, HEIGHT - 240, WIDTH // 2 + 180, HEIGHT - 130)
        text = word(state, "clear_all")
        root.children.append(ViewNode("button", box, text=text, resource="clear_all", style=style, tap=_clear))
    else:
        box = Box(MARGIN, 1000, WIDTH - MARGIN, 1080)
        root.children.append(ViewNode("text", box, text=word(state, "no_recents"), style=style))
    return ScreenWindow(LAUNCHER_APP, root, "RecentsActivity")


def _card(state: PhoneState, task: Task, top: int) -> ViewNode:
    app, name = state.apps.find(task.affinity), state.apps.label(task.affinity)
    box = Box(MARGIN + 36, top, WIDTH - MARGIN - 36, top + _CARD)
    card = ViewNode(
        "group",
        box,
        resource="task",
        description=name,
        style=ViewStyle(fill="card", radius=60),
        tap=lambda state: state.apps.resume(task),
    )
    color, glyph = (app.color, app.glyph or "app") if app else ("accent", "app")
    icon = Box(box.left + 48, top + 78, box.left + 232, top + 262)
    cross = Box(box.right - 150, top + 110, box.right - 30, top + 230)
    card.children = [
        ViewNode("icon", icon, style=ViewStyle(fill=color, ink="#ffffff", radius=92, glyph=glyph, size=102)),
        ViewNode("text", Box(icon.right + 42, top + 78, cross.left, top + 262), text=name, style=ViewStyle(size=54)),
        ViewNode(
            "icon",
            cross,
            description=f"{word(state, 'dismiss')} {name}",
            style=ViewStyle(glyph="close", size=60, ink="faint"),
            tap=lambda state: state.apps.dismiss(task),
        ),
    ]
    return card


def _clear(state: PhoneState) -> None:
    for task in state.apps.recent():
        state.apps.dismiss(task)
    state.show_panel("")
