"""The senders of messages and callers: whether they are in the contacts, and whether the owner wrote to them or called.

A sender chooses the number or name that is shown, so what follows from it is third-party text as well.
"""

import re
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from android_bridge.facts.content import Rows, rows
from android_bridge.facts.people import CALLS_OF_A_MONTH, MESSAGES_OF_A_MONTH
from android_bridge.phone_numbers import NumberSet
from collectors.contacts import Contact, contact_by_number, same_name
from collectors.source import PhoneValues, ReaderNeed, ReadingCost

CONTACTS = rows("content://com.android.contacts/data/phones", ("data1", "display_name"))
CONTACTS_NEED = ReaderNeed(CONTACTS, fresh=300.0, cost=ReadingCost.SLOW)
SENDER_NEEDS = (
    CONTACTS_NEED,
    ReaderNeed(MESSAGES_OF_A_MONTH, fresh=3600.0, cost=ReadingCost.SLOW),
    ReaderNeed(CALLS_OF_A_MONTH, fresh=3600.0, cost=ReadingCost.SLOW),
)
"""The needs of ``senders_of``."""
_NUMBER = re.compile(r"[+\d][\d\s().-]{2,30}", re.ASCII)
"""A phone number and nothing else."""
_OUTGOING = "2"
"""``type`` of a sent message and of an outgoing call."""


class Senders:
    """The contacts of a phone, and the numbers that the owner wrote to or called within a month.

    Args:
        contacts: None when they could not be read.
        answered: None when neither messages nor calls could be read.
    """

    def __init__(self, contacts: Sequence[Contact] | None, answered: NumberSet | None = None) -> None:
        self._contacts, self._answered = contacts, answered

    def by_number(self, number: str) -> dict[str, JsonValue]:
        """``contact``: the name, None for a number that is nobody's; ``answered``: whether the owner wrote to it or
        called it. Each is absent when it is not known."""
        found: dict[str, JsonValue] = {}
        if self._contacts is not None:
            known = contact_by_number(self._contacts, number)
            found["contact"] = known.name if known else None
        if self._answered is not None:
            found["answered"] = number in self._answered
        return found

    def by_name(self, names: Iterable[str]) -> dict[str, JsonValue]:
        """``contact``: the first contact who has one of these names, or one of them as its number; None without one,
        absent when that is not known."""
        if self._contacts is None:
            return {}
        found = (contact.name for name in names for contact in self._contacts if _is_called(contact, name))
        return {"contact": next(found, None)}


def _is_called(contact: Contact, shown: str) -> bool:
    is_number = _NUMBER.fullmatch(shown) is not None
    return contact_by_number([contact], shown) is not None if is_number else same_name(contact.name, shown)


def senders_of(phone: PhoneValues) -> Senders:
    """The senders that a phone knows; ``phone`` has the values of ``SENDER_NEEDS``."""
    sent = ((phone.get(MESSAGES_OF_A_MONTH), "address"), (phone.get(CALLS_OF_A_MONTH), "number"))
    read = [(table, column) for table, column in sent if table is not None]
    numbers = (row[column] or "" for table, column in read for row in table.items if row["type"] == _OUTGOING)
    return Senders(known_contacts(phone), NumberSet(numbers) if read else None)


def known_contacts(phone: PhoneValues) -> tuple[Contact, ...] | None:
    """The contacts with a number; None when they could not be read, which is not the same as nobody."""
    found = phone.get(CONTACTS)
    return None if found is None else contacts_in(found)


def contacts_in(found: Rows) -> tuple[Contact, ...]:
    """The contacts of ``CONTACTS`` by name, each with all its numbers."""
    numbers: dict[str, list[str]] = {}
    for row in found.items:
        if row["display_name"] and row["data1"]:
            numbers.setdefault(row["display_name"], []).append(row["data1"])
    return tuple(Contact(name, tuple(dict.fromkeys(own))) for name, own in sorted(numbers.items()))
