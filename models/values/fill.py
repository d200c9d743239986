"""Fills the arguments of a call from an incoming text."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Pool
from function_pool.validation import InvalidCallError, validate
from models.values.incoming import IncomingText
from models.values.person import Person
from models.values.readers import ValueRequest, reader


def fill(
    spec: FunctionSpec, spans: Mapping[str, str], text: IncomingText, now: datetime, person: Person
) -> Mapping[str, JsonValue] | None:
    """Returns the arguments of a call in canonical form; None when a required one cannot be read.

    Args:
        spec: the function.
        spans: by parameter name, the words of the text (or of a mail's subject) that hold the value, give or take
            some words; parameters without one are read from the message where they stand out.
        text: the message.
        now: the phone's clock.
        person: the owner.
    """
    values: dict[str, JsonValue] = {}
    for name, parameter in spec.parameters.items():
        value = reader(spec, name)(ValueRequest(spec, name, spans, text, now, person))
        if value not in (None, "", []):
            values[name] = value
        elif parameter.required:
            return None
    return _valid(spec, values, now)


def _valid(spec: FunctionSpec, values: Mapping[str, JsonValue], now: datetime) -> Mapping[str, JsonValue] | None:
    """The arguments in canonical form, without optional ones that do not fit; None when a required one does not."""
    pool = Pool(functions={spec.name: spec})
    try:
        return validate(pool, FunctionCall(name=spec.name, parameters=values), now).parameters
    except InvalidCallError as error:
        faulty = {str(fault.parameter) for fault in error.faults}
    if any(name not in values or spec.parameters[name].required for name in faulty):
        return None
    return _valid(spec, {name: value for name, value in values.items() if name not in faulty}, now)
