"""Times of day on a circle: windows, and clusters of moments that belong together."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from heed.model import Frozen

DAY = 24 * 60
"""Minutes."""
PEAK_MOMENTS = 3
PEAK_FACTOR = 3.0
PEAK_SMALL = 20
"""Of so few moments every three make a peak: there is no even spread to compare with."""


def minute_of(moment: datetime) -> float:
    """Minutes since midnight."""
    return moment.hour * 60 + moment.minute + moment.second / 60


class TimeWindow(Frozen):
    """A stretch of the day, in minutes since midnight; it may reach over midnight."""

    start: float
    length: float

    def contains(self, moment: datetime, *, before: float = 0.0, after: float = 0.0) -> bool:
        """Whether ``moment`` is in the window, widened by so many minutes on either side."""
        return (minute_of(moment) - self.start + before) % DAY <= self.length + before + after

    def day_of(self, moment: datetime) -> date:
        """The date on which that window began to which ``moment`` is nearest."""
        from_centre = (minute_of(moment) - self.start - self.length / 2 + DAY / 2) % DAY - DAY / 2
        return (moment - timedelta(minutes=from_centre + self.length / 2)).date()

    def begin(self, day: date, like: datetime) -> datetime:
        """When the window begins on ``day``, in the time zone of ``like``."""
        midnight = datetime(day.year, day.month, day.day, tzinfo=like.tzinfo)
        return midnight + timedelta(minutes=self.start)

    def usual(self) -> str:
        """The middle, as people say it: to five minutes."""
        minute = round((self.start + self.length / 2) / 5) * 5 % DAY
        return f"{minute // 60:02}:{minute % 60:02}"

    def text(self) -> str:
        """``HH:MM-HH:MM``, or ``HH:MM`` for a moment."""
        first, last = round(self.start) % DAY, round(self.start + self.length) % DAY
        begin = f"{first // 60:02}:{first % 60:02}"
        return begin if first == last else f"{begin}-{last // 60:02}:{last % 60:02}"


def peaks(moments: Sequence[datetime], reach: float) -> list[int]:
    """Indexes of the moments at times of day that are more frequent than the rest of the day.

    A time is frequent when the stretch ``reach`` minutes around it holds at least ``PEAK_MOMENTS`` moments and
    ``PEAK_FACTOR`` times as many as an even spread would put there; the moments in that stretch belong to it.
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
    """Indexes of moments in groups: within a group, neighbours on the circle are at most ``gap`` minutes apart."""
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
    """The window from the first to the last decile of one cluster's times of day: outliers do not widen it."""
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
