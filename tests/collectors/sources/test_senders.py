"""Senders: contacts, and numbers that the owner wrote to or called."""

from collections.abc import Mapping
from typing import Any

import pytest

from android_bridge.facts.content import Row, Rows
from android_bridge.facts.people import CALLS_OF_A_MONTH, MESSAGES_OF_A_MONTH
from android_bridge.facts.reader import Reader
from collectors.context import Trigger
from collectors.source import PhoneValues
from collectors.sources.senders import CONTACTS, SENDER_NEEDS, Senders, senders_of
from heed.errors import DeviceError
from tests.collectors.sources.phone_values import NOW

BOOK = Rows(items=({"display_name": "Mum", "data1": "+44 7700 900111"},))


def sent(column: str, *numbers: str, kind: str = "2") -> Rows:
    rows: tuple[Row, ...] = tuple({column: number, "type": kind} for number in numbers)
    return Rows(items=rows)


def senders(values: Mapping[Reader[Any], Any]) -> Senders:
    unread = {need.reader: DeviceError("not answered") for need in SENDER_NEEDS}
    return senders_of(PhoneValues(NOW, Trigger(kind="clock"), {**unread, **values}))


def test_a_contact_is_named_whatever_the_spelling_of_the_number() -> None:
    assert senders({CONTACTS: BOOK}).by_number("07700 900111") == {"contact": "Mum"}


def test_a_number_that_was_written_to_or_called_counts_as_answered() -> None:
    known = senders(
        {
            CONTACTS: BOOK,
            MESSAGES_OF_A_MONTH: sent("address", "+44 7700 900222"),
            CALLS_OF_A_MONTH: sent("number", "07700900333"),
        }
    )
    assert known.by_number("07700 900222") == {"contact": None, "answered": True}
    assert known.by_number("+447700900333") == {"contact": None, "answered": True}
    assert known.by_number("07700 900444") == {"contact": None, "answered": False}


def test_who_only_wrote_or_called_was_not_answered() -> None:
    received = senders({MESSAGES_OF_A_MONTH: sent("address", "07700900222", kind="1")})
    assert received.by_number("07700900222") == {"answered": False}


def test_what_could_not_be_read_is_not_told() -> None:
    assert senders({}).by_number("07700900222") == senders({}).by_name(["Mum"]) == {}


@pytest.mark.parametrize(
    ("shown", "contact"),
    [
        ("Mum", "Mum"),
        (" mum ", "Mum"),
        ("+44 7700 900111", "Mum"),
        ("~Mum", None),
        ("Mum's new number", None),
        ("Your bank 07700900111", None),
        ("", None),
    ],
)
def test_a_name_that_an_app_shows_is_a_contacts_whole_name_or_number(shown: str, contact: str | None) -> None:
    assert senders({CONTACTS: BOOK}).by_name([shown]) == {"contact": contact}
