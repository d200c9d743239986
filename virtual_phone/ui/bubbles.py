"""Speech bubbles and the strip in which one writes: what every messenger looks like."""

from virtual_phone.state import PhoneState
from virtual_phone.ui import fonts
from virtual_phone.ui.page import MARGIN, WIDTH, Page
from virtual_phone.ui.tree import Action, Box, Look, Node
from virtual_phone.ui.words import ago, word

COMPOSE = "compose_message_text"
_SIZE, _WIDTH, _LINE = 42, 760, 1.32


def bubble(page: Page, text: str, date: int, *, own: bool) -> None:
    """One message with its time: the owner's at the right."""
    lines = fonts.wrap(text, _SIZE, _WIDTH)
    width = max(fonts.width(line, _SIZE) for line in lines) + 84
    height = round(len(lines) * _SIZE * _LINE) + 48
    left = WIDTH - MARGIN - width if own else MARGIN
    fill, ink = ("own_bubble", "#ffffff") if own else ("bubble", "ink")
    box = Box(left, page.y, left + width, page.y + height)
    look = Look(fill=fill, ink=ink, radius=48, size=_SIZE)
    page.put(Node("text", box, text=text, resource="message_text", look=look))
    stamp = Box(MARGIN, page.y + height + 6, WIDTH - MARGIN, page.y + height + 54)
    look = Look(size=30, ink="faint", align="right" if own else "left")
    page.put(Node("text", stamp, text=ago(page.state, date), look=look))
    page.y += height + 78


def composer(page: Page, text: str, send: Action, *, hint: str, ready: bool) -> None:
    """The field for the next message (``hint``: the word in it) and Send, which does nothing until it is ``ready``."""
    lines = min(6, len(fonts.wrap(text, _SIZE, 700))) if text else 1
    strip = page.footer(120 + round(lines * _SIZE * _LINE))
    field = Box(MARGIN - 12, strip.top + 24, WIDTH - 210, strip.bottom - 24)
    page.fix(
        Node("field", field, text=text, hint=word(page.state, hint), resource=COMPOSE,
             look=Look(fill="surface", radius=54, size=_SIZE), focused=page.activity.focus == COMPOSE,
             tap=lambda state: state.apps.focus(COMPOSE, text))
    )  # fmt: skip
    button = Box(WIDTH - 180, strip.bottom - 150, WIDTH - 42, strip.bottom - 12)
    look = Look(fill="primary" if ready else "surface", ink="on_primary" if ready else "faint", radius=69, glyph="send")
    look.size = 66
    page.fix(
        Node("button", button, description=word(page.state, "send"), resource="send_message_button", look=look,
             enabled=ready, tap=send)
    )  # fmt: skip


def clear(state: PhoneState) -> None:
    """What was written is sent: the field is empty again."""
    activity = state.apps.foreground
    activity.fields = {**activity.fields, COMPOSE: ""}
    activity.focus = ""
