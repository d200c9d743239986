"""Tests of one value, as conditions of situations declare them."""

import re
from datetime import datetime, time, timedelta
from functools import cache
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from heed.model import Frozen
from models.routines.rules.event_words import has_word, known_tables

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@cache
def regex(pattern: str) -> re.Pattern[str]:
    """The compiled pattern, ignoring case."""
    return re.compile(pattern, re.IGNORECASE)


def checked_pattern(pattern: str) -> str:
    """``pattern``; ``ValueError`` when it is no regular expression."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
    return pattern


class ValueTest(Frozen):
    """Requirements on a value; all that are given must be met."""

    is_: JsonValue = Field(default=None, alias="is")
    one_of: tuple[JsonValue, ...] = ()
    none_of: tuple[JsonValue, ...] = ()
    at_least: float | None = None
    at_most: float | None = None
    matches: str | None = None
    present: bool | None = None
    """Whether the value must be present, that is neither empty nor zero."""
    within_minutes: float | None = None
    """A time that is not past and at most this many minutes ahead."""
    past_minutes: float | None = None
    """A time that is not ahead and at most this many minutes past."""
    words: tuple[str, ...] = ()
    """A text that has a word of one of these tables (``event_words.yaml``)."""
    no_words: tuple[str, ...] = ()
    """A text that has no word of these tables."""
    or_absent: bool = False
    """Whether a value that is absent passes."""
    weekday: tuple[Weekday, ...] = ()
    """A time on one of these days."""
    between: tuple[time, time] | None = None
    """A time of day in this range, which may extend over midnight."""

    @field_validator("words", "no_words")
    @classmethod
    def _tables_exist(cls, named: tuple[str, ...]) -> tuple[str, ...]:
        return known_tables(named)

    _regular = field_validator("matches")(staticmethod(lambda value: value and checked_pattern(value)))

    def passes(self, value: JsonValue, now: datetime) -> bool:
        """Whether ``value`` meets all requirements."""
        moment = _as_time(value, now)
        given = self.model_fields_set
        if value is None and self.or_absent:
            return True
        return all(
            (
                "is_" not in given or value == self.is_,
                not self.one_of or value in self.one_of,
                not self.none_of or (value is not None and value not in self.none_of),
                self.at_least is None or (_is_number(value) and value >= self.at_least),  # type: ignore[operator]
                self.at_most is None or (_is_number(value) and value <= self.at_most),  # type: ignore[operator]
                self.matches is None or bool(regex(self.matches).search(str(value))),
                self.present is None or bool(value) == self.present,
                self.within_minutes is None or (moment is not None and _ahead(moment, now) <= self.within_minutes),
                self.past_minutes is None or (moment is not None and _ahead(now, moment) <= self.past_minutes),
                not self.words or has_word(value, self.words),
                not self.no_words or (isinstance(value, str) and not has_word(value, self.no_words)),
                not self.weekday or (moment is not None and WEEKDAYS[moment.weekday()] in self.weekday),
                self.between is None or (moment is not None and in_range(moment.time(), *self.between)),
            )
        )


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _as_time(value: JsonValue, now: datetime) -> datetime | None:
    """An ISO time, or for ``HH:MM`` the next such time."""
    if not isinstance(value, str):
        return None
    try:
        clock = time.fromisoformat(value) if len(value) <= len("HH:MM:SS") else None
        if clock is None:
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    except ValueError:
        return None
    today = datetime.combine(now.date(), clock, tzinfo=now.tzinfo)
    return today if today >= now else today + timedelta(days=1)


def _ahead(moment: datetime, now: datetime) -> float:
    """Minutes from ``now`` to ``moment``; infinite for a past one."""
    minutes = (moment - now).total_seconds() / 60
    return minutes if minutes >= 0 else float("inf")


def in_range(clock: time, first: time, last: time) -> bool:
    """Whether a time of day is in a range, which may extend over midnight."""
    return first <= clock <= last if first <= last else clock >= first or clock <= last
