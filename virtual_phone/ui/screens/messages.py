"""Messages: the list of conversations, one conversation."""

from urllib.parse import parse_qs, unquote

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.people import PHONE_TYPE, StoredMessage
from virtual_phone.state.well_known import MESSAGING_APP
from virtual_phone.ui.bubbles import COMPOSE, bubble, clear, composer
from virtual_phone.ui.page import ScreenPage, center_note, choose
from virtual_phone.ui.theme import color_of
from virtual_phone.ui.tree import Action, ViewNode
from virtual_phone.ui.words import ago, word


def conversations(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One row per conversation, the latest first."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "messages"), back=False)
    latest: dict[int, StoredMessage] = {}
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


def recipient(activity: RunningActivity) -> str:
    """The number that the conversation was opened for, from ``smsto:NUMBER?body=…``."""
    return unquote(activity.intent.data.partition(":")[2].partition("?")[0]).removeprefix("//")


def draft(activity: RunningActivity) -> str:
    """The text in the compose field: typed, or given by the intent."""
    query = parse_qs(activity.intent.data.partition("?")[2])
    given = activity.intent.extras.get("sms_body") or activity.intent.extras.get("android.intent.extra.TEXT")
    return activity.fields.get(COMPOSE, str(given or (query.get("body") or [""])[0]))


def conversation(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Bubbles, the compose field and Send."""
    page = ScreenPage(state, activity)
    number = activity.fields.get("recipient", recipient(activity))
    name = state.contacts.name_of(number)
    page.bar(name or number or word(state, "new_conversation"), subtitle=number if name else "")
    if not recipient(activity):
        page.field("recipient", word(state, "to"))
        if not name and not state.messages.conversation(number):
            _suggestions(page, number)
    page.gap(30)
    for message in state.messages.conversation(number) if number else []:
        bubble(page, message.body, message.date, own=message.kind == 2)
    text = draft(activity)
    ready = bool(text and number)
    composer(page, text, lambda state: send(state, number, text), hint="text_message", ready=ready)
    return page.finish(at_end=True)


def _suggestions(page: ScreenPage, typed: str) -> None:
    """The contacts whose name or number contains the typed text."""
    for person in page.state.contacts.raw:
        number = person.first(PHONE_TYPE)
        if number and typed.casefold() in f"{person.name} {number}".casefold():
            page.row(person.name, number, initial=person.name[:1].upper(), color=color_of(person.name),
                     tap=choose("recipient", number), resource="suggestion")  # fmt: skip


def send(state: PhoneState, number: str, text: str) -> None:
    """Send the message."""
    state.messages.send(number, text)
    activity = state.apps.foreground
    app = state.apps.find(activity.package)
    if activity.intent.extras.get("exit_on_sent") and "exit_on_sent" not in (app.ignores if app else ()):
        state.apps.back()
    else:
        clear(state)
