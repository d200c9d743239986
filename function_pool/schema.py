"""JSON Schema of calls and of a model's output document, generated from the specs."""

from collections.abc import Mapping, Sequence
from typing import Any

from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, Pool
from function_pool.validation import MAX_NAME, MAX_TEXT

MAX_CALLS = 3
"""Calls of one recommendation (the benchmark's training data has at most three)."""

Schema = dict[str, Any]

_PATTERNS = {
    Meaning.CLOCK_TIME: r"^([01]\d|2[0-3]):[0-5]\d$",
    Meaning.DATE: r"^\d{4}-\d{2}-\d{2}$",
    Meaning.DATE_TIME: r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$",
}
_TYPES = {"int": "integer", "float": "number", "bool": "boolean"}


def output_schema(pool: Pool, candidates: Sequence[str], *, max_calls: int = MAX_CALLS) -> Schema:
    """Schema of ``{"model_recommendation": [call, …]}`` over the ``candidates``; an empty list is silence.

    Raises ``UsageError`` for a candidate that is not in the pool.
    """
    calls: Schema = {
        "type": "array",
        "items": {"anyOf": [call_schema(pool.get(name)) for name in candidates]},
        "maxItems": max_calls,
    }
    if not candidates:
        calls = {"type": "array", "maxItems": 0}
    return _object({"model_recommendation": calls}, required=["model_recommendation"])


def call_schema(spec: FunctionSpec) -> Schema:
    """Schema of ``{"name": …, "parameters": {…}}`` for one function."""
    name: Schema = {"type": "string", "const": spec.name, "description": spec.description}
    return _object({"name": name, "parameters": parameters_schema(spec)}, required=["name", "parameters"])


def parameters_schema(spec: FunctionSpec) -> Schema:
    """Schema of one function's arguments, in the spec's order."""
    properties = {name: _property(parameter) for name, parameter in spec.parameters.items()}
    return _object(properties, required=[name for name, parameter in spec.parameters.items() if parameter.required])


def _object(properties: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _property(parameter: ParameterSpec) -> Schema:
    schema = _type(parameter)
    if parameter.description:
        schema["description"] = parameter.description
    return schema


def _type(parameter: ParameterSpec) -> Schema:
    match parameter.type:
        case "string":
            return _string(parameter)
        case "list":
            return {"type": "array", "items": _string(parameter)}
        case "dict":
            fields: dict[str, Schema] = {name: {} for name in parameter.fields}
            return {"type": "object", **({"properties": fields, "additionalProperties": False} if fields else {})}
    schema: Schema = {"type": _TYPES[parameter.type]}
    if parameter.minimum is not None:
        schema["minimum"] = parameter.minimum
    if parameter.maximum is not None:
        schema["maximum"] = parameter.maximum
    return schema


def _string(parameter: ParameterSpec) -> Schema:
    if parameter.choices:
        listed: Schema = {"type": "string", "enum": list(parameter.choices)}
        other: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
        return {"anyOf": [listed, other]} if parameter.open else listed
    pattern = _PATTERNS.get(parameter.meaning)
    return {"type": "string", **({"pattern": pattern} if pattern else {"maxLength": MAX_TEXT})}
