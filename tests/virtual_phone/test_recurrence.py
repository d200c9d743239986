"""When repeating events of the calendar happen."""

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.state.recurrence import RecurrenceRule

FIRST = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
"""A Saturday."""


def days(rule: str, number: int = 4) -> list[str]:
    return [f"{moment:%m-%d}" for moment in islice(RecurrenceRule.parse(rule).starts(FIRST), number)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY", ["01-31", "02-01", "02-02", "02-03"]),
        ("FREQ=DAILY;INTERVAL=10;COUNT=2", ["01-31", "02-10"]),
        ("FREQ=WEEKLY", ["01-31", "02-07", "02-14", "02-21"]),
        ("FREQ=WEEKLY;BYDAY=MO,SA", ["01-31", "02-02", "02-07", "02-09"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO", ["02-01", "02-09", "02-15", "02-23"]),
        ("FREQ=MONTHLY", ["01-31", "03-31", "05-31", "07-31"]),
        ("FREQ=YEARLY;COUNT=2", ["01-31", "01-31"]),
        ("FREQ=DAILY;UNTIL=20260202T235959Z", ["01-31", "02-01", "02-02"]),
    ],
)
def test_an_event_repeats_by_its_rule(rule: str, expected: list[str]) -> None:
    assert days(rule) == expected


@given(
    frequency=st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]),
    interval=st.integers(1, 10**6),
    by=st.sets(st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])),
)
def test_occurrences_are_in_order_and_finite(frequency: str, interval: int, by: set[str]) -> None:
    rule = f"FREQ={frequency};INTERVAL={interval}" + (f";BYDAY={','.join(by)}" if by else "")
    starts = list(RecurrenceRule.parse(rule).starts(FIRST))
    assert starts == sorted(set(starts))
    assert all(start >= FIRST and start.time() == FIRST.time() for start in starts)


@pytest.mark.parametrize("rule", ["daily", "FREQ=HOURLY", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;UNTIL=soon"])
async def test_an_invalid_rule_is_refused_and_no_event_is_added(phone: VirtualPhone, rule: str) -> None:
    with pytest.raises(ValueError, match=r"rule|invalid literal|date"):
        RecurrenceRule.parse(rule)
    bound = f"--bind dtstart:l:1 --bind title:s:x --bind rrule:s:'{rule}' --bind calendar_id:i:1"
    result = await run(phone, f"content insert --uri content://com.android.calendar/events {bound}")
    assert "Error" in result.stderr + result.stdout
    assert phone.state.calendar.events == []


def test_a_repeating_event_reminds_before_each_time(phone: VirtualPhone) -> None:
    state = phone.state
    start = state.clock.wall() + timedelta(hours=1)
    state.calendar.remind(state.calendar.add("Stand-up", start, rrule="FREQ=DAILY;COUNT=3"), 10)
    state.log.clear()
    state.advance(7 * 86_400)
    posted = [entry.moment for entry in state.log.entries(frozenset(["events"])) if entry.tag == "notification_enqueue"]
    reminded = [moment for moment in posted if moment.minute == 50]
    assert reminded == [start + timedelta(days=day, minutes=-10) for day in range(3)]
