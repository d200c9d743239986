"""Reads a rule from one sentence: what must happen, a colon or comma, and what heed shall propose then."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta

from pydantic import JsonValue, ValidationError

from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.taught import named_task
from function_pool.validation import validate
from heed.errors import UsageError
from heed.messages import Message, msg
from models.own_rules.phrases import filled, find, phrase_table
from models.routines.rules.due_time import DueTime
from models.routines.rules.situations import Situation
from models.routines.rules.value_test import WEEKDAYS, Weekday
from models.values.times import read_text

CONFIDENCE = 0.9
"""The owner wrote the rule, so it is wanted; a cool-down or a pause still silences it."""
SCENARIO = "Personal Management"
_DIVIDES = (re.compile(r"\s{0,4}(?::\s|：)\s*"), re.compile(r"\s{0,4}(?:，|,\s|\bthen\b|(?<=时)就)\s*"))
"""What stands between when and what; a comma only where there is no colon."""
_DAY = datetime(2026, 3, 2, tzinfo=UTC)
"""A Monday at midnight: times of day are read from there, and examples play in that week."""
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


_HOW: Message = msg(
    "Write it like “weekdays 22:30: do not disturb until 7” or “when I arrive at the gym: music”; see docs/rules.md."
)


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
        raise UsageError(msg("The rule lacks a colon between when and what."), _HOW)
    due = _due(cause)
    begins = _from_time(due) if due else _from_event(cause, places)
    call = _call(wanted, due.time if due else None, pool)
    about = {"en": sentence, "zh": sentence}
    fixed = {"id": f"rule_{number}", "about": about, "scenario": SCENARIO, "confidence": CONFIDENCE, "by_default": True}
    try:
        return Situation.model_validate({**fixed, **begins, "calls": [call]})
    except ValidationError as error:
        raise UsageError(msg("The rule was not understood."), _HOW) from error


def _divided(sentence: str) -> tuple[str, str, str]:
    match = next(filter(None, (divides.search(sentence) for divides in _DIVIDES)), None)
    return (sentence[: match.start()], match[0] or ":", sentence[match.end() :]) if match else (sentence, "", "")


def _due(cause: str) -> DueTime | None:
    """The times of a schedule; None where no time of day is stated, or an event is."""
    table = phrase_table()
    if re.match(r"\s*(?:when|if|as soon as)\b", cause, re.IGNORECASE) or find(table.events[:-1], cause):
        return None
    patterns = "|".join(pattern for phrase in table.days for pattern in phrase.matches)
    read = read_text(re.sub(patterns, " ", cause, flags=re.IGNORECASE), _DAY)
    if read is None or not read.has_time:
        return None
    return DueTime(time=read.start.time(), days=_days(cause))


def _days(cause: str) -> tuple[Weekday, ...]:
    named = {day for phrase in phrase_table().days if find([phrase], cause) for day in phrase.days}
    return tuple(day for day in WEEKDAYS if day in named) or WEEKDAYS


def _from_time(due: DueTime) -> dict[str, object]:
    shown, example = f"{due.time:%H:%M}", due.next(_DAY - timedelta(minutes=1))
    return {
        "when": ["clock"],
        "due": due,
        "because": {"en": f"It is {shown}", "zh": f"{shown}到了"},
        "example": {"now": example, "trigger": "clock"},
    }


def _from_event(cause: str, places: Mapping[str, str]) -> dict[str, object]:
    events = phrase_table().events
    found = find(events, cause)
    if found is None:
        raise UsageError(msg("When? “{cause}” was not understood.", cause=cause), _HOW)
    event, groups = events[found.number], dict(found.groups)
    if "place" in groups:
        groups["place"] = _place(groups["place"], places)
        groups["named"] = re.sub(r"\bmy\b", "your", groups["named"])
    words = {language: filled(text, groups) for language, text in event.because.model_dump().items()}
    example = filled(dict(event.example), groups)
    return {
        "when": event.when,
        "all": filled(list(event.all), groups),
        "because": words,
        "example": {"now": _DAY.replace(hour=18), **(example if isinstance(example, dict) else {})},
    }


def _place(name: str, places: Mapping[str, str]) -> str:
    known = places.get(name.casefold().strip(" ."))
    if known is None:
        raise UsageError(
            msg("Your profile has no place {name!r}.", name=name),
            msg("It has: {places}. Add it with the names of its Wi-Fi networks.", places=sorted(set(places.values()))),
        )
    return known


def _call(wanted: str, begins: time | None, pool: Pool) -> dict[str, JsonValue]:
    if (taught := named_task(wanted, pool)) is not None:
        return _valid({"name": taught.spec.name, "parameters": dict(taught.arguments)}, pool)
    actions = phrase_table().actions
    found = find(actions, wanted)
    if found is None:
        raise UsageError(msg("What? “{wanted}” was not understood.", wanted=wanted), _HOW)
    action = actions[found.number]
    parameters = {name: filled(value, found.groups) for name, value in action.parameters.items()}
    if action.duration and (minutes := _minutes(wanted, begins)) is not None:
        parameters[action.duration] = minutes
    return _valid({"name": action.name, "parameters": parameters}, pool)


def _valid(call: dict[str, JsonValue], pool: Pool) -> dict[str, JsonValue]:
    validate(pool, FunctionCall.model_validate(call))
    return call


def _minutes(wanted: str, begins: time | None) -> int | None:
    """For how long, from "until" a time of day or "for" a while; None where neither is said."""
    until = _UNTIL.search(wanted)
    read = until and (read_text(until["until"], _DAY) or read_text(f"at {until['until']}", _DAY))
    if read and read.has_time:
        if begins is None:
            raise UsageError(
                msg("Until when is known only for a rule with a time."), msg("Say for how long: “for 2 hours”.")
            )
        length = datetime.combine(_DAY, read.start.time()) - datetime.combine(_DAY, begins)
        return int(length.total_seconds() // 60) % (24 * 60) or 24 * 60
    if lasts := _FOR.search(wanted):
        count = float(_COUNTS.get(lasts["count"].casefold()) or lasts["count"])
        return round(count * (1 if lasts["unit"].casefold().startswith(("m", "分")) else 60))
    return None


def free_number(ids: Iterable[str]) -> int:
    """The first number that no rule among these ids has."""
    taken = {int(name.removeprefix("rule_")) for name in ids if name.removeprefix("rule_").isdecimal()}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)
