"""The people that the owner calls and writes to, and whose calls were missed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from pydantic import JsonValue

from android_bridge.facts.content import Rows
from android_bridge.facts.people import CALLS_OF_A_MONTH, MESSAGES_OF_A_MONTH, MISSED_CALLS
from collectors.contacts import Contact, contact_by_number
from collectors.context import Dimension, TriggerKind
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source
from collectors.sources.senders import CONTACTS_NEED, SENDER_NEEDS, Senders, known_contacts, senders_of
from collectors.sources.times import iso, moment
from heed.trust import Trust

_MOST_MISSED, _MOST_PEOPLE = 10, 5
_LATELY = timedelta(days=2)
_TALKED = frozenset({"1", "2"})
"""Calls that came about, and messages that were received or sent."""
_DAY = 24 * 3600.0


class MissedCallSource(Source):
    """Calls of the last two days that the owner has missed and not looked at, newest first.

    A caller chooses the number that is shown.
    """

    name = "missed_calls"
    dimension = Dimension.DEVICE
    needs = (
        ReaderNeed(
            MISSED_CALLS,
            fresh=60.0,
            cost=ReadingCost.SLOW,
            refreshed_by=frozenset({TriggerKind.CALL, TriggerKind.NOTIFICATION}),
        ),
        *SENDER_NEEDS,
    )

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        rows = [row for row in phone[MISSED_CALLS].items if phone.now - moment(row["date"]) <= _LATELY]
        if not rows:
            return []
        senders = senders_of(phone)
        value = [_missed(row["number"] or "", iso(moment(row["date"]), phone.now), senders) for row in rows]
        return [Reading("calls.missed", value[:_MOST_MISSED], Trust.THIRD_PARTY)]


def _missed(number: str, time: str, senders: Senders) -> dict[str, JsonValue]:
    return {"number": number, "time": time, **senders.by_number(number)}


class PeopleSource(Source):
    """Whom the owner talks to and writes with most, of the address book, over a month. Changes once a day at most."""

    name = "people"
    dimension = Dimension.PROFILE
    needs = (
        ReaderNeed(CALLS_OF_A_MONTH, fresh=_DAY, cost=ReadingCost.SLOW),
        ReaderNeed(MESSAGES_OF_A_MONTH, fresh=_DAY, cost=ReadingCost.SLOW),
        CONTACTS_NEED,
    )

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        contacts = known_contacts(phone) or ()
        found = {
            "people.called": _most(phone[CALLS_OF_A_MONTH], "number", contacts),
            "people.messaged": _most(phone[MESSAGES_OF_A_MONTH], "address", contacts),
        }
        return [Reading(name, people, Trust.OWNER) for name, people in found.items() if people]


def _most(rows: Rows, column: str, contacts: Sequence[Contact]) -> list[str]:
    """The names of the contacts who appear most, most first; each number is looked up once."""
    numbers = Counter(row[column] or "" for row in rows.items if row["type"] in _TALKED)
    people: Counter[str] = Counter()
    for number, times in numbers.items():
        if known := contact_by_number(contacts, number):
            people[known.name] += times
    ranked = sorted(people.items(), key=lambda pair: (-pair[1], pair[0]))
    return [name for name, _ in ranked[:_MOST_PEOPLE]]
