"""Chat apps: conversations, one conversation, and the receivers of shared content."""

from urllib.parse import parse_qsl

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import split_uri
from virtual_phone.ui.bubbles import COMPOSE, bubble, clear, composer
from virtual_phone.ui.page import ScreenPage, go
from virtual_phone.ui.screens.generic import show_received
from virtual_phone.ui.theme import color_of
from virtual_phone.ui.tree import Action, ViewNode
from virtual_phone.ui.words import ago, word

_CHAT = ".ChatActivity"
_SHARED = "android.intent.extra.TEXT"


def chats(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Conversations, the latest first, then the other contacts."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=False)
    latest = state.chats.latest(activity.package)
    for message in latest:
        text = message.text.replace("\n", " ")
        _person(page, message.person, text, _open(message.person), trailing=ago(state, message.date))
    page.heading(word(state, "contacts"))
    known = {message.person for message in latest}
    for name in sorted({contact.name for contact in state.contacts.raw} - known, key=str.casefold):
        _person(page, name, "", _open(name))
    return page.finish()


def _person(page: ScreenPage, name: str, text: str, tap: Action, *, trailing: str = "") -> None:
    page.row(name, text, initial=name[:1].upper(), color=color_of(name), trailing=trailing, tap=tap, resource="chat")


def _open(person: str, text: str = "") -> Action:
    def action(state: PhoneState) -> None:
        state.chats.read(state.apps.foreground.package, person)
        go(_CHAT, person=person, text=text)(state)

    return action


def chat(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One conversation; a link names the person by number and may bring a draft."""
    person, given = _addressed(state, activity)
    page = ScreenPage(state, activity)
    if not person:
        page.bar(state.apps.label(activity.package))
        show_received(page)
        return page.finish()
    page.bar(person)
    page.gap(30)
    for message in state.chats.of(activity.package, person):
        bubble(page, message.text, message.date, own=message.own)
    text = activity.fields.get(COMPOSE, given)
    composer(page, text, _send(person, text), hint="message", ready=bool(text))
    return page.finish(at_end=True)


def _addressed(state: PhoneState, activity: RunningActivity) -> tuple[str, str]:
    """The person and the draft, from the app's own screens or from ``https://wa.me/NUMBER?text=…``."""
    extras, data = activity.intent.extras, activity.intent.data
    if "person" in extras:
        return str(extras["person"]), str(extras.get("text", ""))
    query = dict(parse_qsl(data.partition("?")[2]))
    number = query.get("phone") or split_uri(data)[1].strip("/")
    number = number if any(character.isdigit() for character in number) else ""
    return state.contacts.name_of(number) or number, query.get("text", "")


def _send(person: str, text: str) -> Action:
    def send(state: PhoneState) -> None:
        state.chats.send(state.apps.foreground.package, person, text)
        clear(state)

    return send


def chat_picker(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Choose the receiver of shared content."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "send_to"))
    shared = str(activity.intent.extras.get(_SHARED, ""))
    if shared:
        page.text(shared, ink="faint", resource="shared")
    else:
        show_received(page)
    for contact in sorted(state.contacts.raw, key=lambda contact: contact.name.casefold()):
        _person(page, contact.name, "", _open(contact.name, shared))
    return page.finish()
