"""Turns the pieces of one time expression into a moment."""

import calendar
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TypeVar

from heed.model import Frozen
from models.values.times.pieces import (
    PARTS,
    Bare,
    CalendarDay,
    ClockTime,
    DayOffset,
    DayPart,
    Half,
    Shift,
    TimePiece,
    Until,
    Weekday,
)

DAY_STARTS = 9
"""The hour that stands for a day without a clock time."""
DAY_ENDS = 17
_AGREEING_DAYS = 100
"""Days ahead among which a day of the month that fits its weekday is looked for."""
_T = TypeVar("_T")


class TimeReading(Frozen):
    """A time expression, read; the phone's local time without offset."""

    start: datetime
    end: datetime | None = None
    """Where the expression states a range."""
    has_date: bool = False
    has_time: bool = False
    """Whether a clock time is stated; otherwise the part of the day or nine o'clock stands for it."""
    part: str = ""
    """The stated part of the day, by its name in ``PARTS``."""


class TimeContext(Frozen):
    """What times are relative to."""

    now: datetime
    """The phone's clock."""
    sense: Half | None = None
    """The half of the day that the words around speak of."""
    past: bool = False
    """Whether days that are over are meant."""

    @property
    def local(self) -> datetime:
        return self.now.replace(tzinfo=None, second=0, microsecond=0)


def resolve(pieces: Sequence[TimePiece], context: TimeContext) -> TimeReading | None:
    """The moment, or the range, that the pieces state; None when they state none."""
    cut = next((index for index, piece in enumerate(pieces) if isinstance(piece.meaning, Until)), len(pieces))
    first, second = pieces[:cut], pieces[cut + 1 :]
    if second and not _is_range(first, second):
        first, second = [piece for piece in pieces if not isinstance(piece.meaning, Until)], ()
    try:
        return _range(first, second, context) if second else _moment(first, context)
    except (ValueError, OverflowError):  # a day that the calendar does not have
        return None


def _is_range(first: Sequence[TimePiece], second: Sequence[TimePiece]) -> bool:
    day, clock = (CalendarDay, Weekday, DayOffset), (ClockTime, Bare)
    both_clocks = _has(first, clock) and _has(second, clock)
    number_of_day = _has(first, (Bare,)) and _has(second, (CalendarDay,))
    both_days = _has(second, day) and (_has(first, day) or number_of_day)
    return both_clocks or both_days


def _has(pieces: Iterable[TimePiece], kinds: tuple[type, ...]) -> bool:
    return any(isinstance(piece.meaning, kinds) for piece in pieces)


def _range(first: Sequence[TimePiece], second: Sequence[TimePiece], context: TimeContext) -> TimeReading | None:
    end_day = _one(second, CalendarDay)
    if end_day and not _has(first, (CalendarDay, Weekday, DayOffset)) and (number := _one(first, Bare)):
        # "12 to 14 june"
        first = [TimePiece(0, 0, end_day._replace(day=number.number))]
    if not _has(first, (CalendarDay, Weekday, DayOffset)) and _has(second, (CalendarDay, Weekday, DayOffset)):
        # "9-10 on Friday"
        moved = [piece for piece in second if isinstance(piece.meaning, (CalendarDay, Weekday, DayOffset))]
        first, second = [*first, *moved], [piece for piece in second if piece not in moved]
    start_day = _one(first, CalendarDay)
    if start_day and end_day and start_day.month is None and end_day.month is not None:
        first = [_with_month(piece, end_day) for piece in first]
    start_clock, end_clock = _clock(first), _clock(second)
    if start_clock and end_clock:
        start_clock = _before_noon(_same_half(start_clock, end_clock), end_clock)
    start = _moment(first, context, start_clock)
    if start is None:
        return None
    return start.model_copy(update={"end": _range_end(start, second, end_clock, context)})


def _with_month(piece: TimePiece, end: CalendarDay) -> TimePiece:
    if isinstance(piece.meaning, CalendarDay):
        return piece._replace(meaning=piece.meaning._replace(month=end.month, year=end.year))
    return piece


def _same_half(start: ClockTime, end: ClockTime) -> ClockTime:
    """``3-5pm`` begins in the afternoon; ``11-1pm`` in the morning."""
    if start.half or start.exact or not end.half:
        return start
    other: Half = "am" if end.half == "pm" else "pm"
    crosses = start.hour % 12 > end.hour % 12
    return start._replace(half=other if crosses and end.half == "pm" else end.half)


def _before_noon(start: ClockTime, end: ClockTime) -> ClockTime:
    """``10:00-12:30`` begins in the morning, also of an evening class."""
    open_half = not (start.half or start.exact)
    return start._replace(half="am") if open_half and start.hour < end.hour in (12, 13, 14) and not end.half else start


def _range_end(
    start: TimeReading, second: Sequence[TimePiece], clock: ClockTime | None, context: TimeContext
) -> datetime:
    if _has(second, (CalendarDay, Weekday, DayOffset)):
        after = TimeContext(now=start.start, sense=context.sense)
        day = _day(second, after) or start.start.date()
        return datetime.combine(day, _time(clock, "", after, day) if clock else start.start.time())
    end = start.start
    if clock:
        hour = _hour(clock, "", "am", start.start.date(), None)
        end = datetime.combine(start.start.date(), time(hour % 24, clock.minute))
        while end <= start.start:
            end += timedelta(hours=12 if not (clock.exact or clock.half) else 24)
    return end


def _moment(pieces: Sequence[TimePiece], context: TimeContext, clock: ClockTime | None = None) -> TimeReading | None:
    now = context.local
    clock = clock or _clock(pieces)
    shift, part = _one(pieces, Shift), _part(pieces)
    if shift and shift.minutes and not clock:
        return TimeReading(start=now + timedelta(minutes=shift.minutes), has_date=True, has_time=True)
    day = (now + timedelta(days=shift.days)).date() if shift and shift.days else _day(pieces, context)
    if day is None and clock is None and not part:
        return None
    if clock is None:
        return _without_clock(day, part, now)
    start_day = day or now.date()
    at = _time(clock, part, context, day)
    hour_days = 1 if _after_midnight(clock, part) else 0
    start = datetime.combine(start_day, at) + timedelta(days=hour_days)
    weekday = _one(pieces, Weekday)
    if day is None and start <= now:
        start += timedelta(days=1)
    elif weekday and weekday.weeks is None and start <= now and not _one(pieces, CalendarDay) and not context.past:
        start += timedelta(weeks=1)
    return TimeReading(start=start, has_date=day is not None, has_time=True, part=part)


def _without_clock(day: date | None, part: str, now: datetime) -> TimeReading:
    hour = PARTS[part].usual if part else DAY_STARTS
    start = datetime.combine(day or now.date(), time(hour))
    if not part and start.date() == now.date() and start <= now:
        # "today", said after its usual hour, is by its end.
        start = max(start.replace(hour=DAY_ENDS), now + timedelta(hours=1))
    if part and start <= now:
        last = datetime.combine(start.date(), time(0)) + timedelta(hours=PARTS[part].last)
        if day is None and now >= last:
            start += timedelta(days=1)
        elif now < last and start.date() == now.date():
            start = now
    return TimeReading(start=start, has_date=day is not None, has_time=False, part=part)


def _one(pieces: Iterable[TimePiece], kind: type[_T]) -> _T | None:
    return next((piece.meaning for piece in pieces if isinstance(piece.meaning, kind)), None)


def _clock(pieces: Sequence[TimePiece]) -> ClockTime | None:
    bare = _one(pieces, Bare)
    return _one(pieces, ClockTime) or (ClockTime(bare.number) if bare and bare.number <= 24 else None)


def _part(pieces: Sequence[TimePiece]) -> str:
    names = [piece.meaning.name for piece in pieces if isinstance(piece.meaning, DayPart)]
    return names[0] if names else ""


def _day(pieces: Sequence[TimePiece], context: TimeContext) -> date | None:
    today = context.local.date()
    stated, weekday, offset = _one(pieces, CalendarDay), _one(pieces, Weekday), _one(pieces, DayOffset)
    full = [piece.meaning for piece in pieces if isinstance(piece.meaning, CalendarDay) and piece.meaning.month]
    if full or stated:
        return _calendar_day(full[0] if full else stated or full[0], weekday, context)
    if offset and (offset.days or not weekday):
        return today + timedelta(days=offset.days)
    return _weekday(weekday, pieces, context) if weekday else None


def _weekday(weekday: Weekday, pieces: Sequence[TimePiece], context: TimeContext) -> date:
    today = context.local.date()
    monday = today - timedelta(days=today.weekday())
    ahead = (weekday.number - today.weekday()) % 7
    if weekday.weeks is None or weekday.weeks == 0:
        if context.past:
            return today - timedelta(days=(today.weekday() - weekday.number) % 7)
        # "Friday" said on a Friday is the next one, unless with a clock time that is still ahead.
        if ahead == 0 and weekday.weeks is None and _clock(pieces) is None and not _one(pieces, DayPart):
            ahead = 7
        return today + timedelta(days=ahead, weeks=weekday.later)
    return monday + timedelta(weeks=weekday.weeks, days=weekday.number)


def _calendar_day(stated: CalendarDay, weekday: Weekday | None, context: TimeContext) -> date:
    today = context.local.date()
    if stated.month is None:
        return _day_of_month(stated, weekday, context)
    years = [stated.year] if stated.year else [today.year, today.year + 1]
    days = [_dated(year, stated.month, stated.day) for year in years]
    if stated.year:
        return days[0]
    if context.past and days[0] > today:
        return _dated(today.year - 1, stated.month, stated.day)
    return days[0] if days[0] >= today or context.past else days[1]


def _dated(year: int, month: int, day: int) -> date:
    last = calendar.monthrange(year, month)[1]
    if day > last + (1 if month == 2 and day == 29 else 0):
        raise ValueError(day)
    return date(year, month, last if (day in (-1, 29) and day > last) or day == -1 else day)


def _day_of_month(stated: CalendarDay, weekday: Weekday | None, context: TimeContext) -> date:
    """The next such day; where a weekday is stated, the next on which both agree, if it is near."""
    today = context.local.date()
    months = [_months_after(today, index + stated.months) for index in range(13)]
    days = [
        _dated(year, month, stated.day) for year, month in months if stated.day <= calendar.monthrange(year, month)[1]
    ]
    if context.past:
        year, month = _months_after(today, -1)
        past = [day for day in (days[0], _dated(year, month, min(stated.day, 28))) if day <= today]
        return past[0]
    coming = [day for day in days if day >= today]
    near = [day for day in coming if day <= today + timedelta(days=_AGREEING_DAYS)]
    agreeing = [day for day in near if weekday and day.weekday() == weekday.number]
    return (agreeing or coming)[0]


def _months_after(today: date, months: int) -> tuple[int, int]:
    index = today.year * 12 + today.month - 1 + months
    return index // 12, index % 12 + 1


def _after_midnight(clock: ClockTime, part: str) -> bool:
    """Whether the hours of an evening belong to the following day: ``晚上12点``, ``1 at night``."""
    return part in ("evening", "night", "late") and clock.half != "pm" and (clock.hour in (12, 24) or clock.hour < 4)


def _time(clock: ClockTime, part: str, context: TimeContext, day: date | None) -> time:
    return time(_hour(clock, part, context.sense, day, context.local) % 24, clock.minute)


def _hour(clock: ClockTime, part: str, sense: Half | None, day: date | None, now: datetime | None) -> int:
    hour = clock.hour
    if clock.half:
        return hour % 12 + (12 if clock.half == "pm" else 0)
    if _after_midnight(clock, part):
        return 0 if hour in (12, 24) else hour
    if clock.exact or hour > 12:
        return hour
    if part:
        first, last, _ = PARTS[part]
        return next((one for one in (hour, hour + 12) if first <= one <= last), hour)
    return hour if hour == 12 else _likely_hour(clock, sense, day, now)


def _likely_hour(clock: ClockTime, sense: Half | None, day: date | None, now: datetime | None) -> int:
    """The half of the day by sense, and today, or where no day is stated, by what is still to come."""
    usual = _usual(clock.hour, sense)
    if now is None or (day is not None and day != now.date()):
        return usual
    both = (clock.hour, clock.hour + 12)
    ahead = [one for one in both if datetime.combine(now.date(), time(one, clock.minute)) > now]
    if ahead:
        return usual if usual in ahead else ahead[0]
    # With neither ahead today and no day stated, the next one to come is meant.
    return usual if sense or day is not None or clock.hour < 4 else clock.hour


def _usual(hour: int, sense: Half | None) -> int:
    """Half of the day of an hour by sense: a meeting at 3 is in the afternoon, one at 9 in the morning."""
    if sense == "am":
        return hour if hour >= 3 else hour + 12
    if sense == "pm":
        return hour + 12 if hour < 11 else hour
    return hour if hour >= 7 else hour + 12
