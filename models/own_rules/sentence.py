"""Reads a rule from one sentence: what must happen, a colon or comma, and what heed shall propose then."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import time
from itertools import pairwise

from pydantic import JsonValue

from function_pool.spec import Pool
from function_pool.taught import named_task
from heed.errors import UsageError
from heed.messages import msg
from models.own_rules.building import (
    DAY,
    HOW,
    Begins,
    at_event,
    at_time,
    build,
    call_of,
    known_place,
    minutes_until,
    valid,
)
from models.own_rules.phrases import DaysPhrase, find, phrase_table
from models.routines.rules.due_time import DueTime
from models.routines.rules.situations import Situation
from models.routines.rules.value_test import WEEKDAYS, Weekday
from models.values.times import read_text

_DIVIDES = (re.compile(r"\s{0,4}(?::\s|：)\s*"), re.compile(r"\s{0,4}(?:，|,\s|\bthen\b|(?<=时)就)\s*"))
"""What stands between when and what; a comma only where there is no colon."""
_DIGITAL = re.compile(r"(?<!\d)\d{1,2}[:：]\d\d(?!\d)")
_EXCEPT = re.compile(r"\b(?:except|unless|but not|every (?:other|second))\b.*|除[了非].*|隔[天周].*", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(?:tonight|today|tomorrow|once|next)\b|今[天晚早日]|明[天晚早日]|后天|下个?(?:周|星期|礼拜)", re.IGNORECASE
)
_TO = re.compile(r"\s*(?:-|–|—|\bto\b|\bthrough\b|\bthru\b|\btill\b|\buntil\b|到|至)\s*", re.IGNORECASE)
_UNTIL = re.compile(r"(?:\buntil|\btill|直到|到)\s*(?P<until>.+)", re.IGNORECASE)
_FOR = re.compile(
    r"(?:\bfor\s{1,4})?(?P<count>\d{1,4}|an?|half an|半个?|一个?|两个?)\s{0,4}"
    r"(?P<unit>minutes?|mins?|hours?|h\b|分钟|小时|钟头)",
    re.IGNORECASE,
)
_COUNTS: Mapping[str, float] = {
    **{"a": 1, "an": 1, "half an": 0.5},
    **{"半": 0.5, "半个": 0.5, "一": 1, "一个": 1, "两": 2, "两个": 2},
}


def read_rule(sentence: str, number: int, pool: Pool, places: Mapping[str, str]) -> Situation:
    """Read a rule.

    Args:
        sentence: in English or Chinese.
        number: of the rule; its id is ``rule_NUMBER``.
        pool: the functions that it may propose.
        places: each name, in lower case, that a sentence may use for a known place, with ``Context.place`` there.

    Raises ``UsageError`` that says which part was not understood.
    """
    cause, divider, wanted = _divided(" ".join(sentence.split()))
    if not divider or not cause or not wanted:
        raise UsageError(msg("The rule lacks a colon between when and what."), HOW)
    if excepted := _EXCEPT.search(cause):
        raise UsageError(msg("When? “{cause}” was not understood.", cause=excepted[0]), HOW)
    due = _due(cause)
    begins = at_time(due) if due else _from_event(cause, places)
    call = _call(wanted, due.time if due else None, pool)
    return build(number, sentence, begins, call)


def _divided(sentence: str) -> tuple[str, str, str]:
    match = next(filter(None, (divides.search(sentence) for divides in _DIVIDES)), None)
    return (sentence[: match.start()], match[0] or ":", sentence[match.end() :]) if match else (sentence, "", "")


def _due(cause: str) -> DueTime | None:
    """The times of a schedule; None where no time of day is stated, or an event is."""
    table = phrase_table()
    if re.match(r"\s*(?:when|if|as soon as)\b", cause, re.IGNORECASE) or find(table.events[:-1], cause):
        return None
    patterns = "|".join(pattern for phrase in table.days for pattern in phrase.matches)
    # "6:45" without a half of the day is what a clock of 24 hours shows.
    words = re.sub(patterns, " ", cause, flags=re.IGNORECASE)
    read = read_text(words, DAY, half="am" if _DIGITAL.search(cause) else None)
    if read is None or not read.has_time:
        return None
    if read.has_date or _ONCE.search(cause):
        raise UsageError(
            msg("“{cause}” comes once, and a rule repeats.", cause=cause),
            msg("Name weekdays, or say every day; what is to be done once is for `heed do`."),
        )
    return DueTime(time=read.start.time(), days=_days(cause))


def _days(cause: str) -> tuple[Weekday, ...]:
    """The weekdays that a schedule names, those between the ends of a range included; none = all."""
    found = sorted((match.start(), match.end(), phrase.days) for match, phrase in _named_days(cause))
    named = {day for _, _, days in found for day in days}
    for (_, end, first), (start, _, last) in pairwise(found):
        if _TO.fullmatch(cause[end:start]):
            named |= set(_between(first[0], last[-1]))
    return tuple(day for day in WEEKDAYS if day in named) or WEEKDAYS


def _named_days(cause: str) -> Iterator[tuple[re.Match[str], DaysPhrase]]:
    for phrase in phrase_table().days:
        for pattern in phrase.matches:
            yield from ((match, phrase) for match in re.finditer(pattern, cause, re.IGNORECASE))


def _between(first: Weekday, last: Weekday) -> Iterator[Weekday]:
    """The days from one to another, over the end of the week where need be."""
    start = WEEKDAYS.index(first)
    for number in range((WEEKDAYS.index(last) - start) % len(WEEKDAYS) + 1):
        yield WEEKDAYS[(start + number) % len(WEEKDAYS)]


def _from_event(cause: str, places: Mapping[str, str]) -> Begins:
    events = phrase_table().events
    found = find(events, cause)
    if found is None:
        raise UsageError(msg("When? “{cause}” was not understood.", cause=cause), HOW)
    groups = dict(found.groups)
    if "place" in groups:
        groups["place"] = known_place(groups["place"], places)
        groups["named"] = re.sub(r"\bmy\b", "your", groups["named"])
    return at_event(events[found.number], groups)


def _call(wanted: str, begins: time | None, pool: Pool) -> dict[str, JsonValue]:
    if (taught := named_task(wanted, pool)) is not None:
        return valid({"name": taught.spec.name, "parameters": dict(taught.arguments)}, pool)
    actions = phrase_table().actions
    found = find(actions, wanted)
    if found is None:
        raise UsageError(msg("What? “{wanted}” was not understood.", wanted=wanted), HOW)
    action = actions[found.number]
    return call_of(action, found.groups, _minutes(wanted, begins) if action.duration else None, pool)


def _minutes(wanted: str, begins: time | None) -> int | None:
    """For how long, from "until" a time of day or "for" a while; None where neither is said."""
    until = _UNTIL.search(wanted)
    read = until and (read_text(until["until"], DAY) or read_text(f"at {until['until']}", DAY))
    if read and read.has_time:
        if begins is None:
            raise UsageError(
                msg("Until when is known only for a rule with a time."), msg("Say for how long: “for 2 hours”.")
            )
        return minutes_until(begins, read.start.time())
    if lasts := _FOR.search(wanted):
        count = float(_COUNTS.get(lasts["count"].casefold()) or lasts["count"])
        return round(count * (1 if lasts["unit"].casefold().startswith(("m", "分")) else 60))
    return None


def free_number(ids: Iterable[str]) -> int:
    """The first number that no rule among these ids has."""
    taken = {int(name.removeprefix("rule_")) for name in ids if name.removeprefix("rule_").isdecimal()}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)
