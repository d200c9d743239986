"""Missed calls, and whom the owner talks to."""

from datetime import timedelta
from typing import Any

from android_bridge.device import Device
from android_bridge.facts.content import Rows
from android_bridge.facts.people import CALLS_OF_A_MONTH, MESSAGES_OF_A_MONTH, MISSED_CALLS
from android_bridge.facts.reader import UnreadableError
from collectors.config import CollectorsConfig
from collectors.sources.people import MissedCallSource, PeopleSource
from collectors.sources.senders import CONTACTS
from heed.trust import Trust
from tests.collectors.sources.phone_values import NOW, readings
from virtual_phone import VirtualPhone

CONFIG = CollectorsConfig()
BOOK = Rows(
    items=(
        {"_id": "1", "data1": "+86 137 6655 4433", "display_name": "Mum"},
        {"_id": "2", "data1": "139 1122 3344", "display_name": "Bob Li"},
    )
)


def missed(minutes: int, number: str) -> dict[str, str | None]:
    return {"_id": "1", "date": str(round((NOW - timedelta(minutes=minutes)).timestamp() * 1000)), "number": number}


def many(column: str, *rows: tuple[str, str]) -> Rows:
    return Rows(
        items=tuple({"_id": str(n), "type": kind, "date": "1", column: who} for n, (kind, who) in enumerate(rows))
    )


async def test_a_missed_call_says_who_called() -> None:
    rows = Rows(items=(missed(5, "13766554433"), missed(60, "5550199"), missed(60 * 72, "5550000")))
    found = (await readings(MissedCallSource(CONFIG), {MISSED_CALLS: rows, CONTACTS: BOOK}))["calls.missed"]
    assert found.trust is Trust.THIRD_PARTY
    assert found.value == [
        {"number": "13766554433", "time": "2026-02-06T16:05:00+08:00", "contact": "Mum"},
        {"number": "5550199", "time": "2026-02-06T15:10:00+08:00", "contact": None},
    ]


async def test_without_the_address_book_nobody_is_taken_for_a_stranger() -> None:
    values = {MISSED_CALLS: Rows(items=(missed(5, "13766554433"),)), CONTACTS: UnreadableError("no")}
    found = await readings(MissedCallSource(CONFIG), values)
    assert "contact" not in found["calls.missed"].value[0]


async def people(calls: Rows, messages: Rows) -> dict[str, Any]:
    values = {CALLS_OF_A_MONTH: calls, MESSAGES_OF_A_MONTH: messages, CONTACTS: BOOK}
    return {name: one.value for name, one in (await readings(PeopleSource(CONFIG), values)).items()}


async def test_the_people_most_called_come_first_and_strangers_are_left_out() -> None:
    calls = many("number", ("1", "13911223344"), ("2", "13766554433"), ("2", "+8613766554433"), ("1", "5550199"))
    assert await people(calls, Rows(items=())) == {"people.called": ["Mum", "Bob Li"]}


async def test_missed_and_rejected_calls_are_no_talks() -> None:
    calls = many("number", ("3", "13911223344"), ("5", "13766554433"))
    messages = many("address", ("2", "13911223344"), ("1", "13911223344"), ("3", "13766554433"))
    assert await people(calls, messages) == {"people.messaged": ["Bob Li"]}


async def test_on_the_phone_a_month_is_read(phone: VirtualPhone, device: Device) -> None:
    state = phone.state
    state.calls.ring("+86 137 6655 4433")
    state.calls.hang_up()
    state.messages.stored.clear()
    now = state.clock.milliseconds()
    for days in (1, 29, 31):
        state.messages.store("5550199", f"{days} days ago", date=now - days * 86_400_000)
    assert [row["number"] for row in (await device.read(MISSED_CALLS)).items] == ["+86 137 6655 4433"]
    assert [row["type"] for row in (await device.read(CALLS_OF_A_MONTH)).items] == ["3"]
    assert len((await device.read(MESSAGES_OF_A_MONTH)).items) == 2
