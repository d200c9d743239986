"""Readers of persons and their numbers and addresses."""

from collections.abc import Mapping

from pydantic import JsonValue

from models.values import contacts
from models.values.readers.request import Reader, ValueRequest


def person(given: ValueRequest) -> JsonValue:
    return contacts.person(given.span) if given.span else None


def person_or_sender(given: ValueRequest) -> JsonValue:
    return person(given) or contacts.sender_name(given.text)


def payee(given: ValueRequest) -> JsonValue:
    """Who gets the money: the one that the text names, but not whom it calls on; else who wrote it."""
    called = contacts.is_addressed(given.span, given.text.text)
    return person_or_sender(given._replace(spans={}) if called else given)


def recipient(given: ValueRequest) -> JsonValue:
    """Number or name in the span; else whom the message came from, as the phone shows them."""
    if given.span:
        return contacts.phone(given.span, shortest=5) or contacts.person(given.span)
    return given.text.sender.strip() or None


def own_phone(given: ValueRequest) -> JsonValue:
    return contacts.phone(given.span, shortest=5) if given.span else None


def phone(given: ValueRequest) -> JsonValue:
    return own_phone(given) or contacts.phone(given.said) or contacts.sender_number(given.text)


def sender_first(given: ValueRequest) -> JsonValue:
    return own_phone(given) or contacts.sender_number(given.text) or contacts.phone(given.said)


def stated_phone(given: ValueRequest) -> JsonValue:
    return own_phone(given) or contacts.phone(given.said)


def callee(given: ValueRequest) -> JsonValue:
    """A name to call, where no number is stated."""
    if given.span and not contacts.is_number(given.span):
        return contacts.person(given.span)
    # A company that is no contact cannot be called by its name.
    nameless = contacts.is_number(given.text.sender) or given.text.known is False
    return None if nameless or stated_phone(given) else given.text.sender.strip() or None


def contact(given: ValueRequest) -> JsonValue:
    span = contacts.introduced(given.span, given.text.text)
    return contacts.person(span) or contacts.find("introduction", given.said)


def email(given: ValueRequest) -> JsonValue:
    return contacts.find("email", given.span) or contacts.find("email", given.said)


def emails(given: ValueRequest) -> JsonValue:
    own = contacts.emails(given.span)
    found = own or contacts.emails(given.said) or contacts.emails(given.text.sender)
    return list(found) or None


def copies(given: ValueRequest) -> JsonValue:
    return list(contacts.emails(given.span)) or None


READERS: Mapping[str, Reader] = {
    "payee": payee,
    "contact_name": callee,
    "make_phone_call.phone_number": phone,
    "save_contact.phone_number": phone,
    "reserve_restaurant.phone_number": own_phone,
    "block_phone_number.phone_number": sender_first,
    "sender_number": sender_first,
    "receiver_phone": stated_phone,
    "receiver_name": person,
    "send_sms.recipient": recipient,
    "send_instant_message.recipient": recipient,
    "share_file.recipient": person_or_sender,
    "save_contact.name": contact,
    "email": email,
    "to": emails,
    "cc": copies,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
