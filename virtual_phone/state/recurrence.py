"""Recurrence rules of calendar events: the part of RFC 5545 that calendars use."""

import contextlib
import re
from collections.abc import Iterator
from datetime import MAXYEAR, UTC, datetime, timedelta
from itertools import count, islice, takewhile
from typing import NamedTuple

_MAX_TIMES = 1000
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_STEP_DAYS = {"DAILY": 1, "WEEKLY": 7}
_STEP_MONTHS = {"MONTHLY": 1, "YEARLY": 12}


class RecurrenceRule(NamedTuple):
    """A rule: every so many days, weeks, months or years."""

    frequency: str
    interval: int = 1
    times: int = _MAX_TIMES
    until: datetime | None = None
    """The end: occurrences start before it."""
    days: tuple[int, ...] = ()
    """Weekdays of a weekly rule, 0 = Monday, ascending; none = the weekday of the first occurrence."""

    @classmethod
    def parse(cls, text: str) -> "RecurrenceRule":
        """A rule such as ``FREQ=WEEKLY;BYDAY=MO,WE;COUNT=8``; ``ValueError`` when it is none."""
        parts = dict(item.split("=", 1) for item in text.upper().split(";") if "=" in item)
        frequency = parts.get("FREQ", "")
        if frequency not in _STEP_DAYS | _STEP_MONTHS:
            raise ValueError(f"no recurrence rule: {text!r}")
        return cls(
            frequency=frequency,
            interval=max(1, int(parts.get("INTERVAL", 1))),
            times=min(int(parts.get("COUNT", _MAX_TIMES)), _MAX_TIMES),
            until=_day_after(parts["UNTIL"]) if "UNTIL" in parts else None,
            days=tuple(sorted(_DAYS.index(day) for day in parts.get("BYDAY", "").split(",") if day in _DAYS)),
        )

    def starts(self, first: datetime) -> Iterator[datetime]:
        """The moments of the occurrences, beginning with ``first``."""
        moments = self._moments(first)
        if self.until is not None:
            until = self.until
            moments = takewhile(lambda moment: moment < until, moments)
        return islice(moments, self.times)

    def _moments(self, first: datetime) -> Iterator[datetime]:
        # Far enough ahead, there are no more dates.
        with contextlib.suppress(OverflowError):
            if self.frequency in _STEP_MONTHS:
                yield from _by_month(first, _STEP_MONTHS[self.frequency] * self.interval)
            elif self.frequency == "WEEKLY" and self.days:
                yield from self._by_weekday(first)
            else:
                step = timedelta(days=_STEP_DAYS[self.frequency] * self.interval)
                for number in count():
                    yield first + step * number

    def _by_weekday(self, first: datetime) -> Iterator[datetime]:
        monday = first - timedelta(days=first.weekday())
        for week in count(0, self.interval):
            for day in self.days:
                moment = monday + timedelta(weeks=week, days=day)
                if moment >= first:
                    yield moment


def _by_month(first: datetime, step: int) -> Iterator[datetime]:
    """The same day of every ``step``-th month that has it."""
    for months in range(first.year * 12 + first.month - 1, MAXYEAR * 12, step):
        # Dates that do not exist, such as a 31st of June, are left out.
        with contextlib.suppress(ValueError):
            yield first.replace(year=months // 12, month=months % 12 + 1)


def _day_after(text: str) -> datetime:
    if not re.match(r"\d{8}", text):
        raise ValueError(f"no date: {text!r}")
    return datetime.strptime(text[:8], "%Y%m%d").replace(tzinfo=UTC) + timedelta(days=1)
