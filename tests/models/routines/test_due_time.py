"""A situation with a time of its own is due on its weekdays, for a quarter of an hour."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from models.routines.rules.due_time import DueTime

SHANGHAI = ZoneInfo("Asia/Shanghai")
LATE_ON_FRIDAYS = DueTime(time=time(23, 50), days=("fri",))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        ("2026-03-06T23:49", False),
        ("2026-03-06T23:50", True),
        ("2026-03-07T00:04", True),
        ("2026-03-07T00:05", False),
        ("2026-03-05T23:55", False),
    ],
)
def test_it_is_due_for_a_quarter_of_an_hour_over_midnight_too(now: str, *, holds: bool) -> None:
    assert LATE_ON_FRIDAYS.holds(at(now)) is holds


@pytest.mark.parametrize(
    ("after", "next_time"),
    [
        ("2026-03-06T23:49", "2026-03-06T23:50"),
        ("2026-03-06T23:50", "2026-03-13T23:50"),
        ("2026-03-07T12:00", "2026-03-13T23:50"),
    ],
)
def test_the_next_time_is_on_one_of_its_days(after: str, next_time: str) -> None:
    assert LATE_ON_FRIDAYS.next(at(after)) == at(next_time)
