"""Builds an own rule, a situation, from what was read of it: when, and what heed shall propose then."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta

from pydantic import JsonValue, ValidationError

from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.errors import UsageError
from heed.messages import Message, msg
from models.own_rules.phrases import ActionPhrase, EventPhrase, filled
from models.routines.rules.due_time import DueTime
from models.routines.rules.situations import Situation

CONFIDENCE = 0.9
"""The owner wrote the rule, so it is wanted; a cool-down or a pause still silences it."""
SCENARIO = "Personal Management"
DAY = datetime(2026, 3, 2, tzinfo=UTC)
"""A Monday at midnight: times of day are read from there, and examples play in that week."""
HOW: Message = msg(
    "Write it like “weekdays 22:30: do not disturb until 7” or “when I arrive at the gym: music”; see docs/rules.md."
)
Begins = Mapping[str, object]
"""The fields of a situation that say when it applies."""


def build(number: int, sentence: str, begins: Begins, call: Mapping[str, JsonValue]) -> Situation:
    """The rule ``rule_NUMBER``; raises ``UsageError`` where its parts do not fit each other."""
    about = {"en": sentence, "zh": sentence}
    fixed = {"id": f"rule_{number}", "about": about, "scenario": SCENARIO, "confidence": CONFIDENCE, "by_default": True}
    try:
        return Situation.model_validate({**fixed, **begins, "calls": [call]})
    except ValidationError as error:
        raise UsageError(msg("The rule was not understood."), HOW) from error


def at_time(due: DueTime) -> Begins:
    """A rule with a time of day."""
    shown, example = f"{due.time:%H:%M}", due.next(DAY - timedelta(minutes=1))
    return {
        "when": ["clock"],
        "due": due,
        "because": {"en": f"It is {shown}", "zh": f"{shown}到了"},
        "example": {"now": example, "trigger": "clock"},
    }


def at_event(event: EventPhrase, groups: Mapping[str, str]) -> Begins:
    """A rule with an event; ``groups`` are what stands for the ``<name>`` of its phrase."""
    words = {language: filled(text, groups) for language, text in event.because.model_dump().items()}
    example = filled(dict(event.example), groups)
    return {
        "when": event.when,
        "all": filled(list(event.all), groups),
        "because": words,
        "example": {"now": DAY.replace(hour=18), **(example if isinstance(example, dict) else {})},
    }


def known_place(name: str, places: Mapping[str, str]) -> str:
    """``Context.place`` at a place of this name; ``UsageError`` where the owner's profile has none."""
    known = places.get(name.casefold().strip(" ."))
    if known is None:
        raise UsageError(
            msg("Your profile has no place {name!r}.", name=name),
            msg("It has: {places}. Add it with the names of its Wi-Fi networks.", places=sorted(set(places.values()))),
        )
    return known


def call_of(action: ActionPhrase, groups: Mapping[str, str], minutes: int | None, pool: Pool) -> dict[str, JsonValue]:
    """The call of an action, for so many minutes where it lasts; raises as ``validate``."""
    parameters = {name: filled(value, groups) for name, value in action.parameters.items()}
    if action.duration and minutes is not None:
        parameters[action.duration] = minutes
    return valid({"name": action.name, "parameters": parameters}, pool)


def valid(call: dict[str, JsonValue], pool: Pool) -> dict[str, JsonValue]:
    """The call, once it is validated."""
    validate(pool, FunctionCall.model_validate(call))
    return call


def minutes_until(begins: time, until: time) -> int:
    """Minutes from one time of day to the next such other one."""
    length = datetime.combine(DAY, until) - datetime.combine(DAY, begins)
    return int(length.total_seconds() // 60) % (24 * 60) or 24 * 60
