"""The times of day and weekdays at which a situation is due by itself, without an event."""

from datetime import datetime, time, timedelta

from heed.model import Frozen
from models.routines.rules.value_test import WEEKDAYS, Weekday

LATEST = timedelta(minutes=15)
"""So long after its time a situation is still due: the phone may have been away, or the owner in a call."""


class DueTime(Frozen):
    """A time of day on some weekdays, on the phone's clock."""

    time: time
    days: tuple[Weekday, ...] = WEEKDAYS

    def holds(self, now: datetime) -> bool:
        """Whether it was due a moment ago."""
        return any(begin <= now < begin + LATEST for begin in self._around(now, range(-1, 1)))

    def next(self, after: datetime) -> datetime:
        """When it is due next."""
        return next(begin for begin in self._around(after, range(-1, 9)) if begin > after)

    def _around(self, now: datetime, days: range) -> list[datetime]:
        dates = (now.date() + timedelta(days=number) for number in days)
        return [
            datetime.combine(date, self.time, now.tzinfo) for date in dates if WEEKDAYS[date.weekday()] in self.days
        ]
