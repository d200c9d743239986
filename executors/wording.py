"""Effects and outcomes in words, from one table (``wording.json``); the catalogue has the translations."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from executors.plan import Effect, Outcome
from function_pool.wording import argument_text, name_parameter
from heed.dates import length_text, moment_text, time_text
from heed.language import Language
from heed.messages import Message, joined, msg, template_in, translate
from heed.safe_text import WHOLE, safe_text

_NOTHING = msg("nothing")


def describe(effect: Effect, language: Language, *, done: bool = False) -> str:
    """Returns the effect as one or two sentences: what will happen or, when ``done``, what now holds.

    A plug-in's effect, which the table does not know, brings its own sentences as ``detail["en"]`` and
    ``detail["zh"]`` (``detail["done_en"]`` and ``detail["done_zh"]``). What others wrote cannot pose as our words:
    control and direction marks are made visible.
    """
    words = _table().get(effect.kind)
    if words is None:
        own = effect.detail.get(f"done_{language}") if done else None
        return safe_text(str(own or effect.detail.get(language.value) or effect.kind), limit=WHOLE)
    return template_in(language, words[done]).format_map(
        {name: _word(name, value, language) for name, value in effect.detail.items()}
    )


def describe_outcome(outcome: Outcome, language: Language) -> str:
    """Returns the outcome of a step as sentences for the owner."""
    end = "" if language is Language.ZH else " "
    return end.join(describe(effect, language, done=True) for effect in outcome.told) or translate(
        outcome.message, language
    )


@cache
def _table() -> Mapping[str, tuple[str, str]]:
    """Returns, per kind, the words before and after; one sentence serves as both."""
    raw = json.loads(files("executors").joinpath("wording.json").read_text("utf-8"))
    return {kind: (words[0], words[-1]) for kind, words in raw.items()}


def _word(name: str, value: JsonValue, language: Language) -> str:
    return safe_text(_written(name, value, language), limit=WHOLE)


def _written(name: str, value: JsonValue, language: Language) -> str:
    if name in _FORMATS:
        return _FORMATS[name](value, language)
    if isinstance(value, dict) and "template" in value:
        return translate(Message.model_validate(value), language)
    if isinstance(value, dict):
        return str(value.get(language.value, ""))
    if isinstance(value, list):
        return translate(msg("{items}", items=value), language) if value else translate(_NOTHING, language)
    return str(value)


def _moment(value: JsonValue, language: Language) -> str:
    return moment_text(datetime.fromisoformat(str(value)), language, with_year=True)


def _minutes(value: JsonValue, language: Language) -> str:
    return length_text(round(float(str(value)) * 60), language)


def _seconds(value: JsonValue, language: Language) -> str:
    return length_text(round(float(str(value))), language)


def _size(value: JsonValue, language: Language) -> str:
    size = float(str(value))
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _day(value: JsonValue, language: Language) -> str:
    return time_text(str(value), language, with_year=True)


def _arguments(value: JsonValue, language: Language) -> str:
    """Pairs of a parameter and its value, which is None where only the name is shown."""
    pairs = value if isinstance(value, list) else [value]
    return joined((_argument(pair, language) for pair in pairs), language)


def _argument(pair: JsonValue, language: Language) -> str:
    if not isinstance(pair, list):  # a text, in older journals
        return str(pair)
    parameter, value = str(pair[0]), pair[1]
    name = name_parameter(parameter, language)
    return name if value is None else f"{name} “{argument_text(parameter, value, language, with_year=True)}”"


def _action(value: JsonValue, language: Language) -> str:
    """What a device does, and the value that it is set to."""
    action, _, setting = str(value).partition(" ")
    return f"{argument_text('action', action, language)} {setting}".rstrip()


def _value_of(parameter: str) -> Callable[[JsonValue, Language], str]:
    return lambda value, language: argument_text(parameter, value, language)


_FORMATS: Mapping[str, Callable[[JsonValue, Language], str]] = {
    "at": _moment,
    "until": _moment,
    "minutes": _minutes,
    "seconds": _seconds,
    "bytes": _size,
    "date": _day,
    "from_day": _day,
    "to_day": _day,
    "fields": _arguments,
    "texts": _arguments,
    "action": _action,
    "days": _value_of("repeat_days"),
    "priority": _value_of("priority"),
    "visibility": _value_of("visibility"),
}
"""How values of these names are written; others as they are."""
