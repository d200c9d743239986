"""Reads the arguments of a call from the owner's own words, and finds which required ones are missing."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Meaning, Pool
from function_pool.validation import NEEDS, InvalidCallError, validate
from models.requests.argument_readers import reader_in_requests
from models.values.incoming import IncomingText
from models.values.person import Person
from models.values.readers import ValueRequest


def read_arguments(
    spec: FunctionSpec, text: str, spans: Mapping[str, str], now: datetime, person: Person
) -> dict[str, JsonValue]:
    """The arguments that a request states, in canonical form; what is not stated is absent.

    Args:
        spec: the function.
        text: the request.
        spans: by parameter name, the words that hold the value, give or take some words.
        now: the phone's clock.
        person: the owner.
    """
    request = ValueRequest(spec, "", spans, IncomingText(app="", text=text), now, person)
    values: dict[str, JsonValue] = {}
    for name in spec.parameters:
        value = reader_in_requests(spec, name)(request.for_(name))
        if value not in (None, "", []):
            values[name] = value
    return _valid(spec, values, now)


def missing_arguments(spec: FunctionSpec, values: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The parameters that a call cannot do without and that have no value; of alternatives one."""
    required = [name for name, parameter in spec.parameters.items() if parameter.required and name not in values]
    for needs in NEEDS:
        applies = needs.function == spec.name and (needs.value is None or values.get(needs.parameter) == needs.value)
        others = [other for other in needs.others if other in spec.parameters]
        if applies and others and not any(other in values for other in others):
            # A person is easier to name than a number.
            required.append(next((one for one in others if _is_person(spec, one)), others[0]))
    return tuple(dict.fromkeys(required))


def alternatives(spec: FunctionSpec, name: str) -> tuple[str, ...]:
    """The parameters any of which may stand in place of ``name``."""
    groups = (needs.others for needs in NEEDS if needs.function == spec.name and name in needs.others)
    return tuple(other for group in groups for other in group if other != name and other in spec.parameters)


def _is_person(spec: FunctionSpec, name: str) -> bool:
    return spec.parameters[name].meaning is Meaning.RECIPIENT


def _valid(spec: FunctionSpec, values: Mapping[str, JsonValue], now: datetime) -> dict[str, JsonValue]:
    """The arguments in canonical form, without those that do not fit."""
    relaxed = {
        name: parameter.model_copy(update={"must_fill": "optional"}) for name, parameter in spec.parameters.items()
    }
    pool = Pool(functions={spec.name: spec.model_copy(update={"parameters": relaxed})})
    kept = dict(values)
    while kept:
        try:
            return dict(validate(pool, FunctionCall(name=spec.name, parameters=kept), now).parameters)
        except InvalidCallError as error:
            faulty = {str(fault.parameter) for fault in error.faults} & kept.keys()
            if not faulty:  # what is missing is asked for; the rest is as it should be
                return kept
            kept = {name: value for name, value in kept.items() if name not in faulty}
    return {}
