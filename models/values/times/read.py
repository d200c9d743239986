"""Reads the time that a span of a text, or the text as a whole, states."""

import re
from collections.abc import Sequence
from datetime import datetime

from models.values.folding import fold, locate
from models.values.times.pieces import CalendarDay, Clock, DayOffset, DayPart, Half, Piece, Shift, Until, Weekday
from models.values.times.resolve import TimeContext, TimeReading, resolve
from models.values.times.scan import groups, scan

_DAYS = (CalendarDay, Weekday, DayOffset)
_MORNING = re.compile(
    r"\b(?:school|breakfast|brekkie|wake|alarm|shift|surgery|clinic|gp|fasting|assembly|drop ?off|delivery|deliver"
    r"|boiler|plumber|engineer|technician|service|sunrise|flight)\b|早饭|早餐|上学|送娃|起床|叫我|闹钟|早班|抽血|空腹|体检"
)
_EVENING = re.compile(
    r"\b(?:dinner|supper|drinks?|pub|party|gig|concert|disco|film|movie|cinema|quiz|bbq|barbecue|buffet|theatre|show|tea"
    r"|tonight|evening|kick ?off|training|footy|five-a-side|book club|homework|curry|pints?|takeaway|wine|date night)\b"
    r"|晚饭|晚餐|聚餐|聚会|吃饭|电影|演出|演唱会|喝酒|火锅|撸串|KTV|夜场|今晚|婚宴|生日"
)
_DEADLINE = re.compile(
    r"\b(?:by|before|due|until|till|deadline|expires?|closes?|latest|no later than|b4)\b|截止|到期|之?前|逾期"
)
_FIRST_OF_MANY = re.compile(r"\b(?:start\w{0,3}|from|begin\w{0,4}|commenc\w{0,3})\b|开始|起")


def read_span(span: str, text: str, now: datetime, *, day_first: bool = True, half: Half | None = None,
              past: bool = False) -> TimeReading | None:  # fmt: skip
    """The time that ``span``, a part of ``text``, states; a missing day or clock time is taken from beside it.

    Args:
        span: the words of the time, give or take a word on either side.
        text: the whole text.
        now: the phone's clock.
        day_first: whether the phone's region writes the day before the month.
        half: the half of the day that is meant where none is stated; None = by the words of the text.
        past: whether a day that is over is meant.
    """
    place = locate(span, text)
    if place is None:
        return read_text(span, now, day_first=day_first, half=half, past=past) if span.strip() else None
    folded = fold(text)
    found = groups(scan(folded, day_first=day_first), folded)
    context = TimeContext(now=now, sense=half or sense(folded), past=past)
    touching = [group for group in found if group[-1].end > place[0] and group[0].start < place[1]]
    if not touching:
        alone = fold(span)
        if alone.strip().isdigit():
            alone = f"at {alone.strip()}"
        touching = groups(scan(alone, day_first=day_first), alone)
        return resolve(_best(touching, alone), context) if touching else None
    own = _within(_best(touching, folded), place)
    return resolve(_completed(own, found, place[0], folded), context)


def read_text(text: str, now: datetime, *, day_first: bool = True, half: Half | None = None, past: bool = False,
              dated: bool = False, deadline: bool = False) -> TimeReading | None:  # fmt: skip
    """The time that ``text`` is most clearly about; None when it states none.

    Args:
        dated: whether only a stated day counts.
        deadline: whether the last day for something is looked for.
    """
    folded = fold(text)
    found = groups(scan(folded, day_first=day_first), folded)
    if dated:
        found = [group for group in found if _has(group, (*_DAYS, Shift))]
    if not found:
        return None
    best = _best(found, folded, deadline=deadline)
    context = TimeContext(now=now, sense=half or sense(folded), past=past)
    return resolve(best if dated else _completed(best, found, best[0].start, folded), context)


def sense(folded: str) -> Half | None:
    """The half of the day that the words of a text speak of."""
    if _EVENING.search(folded):
        return "pm"
    return "am" if _MORNING.search(folded) else None


def _has(group: Sequence[Piece], kinds: tuple[type, ...]) -> bool:
    return any(isinstance(piece.meaning, kinds) for piece in group)


def _best(found: Sequence[Sequence[Piece]], folded: str, *, deadline: bool = False) -> Sequence[Piece]:
    def worth(group: Sequence[Piece]) -> float:
        points = 4.0 * _has(group, (*_DAYS, Shift)) + 3.0 * _has(group, (Clock, Shift)) + 1.0 * _has(group, (DayPart,))
        around = folded[max(0, group[0].start - 14) : group[-1].end + 6]
        return points + (3.0 if deadline and _DEADLINE.search(around) else 0)

    return max(found, key=worth)


def _within(group: Sequence[Piece], place: tuple[int, int]) -> Sequence[Piece]:
    """The side of a range that the span points at, if it points at its end alone."""
    cut = next((index for index, piece in enumerate(group) if isinstance(piece.meaning, Until)), None)
    if cut is None or place[0] < group[cut].end or not group[cut + 1 :]:
        return group
    after = group[cut + 1 :]
    return after if _has(after, _DAYS) or not _has(group, _DAYS) else group


def _completed(own: Sequence[Piece], found: Sequence[Sequence[Piece]], place: int, folded: str) -> Sequence[Piece]:
    """With the nearest day, or clock time, of another group, where the own one has none."""
    others = sorted((group for group in found if group[0] not in own), key=lambda group: abs(group[0].start - place))
    if _has(own, (Shift,)):
        return own
    if not _has(own, _DAYS):
        days = next((group for group in others if _has(group, _DAYS)), ())
        return [*(piece for piece in days if isinstance(piece.meaning, (*_DAYS, DayPart))), *own]
    if not _has(own, (Clock,)) and not any(_has(group, _DAYS) for group in others):
        own = [*own, *next((group for group in others if _has(group, (Clock,))), ())]
    first = _first_day(own, others, folded)
    return [first, *own] if first else own


def _first_day(own: Sequence[Piece], others: Sequence[Sequence[Piece]], folded: str) -> Piece | None:
    """The date of ``every Sat ... starting 12 Sept``."""
    if _has(own, (CalendarDay,)) or not _has(own, (Weekday,)):
        return None
    for group in others:
        for piece in group:
            led = _FIRST_OF_MANY.search(folded[max(0, piece.start - 14) : piece.start])
            if isinstance(piece.meaning, CalendarDay) and piece.meaning.month and led:
                return piece
    return None
