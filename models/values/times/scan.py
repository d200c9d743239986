"""Finds the pieces of time expressions in a text and groups those that belong together."""

import re
from collections.abc import Sequence

from models.values.times import chinese, english
from models.values.times.pieces import (
    Bare,
    CalendarDay,
    ClockTime,
    DayOffset,
    DayPart,
    Shift,
    TimePiece,
    Until,
    Weekday,
)

_MONTH_DAY = re.compile(
    r"(?<![\w/.£$€-])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>20\d\d|\d\d))?(?![\w/%])(?!\s(?:hours?|hrs?|of)\b)"
)
_DASHED = re.compile(
    r"(?<![\w/.-])(?P<first>\d{1,2})(?P<mark>[.-])(?P<second>\d{1,2})(?P=mark)(?P<year>20\d\d|\d\d)(?![\w/-])"
)
_DOTTED = re.compile(r"(?<![\d.])(?P<first>\d{1,2})\.(?P<second>0?[1-9]|1[0-2])\.(?=$|\s|,)(?P<year>(?!))?")
_NOT_DATES = frozenset({(24, 7), (1, 2), (1, 3), (1, 4), (2, 3), (3, 4)})
_RULES = (*chinese.RULES[:-1], *english.RULES[:-2], *chinese.RULES[-1:], *english.RULES[-2:])
_GAP = 16
"""Characters between two pieces of one expression."""
_FILLER = re.compile(
    r"(?:[\s,.()/@|·:;'\[\]，。、（）-]|\b(?:at|on|from|the|by|in|around|about|approx|now|starts?|starting|before|b4|between|due|of|be|kick"
    r"|off|ko|is|for|sharp|early|late|this|next|dt|sch|dep|time|date)\b|的|于|在|從|从|开始|时间|约|大概)*"
)
_LEADS = re.compile(
    r"(?:\b(?:at|by|before|b4|from|till?|until|around|about|after|past|between|approx|pre|circa|say|like|in for|dinner"
    r"|supper|lunch|brunch)|@|~)\s?$"
)
_SHARP_OR_INSTEAD = re.compile(r"\s?(?:sharp\b|(?:instead of|not|rather than)\s(?:at\s)?\d)")
_AFTER_BARE = re.compile(
    r"\s*+(?:$|[.,!?;)&/]|-(?![a-z])|[^\w\s-]|(?:at|in|for|from|ok|pls|plz|please|sharp|x{1,3}|and|then|if|cos|coz|cuz|so|but|to|til|till"
    r"|until|on|or|instead|not|open|unless|since|because|bc|we|i|i'm|im|you|u|she|he|they|it|it's|its|ur|your|my|outside"
    r"|there|here|bring|before|after|by|as|every|each|free|works?|latest|max|cheers|ta|thanks|thx|with|when|be|mate|love"
    r"|hun|everyone|all|onwards|onward|start|kick|tonight)\b)"
)
_DATES = (CalendarDay, Weekday, DayOffset)


def scan(folded: str, *, day_first: bool) -> list[TimePiece]:
    """The pieces in order; ``folded`` is a text in its plain form."""
    found = _numeric_dates(folded, day_first)
    for rule in _RULES:
        for match in rule.pattern.finditer(folded):
            if match.end() > match.start() and not any(p.start < match.end() and match.start() < p.end for p in found):
                meanings = rule.read(match) or ()
                found.extend(TimePiece(match.start(), match.end(), meaning) for meaning in meanings)
    return sorted(found, key=lambda piece: (piece.start, piece.end))


def _numeric_dates(folded: str, day_first: bool) -> list[TimePiece]:
    found: list[TimePiece] = []
    for pattern in (_DASHED, _MONTH_DAY, _DOTTED):
        for match in pattern.finditer(folded):
            first, second = int(match["first"]), int(match["second"])
            if pattern is _MONTH_DAY and not match["year"] and (first, second) in _NOT_DATES:
                continue
            if pattern is _DOTTED and first < 13:
                continue
            in_order = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
            meaning = english.calendar_day(match["year"], in_order[1], in_order[0])
            if meaning and not any(p.start < match.end() and match.start() < p.end for p in found):
                found.append(TimePiece(match.start(), match.end(), meaning[0]))
    return found


def groups(pieces: Sequence[TimePiece], folded: str) -> list[tuple[TimePiece, ...]]:
    """Pieces that stand beside each other; numbers and range marks only where others give them a sense."""
    found: list[list[TimePiece]] = []
    for piece in pieces:
        if found and _joined(found[-1][-1], piece, folded):
            found[-1].append(piece)
        else:
            found.append([piece])
    trimmed = (_trimmed(group, folded) for group in found)
    return [group for group in trimmed if group]


def _joined(before: TimePiece, after: TimePiece, folded: str) -> bool:
    gap = folded[before.end : after.start]
    return len(gap) <= _GAP and _FILLER.fullmatch(gap) is not None and "\n\n" not in gap


def _trimmed(group: list[TimePiece], folded: str) -> tuple[TimePiece, ...]:
    """Without the numbers that are no times, and without range marks that join nothing."""
    kept = [piece for index, piece in enumerate(_with_days(group)) if _counts(group, index, folded)]
    while kept and isinstance(kept[-1].meaning, Until):
        kept.pop()
    while kept and isinstance(kept[0].meaning, Until):
        kept.pop(0)
    return tuple(kept)


def _with_days(group: Sequence[TimePiece]) -> list[TimePiece]:
    """``Sat 12 at 7:30``: beside a clock time, the number after a weekday is a day of the month."""
    least = 1 if any(isinstance(piece.meaning, ClockTime) for piece in group) else 13
    return [
        piece._replace(meaning=CalendarDay(piece.meaning.number))
        if isinstance(piece.meaning, Bare) and least <= piece.meaning.number <= 31 and _is_day(group, index)
        else piece
        for index, piece in enumerate(group)
    ]


def _is_day(group: Sequence[TimePiece], index: int) -> bool:
    """Whether a number follows a weekday and does not begin a range of clock times, as in ``Thursday 2-4pm``."""
    begins = index + 2 < len(group) and isinstance(group[index + 1].meaning, Until)
    hours = begins and isinstance(group[index + 2].meaning, (ClockTime, Bare))
    return index > 0 and isinstance(group[index - 1].meaning, Weekday) and not hours


def _is_window(group: Sequence[TimePiece], index: int, folded: str) -> bool:
    """Whether a number is one end of ``10 til 12``, said with a word."""
    for at in (index - 1, index + 1):
        if 0 < at < len(group) - 1 and isinstance(group[at].meaning, Until):
            ends = [piece.meaning for piece in (group[at - 1], group[at + 1])]
            hours = all(isinstance(one, Bare) and one.number <= 24 for one in ends)
            return hours and folded[group[at].start : group[at].end].strip() in ("to", "til", "till", "until")
    return False


def _counts(group: Sequence[TimePiece], index: int, folded: str) -> bool:
    piece = group[index]
    if not isinstance(piece.meaning, Bare):
        return True
    around = [group[other].meaning for other in (index - 1, index + 1) if 0 <= other < len(group)]
    in_range = any(isinstance(meaning, Until) for meaning in around) and any(
        not isinstance(other.meaning, (Until, Bare)) for other in group
    )
    is_hour_or_day = piece.meaning.number <= 24 or any(isinstance(other.meaning, CalendarDay) for other in group)
    follows = _AFTER_BARE.match(folded, piece.end) is not None or (
        index + 1 < len(group) and group[index + 1].start - piece.end <= 2
    )
    counted = folded[: piece.start].endswith("for ") and not folded[: piece.start].endswith("in for ")
    if counted or not follows or not 1 <= piece.meaning.number <= 31:
        return False
    led = piece.meaning.number <= 24 and (
        _LEADS.search(folded[max(0, piece.start - 9) : piece.start]) is not None
        or _SHARP_OR_INSTEAD.match(folded, piece.end) is not None
        or _is_window(group, index, folded)
    )
    beside = any(isinstance(meaning, (*_DATES, DayPart)) for meaning in around) and piece.meaning.number <= 12
    has_clock = any(isinstance(other.meaning, (ClockTime, Shift)) for other in group)
    return (in_range and is_hour_or_day) or ((led or beside) and not has_clock)
