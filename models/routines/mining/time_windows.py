"""Times of day on a circle: windows, peaks and clusters."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from heed.model import Frozen

DAY = 24 * 60
"""Minutes of a day."""
PEAK_MOMENTS = 3
"""Minimum number of moments in a peak."""
PEAK_FACTOR = 3.0
"""Minimum density of a peak, as a multiple of the mean density over the day."""
PEAK_SMALL = 20
"""Up to this many moments in all, the density is not compared."""


def minute_of(moment: datetime) -> float:
    """Minutes since midnight."""
    return moment.hour * 60 + moment.minute + moment.second / 60


class TimeWindow(Frozen):
    """A part of the day; it may extend over midnight."""

    start: float
    """Minutes since midnight."""
    length: float
    """Minutes."""

    def contains(self, moment: datetime, *, before: float = 0.0, after: float = 0.0) -> bool:
        """Whether ``moment`` is in the window, extended by ``before`` and ``after`` minutes."""
        return (minute_of(moment) - self.start + before) % DAY <= self.length + before + after

    def day_of(self, moment: datetime) -> date:
        """The date on which the window nearest to ``moment`` began."""
        from_centre = (minute_of(moment) - self.start - self.length / 2 + DAY / 2) % DAY - DAY / 2
        return (moment - timedelta(minutes=from_centre + self.length / 2)).date()

    def begin(self, day: date, like: datetime) -> datetime:
        """The start of the window on ``day``, in the time zone of ``like``."""
        midnight = datetime(day.year, day.month, day.day, tzinfo=like.tzinfo)
        return midnight + timedelta(minutes=self.start)

    def middle(self, day: date, like: datetime) -> datetime:
        """The middle of the window that begins on ``day``, in the time zone of ``like``."""
        return self.begin(day, like) + timedelta(minutes=self.length / 2)

    def usual(self) -> str:
        """The middle of the window, rounded to five minutes, as ``HH:MM``."""
        minute = round((self.start + self.length / 2) / 5) * 5 % DAY
        return f"{minute // 60:02}:{minute % 60:02}"

    def text(self) -> str:
        """``HH:MM-HH:MM``, or ``HH:MM`` where start and end are the same minute."""
        first, last = round(self.start) % DAY, round(self.start + self.length) % DAY
        begin = f"{first // 60:02}:{first % 60:02}"
        return begin if first == last else f"{begin}-{last // 60:02}:{last % 60:02}"


def peaks(moments: Sequence[datetime], reach: float) -> list[int]:
    """Indexes of the moments at frequent times of day.

    A time is frequent if at least ``PEAK_MOMENTS`` moments lie within ``reach`` minutes of it, ``PEAK_FACTOR`` times
    as many as an even distribution over the day would put there.
    """
    order = sorted(range(len(moments)), key=lambda index: minute_of(moments[index]))
    minutes = [minute_of(moments[index]) for index in order]
    circle = [minute + turn for turn in (-DAY, 0, DAY) for minute in minutes]
    least = (
        max(PEAK_MOMENTS, PEAK_FACTOR * len(minutes) * 2 * reach / DAY) if len(minutes) > PEAK_SMALL else PEAK_MOMENTS
    )
    frequent: set[int] = set()
    for minute in minutes:
        first, last = bisect_left(circle, minute - reach), bisect_right(circle, minute + reach)
        if last - first >= least:
            frequent.update(position % len(minutes) for position in range(first, last))
    return [order[position] for position in sorted(frequent)]


def clusters(moments: Sequence[datetime], gap: float) -> list[list[int]]:
    """Indexes of the moments in clusters, in which neighbours on the circle are at most ``gap`` minutes apart."""
    order = sorted(range(len(moments)), key=lambda index: minute_of(moments[index]))
    if not order:
        return []
    minutes = [minute_of(moments[index]) for index in order]
    cuts = [at for at in range(len(order)) if (minutes[at] - minutes[at - 1]) % DAY > gap]
    if not cuts or len(order) == 1:
        return [order]
    turned = [(order * 2)[first : last if last > first else last + len(order)] for first, last in _pairs(cuts)]
    return [group for group in turned if group]


def _pairs(cuts: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(cuts, [*cuts[1:], cuts[0]], strict=True))


def typical_window(moments: Sequence[datetime]) -> TimeWindow:
    """The window from the first to the last decile of one cluster's times of day."""
    minutes = sorted(minute_of(moment) for moment in moments)
    gaps = [(minutes[at] - minutes[at - 1]) % DAY for at in range(len(minutes))]
    origin = minutes[gaps.index(max(gaps))] if len(minutes) > 1 else minutes[0]
    turned = sorted((minute - origin) % DAY for minute in minutes)
    first, last = _quantile(turned, 0.1), _quantile(turned, 0.9)
    return TimeWindow(start=(origin + first) % DAY, length=last - first)


def _quantile(ordered: Sequence[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)
