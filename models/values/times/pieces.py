"""The pieces that time expressions consist of, the same in every language."""

from collections.abc import Callable
from re import Match, Pattern
from typing import Literal, NamedTuple

Half = Literal["am", "pm"]


class CalendarDay(NamedTuple):
    """A day of the calendar; what is not stated is None."""

    day: int
    """-1 = the last day of the month."""
    month: int | None = None
    year: int | None = None
    months: int = 0
    """Months from now, for ``下个月5号``; counts when no month is stated."""


class Weekday(NamedTuple):
    """A day of the week."""

    number: int
    """0 = Monday."""
    weeks: int | None = None
    """Calendar weeks from now; None = the next such day."""
    later: int = 0
    """Weeks after that day, for ``Friday week``."""


class DayOffset(NamedTuple):
    """A day counted from today."""

    days: int


class Clock(NamedTuple):
    """A clock time."""

    hour: int
    minute: int = 0
    half: Half | None = None
    exact: bool = False
    """Whether it is on the 24-hour clock beyond doubt."""


class DayPart(NamedTuple):
    """A part of the day, by its name in ``PARTS``."""

    name: str


class Shift(NamedTuple):
    """A time counted from now."""

    minutes: int = 0
    days: int = 0


class Until(NamedTuple):
    """What stands between the start and the end of a range."""


class Bare(NamedTuple):
    """A number that is a clock time, or a day, only beside other pieces."""

    number: int


Meaning = CalendarDay | Weekday | DayOffset | Clock | DayPart | Shift | Until | Bare


class Piece(NamedTuple):
    """A piece where it stands in the text."""

    start: int
    end: int
    meaning: Meaning


class Rule(NamedTuple):
    """A pattern and the reader of its match, which gives None for what is no time."""

    pattern: Pattern[str]
    read: Callable[[Match[str]], tuple[Meaning, ...] | None]


class PartOfDay(NamedTuple):
    """Hours of a part of the day."""

    first: int
    last: int
    """The hour at which it ends."""
    usual: int
    """The hour that stands for it where no clock time is stated."""


PARTS = {
    "dawn": PartOfDay(0, 6, 5),
    "breakfast": PartOfDay(6, 10, 8),
    "first thing": PartOfDay(6, 10, 8),
    "morning": PartOfDay(5, 12, 9),
    "noon": PartOfDay(11, 15, 12),
    "afternoon": PartOfDay(12, 18, 14),
    "after work": PartOfDay(16, 20, 17),
    "evening": PartOfDay(17, 24, 19),
    "night": PartOfDay(18, 24, 20),
    "late": PartOfDay(21, 27, 22),
}
"""Parts of the day by name; hours of 24 and more belong to the following day."""
