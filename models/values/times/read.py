"""Reads the time that a span of a text, or the text as a whole, states."""

import re
from collections.abc import Sequence
from datetime import datetime

from models.values.folding import fold, locate
from models.values.times.pieces import (
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
_REPLACED_BEFORE = re.compile(
    r"(?:\b(?:not|instead of|rather than|no longer|isn'?t|off the)\s(?:(?:at|on|by|the|until|till)\s){0,2}"
    r"|不是|而不是|不再是)$"
)
_REPLACED_AFTER = re.compile(r"\s?(?:any ?more\b|(?:→|->|改到|改成|改为|is (?:off|cancelled)))")
_SENTENCE_END = re.compile(r"[.!?。！？\n]\s")
_FAR = 80
"""Characters between a day and its clock time, where the text has several days."""


def read_span(span: str, text: str, now: datetime, *, day_first: bool = True, half: Half | None = None,
              past: bool = False, whole: bool = False) -> TimeReading | None:  # fmt: skip
    """The time that ``span``, a part of ``text``, states; a missing day or clock time is taken from beside it.

    Args:
        span: the words of the time, give or take a word on either side.
        text: the whole text.
        now: the phone's clock.
        day_first: whether the phone's region writes the day before the month.
        half: the half of the day that is meant where none is stated; None = by the words of the text.
        past: whether a day that is over is meant.
        whole: whether a span at the end of a range means the range.
    """
    place = locate(span, text)
    if place is None:
        return read_text(span, now, day_first=day_first, half=half, past=past) if span.strip() else None
    folded = fold(text)
    stated = groups(scan(folded, day_first=day_first), folded)
    found = _valid(stated, folded)
    context = TimeContext(now=now, sense=half or sense(folded), past=past)
    touching = _touching(found, place)
    if touching or _touching(stated, place):
        # A span that points at a time that another one replaces means the other.
        own = _joined(touching, folded) if touching else _best(found, folded)
        return resolve(_completed(_within(own, place, whole=whole), found, place[0], folded), context)
    alone = fold(span)
    if alone.strip().isdigit():
        alone = f"at {alone.strip()}"
    own_groups = groups(scan(alone, day_first=day_first), alone)
    return resolve(_best(own_groups, alone), context) if own_groups else None


def read_text(text: str, now: datetime, *, day_first: bool = True, half: Half | None = None, past: bool = False,
              dated: bool = False, deadline: bool = False) -> TimeReading | None:  # fmt: skip
    """The time that ``text`` is most clearly about; None when it states none.

    Args:
        dated: whether only a stated day counts.
        deadline: whether the last day for something is looked for.
    """
    folded = fold(text)
    found: Sequence[Sequence[TimePiece]] = _valid(groups(scan(folded, day_first=day_first), folded), folded)
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


def _touching(found: Sequence[Sequence[TimePiece]], place: tuple[int, int]) -> Sequence[Sequence[TimePiece]]:
    return [group for group in found if group[-1].end > place[0] and group[0].start < place[1]]


def _valid(found: Sequence[Sequence[TimePiece]], folded: str) -> Sequence[Sequence[TimePiece]]:
    """Without the times that others replace: "9 not 9:30", "11 instead of 12"; all where nothing else is left."""
    kept = [rest for group in found if (rest := _not_replaced(group, folded))]
    return kept or found


def _not_replaced(group: Sequence[TimePiece], folded: str) -> Sequence[TimePiece]:
    """A group without the time that is replaced: of ``not Friday, 8:45`` the clock time."""
    if _REPLACED_AFTER.match(folded, group[-1].end):
        return ()
    if not _REPLACED_BEFORE.search(folded[max(0, group[0].start - 24) : group[0].start]):
        return group
    kind = _DAYS if isinstance(group[0].meaning, _DAYS) else (ClockTime, Bare)
    cut = 1
    while cut < len(group) and isinstance(group[cut].meaning, kind) and group[cut].start - group[cut - 1].end <= 1:
        cut += 1
    return [piece for piece in group[cut:] if not isinstance(piece.meaning, Until)]


def _has(group: Sequence[TimePiece], kinds: tuple[type, ...]) -> bool:
    return any(isinstance(piece.meaning, kinds) for piece in group)


def _best(found: Sequence[Sequence[TimePiece]], folded: str, *, deadline: bool = False) -> Sequence[TimePiece]:
    def worth(group: Sequence[TimePiece]) -> float:
        points = (
            4.0 * _has(group, (*_DAYS, Shift)) + 3.0 * _has(group, (ClockTime, Shift)) + 1.0 * _has(group, (DayPart,))
        )
        around = folded[max(0, group[0].start - 14) : group[-1].end + 6]
        return points + (3.0 if deadline and _DEADLINE.search(around) else 0)

    return max(found, key=worth)


def _joined(touching: Sequence[Sequence[TimePiece]], folded: str) -> Sequence[TimePiece]:
    """The best of the groups that a span touches, with the clock time of another where it has a day alone."""
    best = _best(touching, folded)
    if _has(best, (ClockTime, Shift, Bare)):
        return best
    return [*best, *next((group for group in touching if _has(group, (ClockTime, Bare))), ())]


def _within(group: Sequence[TimePiece], place: tuple[int, int], *, whole: bool) -> Sequence[TimePiece]:
    """The side of a range that the span points at, if it points at its end alone.

    With ``whole`` it still means the range, but for a move from one day to another.
    """
    cut = next((index for index, piece in enumerate(group) if isinstance(piece.meaning, Until)), None)
    if cut is None or place[0] < group[cut].end or not group[cut + 1 :]:
        return group
    if whole and not _has(group[:cut], _DAYS):
        return group
    after = group[cut + 1 :]
    return after if _has(after, _DAYS) or not _has(group, _DAYS) else group


def _completed(
    own: Sequence[TimePiece], found: Sequence[Sequence[TimePiece]], place: int, folded: str
) -> Sequence[TimePiece]:
    """With the nearest day, or clock time, of another group, where the own one has none."""
    others = sorted((group for group in found if group[0] not in own), key=lambda group: abs(group[0].start - place))
    if _has(own, (Shift,)):
        return own
    if not _has(own, _DAYS):
        days = next((group for group in others if _has(group, _DAYS)), ())
        return [*(piece for piece in days if isinstance(piece.meaning, (*_DAYS, DayPart))), *own]
    if not _has(own, (ClockTime, Bare)):
        own = [*own, *_clock_beside(own, others, folded)]
    first = _first_day(own, others, folded)
    return [first, *own] if first else own


def _clock_beside(own: Sequence[TimePiece], others: Sequence[Sequence[TimePiece]], folded: str) -> Sequence[TimePiece]:
    """The nearest clock time that has no day of its own; of several days each may have one, so it must be near."""
    clocks = [group for group in others if _has(group, (ClockTime, Bare)) and not _has(group, _DAYS)]
    end = max(piece.end for piece in own)
    near = [group for group in clocks if 0 <= group[0].start - end <= _FAR and not _ends(folded, end, group)]
    if near or any(_has(group, _DAYS) for group in others):
        return near[0] if near else ()
    return clocks[0] if clocks else ()


def _ends(folded: str, end: int, group: Sequence[TimePiece]) -> bool:
    """Whether a clock time is a deadline, or stands in another sentence."""
    between = folded[end : group[0].start]
    return bool(_DEADLINE.search(between) or _SENTENCE_END.search(between))


def _first_day(own: Sequence[TimePiece], others: Sequence[Sequence[TimePiece]], folded: str) -> TimePiece | None:
    """The date of ``every Sat ... starting 12 Sept``."""
    if _has(own, (CalendarDay,)) or not _has(own, (Weekday,)):
        return None
    for group in others:
        for piece in group:
            led = _FIRST_OF_MANY.search(folded[max(0, piece.start - 14) : piece.start])
            if isinstance(piece.meaning, CalendarDay) and piece.meaning.month and led:
                return piece
    return None
