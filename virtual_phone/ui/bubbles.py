"""Speech bubbles and the compose strip of the messengers."""

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.ui.page import MARGIN, WIDTH, ScreenPage
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import ago, word

COMPOSE = "compose_message_text"
_SIZE, _WIDTH, _LINE = 42, 760, 1.32


def bubble(page: ScreenPage, text: str, date: int, *, own: bool) -> None:
    """One message with its time: the owner's at the right."""
    lines = fonts.wrap(text, _SIZE, _WIDTH)
    width = max(fonts.width(line, _SIZE) for line in lines) + 84
    height = round(len(lines) * _SIZE * _LINE) + 48
    left = WIDTH - MARGIN - width if own else MARGIN
    fill, ink = ("own_bubble", "#ffffff") if own else ("bubble", "ink")
    box = Box(left, page.y, left + width, page.y + height)
    style = ViewStyle(fill=fill, ink=ink, radius=48, size=_SIZE)
    page.put(ViewNode("text", box, text=text, resource="message_text", style=style))
    stamp = Box(MARGIN, page.y + height + 6, WIDTH - MARGIN, page.y + height + 54)
    style = ViewStyle(size=30, ink="faint", align="right" if own else "left")
    page.put(ViewNode("text", stamp, text=ago(page.state, date), style=style))
    page.y += height + 78


def composer(page: ScreenPage, text: str, send: Action, *, hint: str, ready: bool) -> None:
    """The compose field (``hint``: the word in it) and Send, which does nothing until ``ready``."""
    lines = min(6, len(fonts.wrap(text, _SIZE, 700))) if text else 1
    strip = page.footer(120 + round(lines * _SIZE * _LINE))
    field = Box(MARGIN - 12, strip.top + 24, WIDTH - 210, strip.bottom - 24)
    page.fix(
        ViewNode(
            "field",
            field,
            text=text,
            hint=word(page.state, hint),
            resource=COMPOSE,
            style=ViewStyle(fill="surface", radius=54, size=_SIZE),
            focused=page.activity.focus == COMPOSE,
            tap=lambda state: state.apps.focus(COMPOSE, text),
        )
    )
    button = Box(WIDTH - 180, strip.bottom - 150, WIDTH - 42, strip.bottom - 12)
    style = ViewStyle(
        fill="primary" if ready else "surface", ink="on_primary" if ready else "faint", radius=69, glyph="send"
    )
    style.size = 66
    page.fix(
        ViewNode(
            "button",
            button,
            description=page.word("send"),
            resource="send_message_button",
            style=style,
            enabled=ready,
            tap=send,
        )
    )


def clear(state: PhoneState) -> None:
    """Clear the compose field after sending."""
    activity = state.apps.foreground
    activity.fields = {**activity.fields, COMPOSE: ""}
    activity.focus = ""
