"""Messages: the list of conversations, one conversation."""

from urllib.parse import parse_qs, unquote

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.state.intents import Intent
from android_bridge.virtual.state.people import PHONE_TYPE, Message
from android_bridge.virtual.state.well_known import MESSAGING_APP
from android_bridge.virtual.ui import fonts
from android_bridge.virtual.ui.page import MARGIN, WIDTH, Page, center_note, choose
from android_bridge.virtual.ui.theme import color_of
from android_bridge.virtual.ui.tree import Action, Box, Look, Node
from android_bridge.virtual.ui.words import ago, word

_BUBBLE_SIZE = 42
_BUBBLE_WIDTH = 760


def conversations(state: PhoneState, activity: Activity) -> Node:
    """One row per conversation, the latest first."""
    page = Page(state, activity)
    page.bar(word(state, "messages"), back=False)
    latest: dict[int, Message] = {}
    for message in state.messages.stored:
        latest[message.thread] = message
    for message in sorted(latest.values(), key=lambda message: -message.date):
        name = state.contacts.name_of(message.address) or message.address
        page.row(
            name, message.body.replace("\n", " "), initial=name[:1].upper(), color=color_of(name),
            trailing=ago(state, message.date), bold=not message.read and message.kind == 1, tap=_open(message.address),
        )  # fmt: skip
    if not latest:
        center_note(page, word(state, "messages_empty"))
    page.floating("plus", word(state, "compose"), _open(""))
    return page.finish()


def _open(number: str) -> Action:
    def action(state: PhoneState) -> None:
        uri = f"sms:{number}"
        state.apps.start(Intent(action="android.intent.action.VIEW", data=uri, package=MESSAGING_APP))
        if number:
            state.messages.mark_read(number)

    return action


def recipient(activity: Activity) -> str:
    """The number that the conversation was opened for, from ``smsto:NUMBER?body=…``."""
    return unquote(activity.intent.data.partition(":")[2].partition("?")[0]).removeprefix("//")


def draft(activity: Activity) -> str:
    """The text in the compose field: typed, or given by the intent."""
    query = parse_qs(activity.intent.data.partition("?")[2])
    given = activity.intent.extras.get("sms_body") or activity.intent.extras.get("android.intent.extra.TEXT")
    return activity.fields.get("compose_message_text", str(given or (query.get("body") or [""])[0]))


def conversation(state: PhoneState, activity: Activity) -> Node:
    """Bubbles, the compose field and Send."""
    page = Page(state, activity)
    number = activity.fields.get("recipient", recipient(activity))
    name = state.contacts.name_of(number)
    page.bar(name or number or word(state, "new_conversation"), subtitle=number if name else "")
    if not recipient(activity):
        page.field("recipient", word(state, "to"))
        if not name and not state.messages.conversation(number):
            _suggestions(page, number)
    page.gap(30)
    for message in state.messages.conversation(number) if number else []:
        _bubble(page, message)
    _compose(page, number, draft(activity))
    return page.finish(at_end=True)


def _suggestions(page: Page, typed: str) -> None:
    """The people whose name or number has what was typed."""
    for person in page.state.contacts.raw:
        number = person.first(PHONE_TYPE)
        if number and typed.casefold() in f"{person.name} {number}".casefold():
            page.row(person.name, number, initial=person.name[:1].upper(), color=color_of(person.name),
                     tap=choose("recipient", number), resource="suggestion")  # fmt: skip


def _bubble(page: Page, message: Message) -> None:
    own = message.kind == 2
    lines = fonts.wrap(message.body, _BUBBLE_SIZE, _BUBBLE_WIDTH)
    width = max(fonts.width(line, _BUBBLE_SIZE) for line in lines) + 84
    height = round(len(lines) * _BUBBLE_SIZE * 1.32) + 48
    left = WIDTH - MARGIN - width if own else MARGIN
    fill, ink = ("own_bubble", "#ffffff") if own else ("bubble", "ink")
    box = Box(left, page.y, left + width, page.y + height)
    page.put(
        Node("text", box, text=message.body, resource="message_text",
             look=Look(fill=fill, ink=ink, radius=48, size=_BUBBLE_SIZE))
    )  # fmt: skip
    stamp = Box(MARGIN, page.y + height + 6, WIDTH - MARGIN, page.y + height + 54)
    look = Look(size=30, ink="faint", align="right" if own else "left")
    page.put(Node("text", stamp, text=ago(page.state, message.date), look=look))
    page.y += height + 78


def _compose(page: Page, number: str, text: str) -> None:
    lines = min(6, len(fonts.wrap(text, 42, 700))) if text else 1
    strip = page.footer(120 + round(lines * 42 * 1.32))
    focused = page.activity.focus == "compose_message_text"
    field = Box(MARGIN - 12, strip.top + 24, WIDTH - 210, strip.bottom - 24)
    page.fix(
        Node("field", field, text=text, hint=word(page.state, "text_message"), resource="compose_message_text",
             look=Look(fill="surface", radius=54, size=42), focused=focused,
             tap=lambda state: state.apps.focus("compose_message_text", text))
    )  # fmt: skip
    button = Box(WIDTH - 180, strip.bottom - 150, WIDTH - 42, strip.bottom - 12)
    ready = bool(text and number)
    look = Look(fill="primary" if ready else "surface", ink="on_primary" if ready else "faint", radius=69, glyph="send")
    look.size = 66
    page.fix(
        Node("button", button, description=word(page.state, "send"), resource="send_message_button", look=look,
             enabled=ready, tap=lambda state: send(state, number, text))
    )  # fmt: skip


def send(state: PhoneState, number: str, text: str) -> None:
    """The person taps Send."""
    state.messages.send(number, text)
    activity = state.apps.foreground
    if activity.intent.extras.get("exit_on_sent"):
        state.apps.back()
        return
    activity.fields = {**activity.fields, "compose_message_text": ""}
    activity.focus = ""
