"""The words of a day, for a moment without a date: "Friday", "20 May", "明天下午"."""

import re
from collections.abc import Sequence

from models.values.folding import fold
from models.values.times.pieces import CalendarDay, DayOffset, DayPart, TimePiece, Weekday
from models.values.times.scan import scan

_DAYS = (CalendarDay, Weekday, DayOffset)
_BEFORE = re.compile(r"^(?:on|by|until|till|before|from|this coming)\s+", re.IGNORECASE)
"""Words before a day that a piece may hold."""
_GAP = 3
"""Characters between a day and the part of the day that belongs to it."""


def day_words(text: str, *, last: bool = False, part: bool = False) -> str | None:
    """The words that name a day in ``text``, as they stand there; None where there are none.

    Args:
        text: the words of a time, which may hold clock times and a range of days.
        last: whether the last day is meant, not the first.
        part: whether the part of the day belongs to it.
    """
    pieces = scan(fold(text), day_first=True)
    found = _day(pieces, last=last)
    if found is None:
        return None
    start, end = found.start, found.end
    for piece in pieces:
        if part and isinstance(piece.meaning, DayPart) and 0 <= piece.start - end <= _GAP:
            end = piece.end
    return _BEFORE.sub("", text[start:end].strip())


def _day(pieces: Sequence[TimePiece], *, last: bool) -> TimePiece | None:
    """The day; of a weekday with its date, the date."""
    days = [piece for piece in pieces if isinstance(piece.meaning, _DAYS)]
    dates = [piece for piece in days if isinstance(piece.meaning, CalendarDay) and piece.meaning.month]
    of_kind = dates or days
    return of_kind[-1 if last else 0] if of_kind else None
