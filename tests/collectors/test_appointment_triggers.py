"""When heed looks because of an appointment."""

from datetime import datetime, timedelta

import pytest

from collectors.appointment_triggers import AddedAppointments, appointment_dues, evening_dues
from collectors.context import TriggerKind

NOW = datetime.fromisoformat("2026-03-06T14:00:00+01:00")


def event(start: str, title: str = "Shift") -> dict[str, str]:
    begin = datetime.fromisoformat(start)
    return {"title": title, "start": begin.isoformat(), "end": (begin + timedelta(minutes=90)).isoformat()}


def test_an_appointment_is_looked_at_three_times_with_its_length() -> None:
    dues = appointment_dues(event("2026-03-06T15:00:00+01:00"), timedelta(minutes=10))
    assert [f"{due.at:%H:%M}" for due in dues] == ["14:50", "14:57", "14:59"]
    assert dues[0].trigger.data["length_minutes"] == 90


@pytest.mark.parametrize(
    ("start", "at"),
    [
        ("2026-03-07T04:30:00+01:00", "03-06 21:15"),
        ("2026-03-07T05:30:00+01:00", "03-06 22:00"),
        ("2026-03-07T06:30:00+01:00", "03-06 23:00"),
        ("2026-03-07T09:30:00+01:00", "03-06 23:00"),
    ],
)
def test_an_early_appointment_is_looked_at_the_evening_before(start: str, at: str) -> None:
    (due,) = evening_dues([event("2026-03-06T18:00:00+01:00"), event(start), event("2026-03-07T09:59:00+01:00")], NOW)
    assert (f"{due.at:%m-%d %H:%M}", due.trigger.kind) == (at, TriggerKind.EVENING_BEFORE)


@pytest.mark.parametrize(
    "start", ["2026-03-07T10:00:00+01:00", "2026-03-07T02:00:00+01:00", "2026-03-06T18:00:00+01:00"]
)
def test_no_evening_is_due_for_another_appointment(start: str) -> None:
    assert evening_dues([event(start)], NOW) == []


def test_an_appointment_that_is_new_in_a_reading_was_added() -> None:
    known, new = event("2026-03-06T16:00:00+01:00"), event("2026-03-07T06:00:00+01:00", "Open the shop")
    added = AddedAppointments()
    assert added.dues([known], NOW) == []
    (due,) = added.dues([known, new], NOW + timedelta(minutes=5))
    assert (due.at, due.trigger.kind) == (NOW + timedelta(minutes=5), TriggerKind.CALENDAR_ADDED)
    # It stays due at the same time, so that a later plan does not lose it.
    assert added.dues([known, new], NOW + timedelta(minutes=6)) == [due]
    assert added.dues([known], NOW + timedelta(minutes=7)) == []


def test_an_appointment_that_comes_into_reach_was_not_added() -> None:
    added = AddedAppointments()
    added.dues([], NOW)
    assert added.dues([event("2026-03-07T14:30:00+01:00")], NOW + timedelta(hours=1)) == []
