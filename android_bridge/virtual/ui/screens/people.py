"""Contacts and phone."""

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.state.intents import Intent
from android_bridge.virtual.state.people import EMAIL_TYPE, PHONE_TYPE
from android_bridge.virtual.ui.page import Page
from android_bridge.virtual.ui.tree import Node
from android_bridge.virtual.ui.words import ago, word

_KIND_GLYPH = {1: "phone", 2: "phone", 3: "close", 5: "close"}


def contacts(state: PhoneState, activity: Activity) -> Node:
    """Everybody, by name."""
    page = Page(state, activity)
    page.bar(word(state, "contacts"), back=False)
    for person in sorted(state.contacts.raw, key=lambda contact: contact.name.casefold()):
        page.row(person.name, person.first(PHONE_TYPE) or person.first(EMAIL_TYPE), initial=person.name[:1].upper())
    page.floating("plus", word(state, "new_contact"), _new_contact)
    return page.finish()


def _new_contact(state: PhoneState) -> None:
    state.apps.start(Intent(action="android.intent.action.INSERT", mime="vnd.android.cursor.dir/contact"))


def contact_editor(state: PhoneState, activity: Activity) -> Node:
    """A contact being made; Save stores it."""
    extras = activity.intent.extras
    page = Page(state, activity)
    page.bar(word(state, "new_contact"))
    values = {}
    for name, label in (("name", "name"), ("phone", "phone"), ("email", "email")):
        given = str(extras.get(name) or "")
        page.field(name, word(state, label), given)
        values[name] = activity.fields.get(name, given)
    page.button(word(state, "save"), lambda state: _save(state, values), resource="save")
    return page.finish()


def _save(state: PhoneState, values: dict[str, str]) -> None:
    if values["name"] or values["phone"]:
        state.contacts.add(values["name"], values["phone"], values["email"])
    state.apps.back()


def dialer(state: PhoneState, activity: Activity) -> Node:
    """The number to call, the call button and the recent calls."""
    number = activity.fields.get("digits", activity.intent.data.removeprefix("tel:"))
    page = Page(state, activity)
    page.bar(word(state, "phone"), back=False)
    page.field("digits", word(state, "phone"), activity.intent.data.removeprefix("tel:"))
    name = state.contacts.name_of(number)
    if name:
        page.text(name, ink="faint")
    page.button(word(state, "call"), lambda state: state.calls.dial(number) if number else None,
                resource="dialpad_voice_call_button")  # fmt: skip
    page.heading(word(state, "recent_calls"))
    for call in reversed(state.calls.log):
        title = state.contacts.name_of(call.number) or call.number
        page.row(title, call.number, glyph=_KIND_GLYPH[call.kind], trailing=ago(state, call.date))
    return page.finish()


def call(state: PhoneState, activity: Activity) -> Node:
    """A call under way, or just ended."""
    current = state.calls.current
    number = current.number if current else activity.intent.data.removeprefix("tel:")
    page = Page(state, activity)
    page.gap(360)
    page.text(state.contacts.name_of(number) or number, size=72, bold=True)
    page.text(number, ink="faint")
    if current is not None:
        page.text(word(state, "incoming_call" if current.state == "ringing" else "calling"), ink="faint")
        page.gap(700)
        page.button(
            word(state, "hang_up"), lambda state: state.calls.hang_up(), filled=False, danger=True,
            resource="incall_end_call",
        )  # fmt: skip
    return page.finish()
