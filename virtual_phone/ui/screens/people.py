"""Contacts: the list, one contact, the form."""

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.people import EMAIL_TYPE, PHONE_TYPE, RawContact
from virtual_phone.state.well_known import MESSAGING_APP
from virtual_phone.ui.page import WIDTH, ScreenPage, Tool, center_note, go, number_of
from virtual_phone.ui.screens.telephone import place_call
from virtual_phone.ui.theme import color_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_PERSON = "com.android.contacts.quickcontact.QuickContactActivity"
_EDITOR = "com.android.contacts.activities.CompactContactEditorActivity"


def contacts(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """All contacts, by name."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "contacts"), back=False)
    for person in sorted(state.contacts.raw, key=lambda contact: contact.name.casefold()):
        page.row(
            person.name, person.first(PHONE_TYPE) or person.first(EMAIL_TYPE), initial=person.name[:1].upper(),
            color=color_of(person.name), trailing="★" if person.starred else "",
            tap=go(_PERSON, contact=str(person.identifier)),
        )  # fmt: skip
    page.floating("plus", word(state, "new_contact"), _new_contact)
    return page.finish()


def _new_contact(state: PhoneState) -> None:
    state.apps.start(Intent(action="android.intent.action.INSERT", mime="vnd.android.cursor.dir/contact"))


def contact(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One contact: call, text, edit, delete."""
    page = ScreenPage(state, activity)
    person = state.contacts.find(number_of(activity, "contact"))
    if person is None:
        page.bar(word(state, "contacts"))
        center_note(page, word(state, "gone"))
        return page.finish()
    identifier = str(person.identifier)
    page.bar("", tools=[
        Tool("pencil", word(state, "edit"), go(_EDITOR, contact=identifier)),
        Tool("trash", word(state, "delete"), _remove(person)),
    ])  # fmt: skip
    box = Box(WIDTH // 2 - 180, page.y + 12, WIDTH // 2 + 180, page.y + 372)
    style = ViewStyle(fill=color_of(person.name), ink="#ffffff", radius=180, size=168, align="center")
    page.put(ViewNode("text", box, text=person.name[:1].upper(), style=style))
    page.y = box.bottom + 36
    page.text(person.name, size=66, resource="large_title").style.align = "center"
    page.gap(36)
    number, address = person.first(PHONE_TYPE), person.first(EMAIL_TYPE)
    if number:
        tools = [Tool("chat", word(state, "text_message"), _text(number))]
        page.row(number, word(state, "call"), glyph="phone", tools=tools, tap=place_call(number), resource="number")
    if address:
        page.row(address, word(state, "email"), glyph="mail", tap=_mail(address), resource="address")
    return page.finish()


def _text(number: str) -> Action:
    intent = Intent(action="android.intent.action.VIEW", data=f"sms:{number}", package=MESSAGING_APP)
    return lambda state: state.apps.start(intent)


def _mail(address: str) -> Action:
    intent = Intent(action="android.intent.action.SENDTO", data=f"mailto:{address}")
    return lambda state: state.apps.start(intent)


def _remove(person: RawContact) -> Action:
    def remove(state: PhoneState) -> None:
        state.contacts.remove(person.identifier)
        state.apps.back()

    return remove


def contact_editor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for a new or existing contact; Save stores it."""
    extras = activity.intent.extras
    known = state.contacts.find(number_of(activity, "contact"))
    had = (known.name, known.first(PHONE_TYPE), known.first(EMAIL_TYPE)) if known else ("", "", "")
    page = ScreenPage(state, activity)
    page.bar(word(state, "edit" if known else "new_contact"))
    values = {}
    for (name, label), before in zip((("name", "name"), ("phone", "phone"), ("email", "email")), had, strict=True):
        given = str(extras.get(name) or before)
        page.field(name, word(state, label), given)
        values[name] = activity.fields.get(name, given)
    page.button(word(state, "save"), _save(known, values), resource="save")
    return page.finish()


def _save(known: RawContact | None, values: dict[str, str]) -> Action:
    def save(state: PhoneState) -> None:
        if known is not None:
            state.contacts.change(known, values["name"], values["phone"], values["email"])
        elif values["name"] or values["phone"]:
            state.contacts.add(values["name"], values["phone"], values["email"])
        state.apps.back()

    return save
