"""Checks a call against its spec and brings it into canonical form.

Harmless variants are accepted (case and synonyms of listed values, "7:30" for "07:30", "true" for true, relative
times); everything else is a fault that names the function, the parameter and the reason.
"""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.choices import match_choice
from function_pool.meanings import normalise
from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, Pool
from heed.errors import UsageError
from heed.messages import Text, clauses, message_of, msg

MAX_TEXT = 2000
"""Characters of one text: what a phone's command line takes."""
MAX_NAME = 60
"""Characters of the name of an app, a shop, a service or a carrier that the list of an open parameter lacks."""
MAX_ITEMS = 1000

_TRUE = frozenset({"true", "yes", "on", "1", "是", "开", "打开", "开启"})
_FALSE = frozenset({"false", "no", "off", "0", "否", "关", "关闭"})
_SEPARATORS = re.compile(r"[,;、，；]")
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that a name does not have: controls, marks of direction, breaks of lines."""


class CallFault(NamedTuple):
    """One fault of a call; ``message`` continues the parameter's name."""

    parameter: Text
    message: Text


class InvalidCallError(UsageError):
    """A call does not fit its function's spec; ``faults`` holds every fault."""

    def __init__(self, function: str, faults: tuple[CallFault, ...]) -> None:
        self.function, self.faults = function, faults
        told = clauses(msg("{parameter} {fault}", parameter=fault.parameter, fault=fault.message) for fault in faults)
        super().__init__(
            msg("{function}: {faults}.", function=function, faults=told),
            msg("See `heed functions {function}`.", function=function),
        )


class Needs(NamedTuple):
    """With ``parameter`` at ``value``, one of ``others`` must be there too; value None: in every call."""

    function: str
    parameter: str
    value: str | None
    others: tuple[str, ...]


NEEDS = (
    Needs("cancel_alarm", "search_mode", "time", ("time",)),
    Needs("cancel_alarm", "search_mode", "label", ("label",)),
    Needs("make_phone_call", "call_type", None, ("phone_number", "contact_name")),
    Needs("join_online_meeting", "platform", None, ("meeting_id", "meeting_url")),
    Needs("control_smart_device", "action", "set_value", ("value",)),
    Needs("set_volume_and_ringer", "stream", None, ("level_percent", "ringer_mode")),
    Needs("clean_up_media_files", "category", "selected", ("media_ids",)),
)
"""Parameters that are required in some calls, though optional in their spec."""
_IN_ORDER = (
    ("create_calendar_event", "start_time", "end_time"),
    ("query_calendar_events", "start_time", "end_time"),
    ("book_hotel", "check_in_date", "check_out_date"),
)


def validate(pool: Pool, call: FunctionCall, now: datetime | None = None) -> FunctionCall:
    """Returns ``call`` in canonical form: parameters in the spec's order, without empty optional ones; with its bases.

    Args:
        pool: the specs.
        call: the call as a model or a person wrote it.
        now: the phone's clock; without it relative times ("tomorrow") are faults.

    Raises:
        UsageError: there is no such function.
        InvalidCallError: the arguments do not fit.
    """
    spec = pool.get(call.name)
    faults = list(_unknown(spec, call))
    values: dict[str, JsonValue] = {}
    for name, parameter in spec.parameters.items():
        given = call.parameters.get(name)
        if _is_empty(given):
            faults += [CallFault(name, msg("is required"))] if parameter.required else []
            continue
        try:
            values[name] = _converted(parameter, given, now)
        except ValueError as error:
            secret = parameter.meaning is Meaning.SECRET  # the error may quote it
            faults.append(CallFault(name, msg("is not a valid text") if secret else message_of(error)))
    faults += [] if faults else _combined(spec, values)
    if faults:
        raise InvalidCallError(spec.name, tuple(faults))
    basis = {name: facts for name, facts in call.basis.items() if name in values}
    return with_secrets(pool, FunctionCall(name=spec.name, parameters=values, basis=basis, choice=call.choice))


def with_secrets(pool: Pool, call: FunctionCall) -> FunctionCall:
    """Returns ``call`` with its secret parameters marked; a function that the pool lacks has none."""
    if call.name not in pool:
        return call
    parameters = pool.get(call.name).parameters
    secret = {name for name in call.parameters if name in parameters and parameters[name].meaning is Meaning.SECRET}
    return call.model_copy(update={"secret": frozenset(secret)}) if secret else call


def _unknown(spec: FunctionSpec, call: FunctionCall) -> Iterator[CallFault]:
    for name in call.parameters:
        if name not in spec.parameters:
            near = get_close_matches(name, spec.parameters, n=1)
            known = (
                msg("is not a parameter of it (did you mean {near}?)", near=near[0])
                if near
                else msg("is not a parameter of it (known are {parameters})", parameters=spec.parameters.keys())
            )
            yield CallFault(name, known)


def _combined(spec: FunctionSpec, values: Mapping[str, JsonValue]) -> Iterator[CallFault]:
    for function, parameter, value, others in NEEDS:
        applies = function == spec.name and (value is None or values.get(parameter) == value)
        known = [other for other in others if other in spec.parameters]
        if applies and known and not any(other in values for other in known):
            needed = (
                msg("is required when {parameter} is {value}", parameter=parameter, value=value)
                if value
                else msg("is required")
            )
            either = msg("{first} or {second}", first=known[0], second=known[1]) if len(known) > 1 else known[0]
            yield CallFault(either, needed)
    for function, first, last in _IN_ORDER:
        if function == spec.name and first in values and last in values and str(values[last]) <= str(values[first]):
            yield CallFault(
                last,
                msg(
                    "must lie after {first} ({values}), not at {other_values}",
                    first=first,
                    values=values[first],
                    other_values=values[last],
                ),
            )


def _is_empty(value: JsonValue) -> bool:
    return value is None or value in ([], {}) or (isinstance(value, str) and not value.strip())


def _converted(parameter: ParameterSpec, value: JsonValue, now: datetime | None) -> JsonValue:
    match parameter.type:
        case "bool":
            return _bool(value)
        case "int" | "float":
            return _number(parameter, value)
        case "list":
            return _list(parameter, value, now)
        case "dict":
            return _dict(parameter, value)
    return _text(parameter, value, now)


def _bool(value: JsonValue) -> bool:
    word = unicodedata.normalize("NFKC", str(value)).strip().casefold()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(msg("must be true or false, not {value}", value=repr(value)))


def _number(parameter: ParameterSpec, value: JsonValue) -> int | float:
    try:
        if isinstance(value, bool | list | dict):
            raise ValueError
        number = float(unicodedata.normalize("NFKC", str(value)).strip().removesuffix("%"))
        if not math.isfinite(number) or (parameter.type == "int" and number != int(number)):
            raise ValueError
    except ValueError:
        given = repr(value)
        raise ValueError(
            msg("must be a whole number, not {value}", value=given)
            if parameter.type == "int"
            else msg("must be a number, not {value}", value=given)
        ) from None
    return _in_range(parameter, int(number) if parameter.type == "int" else number)


def _in_range(parameter: ParameterSpec, number: float) -> float:
    low, high = parameter.minimum, parameter.maximum
    if (low is None or number >= low) and (high is None or number <= high):
        return number
    if high is None:
        raise ValueError(msg("must be at least {low:g}, not {number:g}", low=low, number=number))
    raise ValueError(
        msg("must lie between {low:g} and {high:g}, not {number:g}", low=low or 0, high=high, number=number)
    )


def _list(parameter: ParameterSpec, value: JsonValue, now: datetime | None) -> list[JsonValue]:
    if isinstance(value, str) and parameter.choices:
        items: list[JsonValue] = [item.strip() for item in _SEPARATORS.split(value)]
    else:
        items = value if isinstance(value, list) else [value]
    if len(items) > MAX_ITEMS:
        raise ValueError(msg("holds {count} items (at most {max_items})", count=len(items), max_items=MAX_ITEMS))
    texts = dict.fromkeys(_text(parameter, item, now) for item in items if not _is_empty(item))
    # Allowed values in the spec's order, so that the same choice is always the same call.
    return [choice for choice in parameter.choices if choice in texts] if parameter.choices else [*texts]


def _dict(parameter: ParameterSpec, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        raise ValueError(msg("must be an object with named fields, not {value}", value=repr(value)))
    unknown = [name for name in value if parameter.fields and name not in parameter.fields]
    if unknown:
        raise ValueError(msg("has no field {unknown} (known are {fields})", unknown=unknown, fields=parameter.fields))
    return value


def _text(parameter: ParameterSpec, value: JsonValue, now: datetime | None) -> str:
    if isinstance(value, list | dict):
        raise ValueError(msg("must be text, not {value}", value=repr(value)))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if len(text) > MAX_TEXT:
        raise ValueError(msg("has {count} characters (at most {max_text})", count=len(text), max_text=MAX_TEXT))
    if any(character == "\0" or unicodedata.category(character) == "Cs" for character in text):
        raise ValueError(msg("contains a character that phones do not accept (NUL or a lone surrogate)"))
    if parameter.choices:
        return _choice(parameter, text)
    return normalise(parameter.meaning, text if parameter.meaning is Meaning.SECRET else text.strip(), now)


def _choice(parameter: ParameterSpec, text: str) -> str:
    choice = match_choice(text, parameter.choices)
    if choice is not None:
        return choice
    if parameter.open:
        return _other_name(text)
    raise ValueError(msg("must be one of {choices}, not {text!r}", choices=[*map(str, parameter.choices)], text=text))


def _other_name(text: str) -> str:
    name = text.strip()
    if len(name) > MAX_NAME:
        raise ValueError(msg("has {count} characters (at most {max_text})", count=len(name), max_text=MAX_NAME))
    if any(unicodedata.category(character) in _UNSEEN for character in name) or not any(map(str.isalnum, name)):
        raise ValueError(msg("must be a name in one line, not {text!r}", text=text))
    return name
