"""Renders the pool for prompts: one compact line per function, or the benchmark's JSON."""

import json

from function_pool.spec import FunctionSpec, ParameterSpec, Pool
from models.grammar import inner_fields

_SHORT = {"string": "text", "int": "int", "float": "number", "bool": "bool", "list": "list", "dict": "object"}


def compact(pool: Pool) -> str:
    """One line per function: ``name(parameter: what, optional?: a|b) description``."""
    return "\n".join(map(_line, pool))


def as_json(pool: Pool) -> str:
    """The pool in the benchmark's schema, without what heed added to it."""
    return json.dumps({spec.name: _benchmark(spec) for spec in pool}, ensure_ascii=False)


def _benchmark(spec: FunctionSpec) -> dict[str, object]:
    raw = spec.model_dump(mode="json", include={"name", "description", "similar"})
    wanted = {"description", "type", "must_fill", "value"}
    parameters = {name: field.model_dump(mode="json", include=wanted) for name, field in spec.parameters.items()}
    return {**raw, "parameters": parameters}


def _line(spec: FunctionSpec) -> str:
    parameters = ", ".join(_parameter(name, parameter) for name, parameter in spec.parameters.items())
    return f"{spec.name}({parameters}) {spec.description}".rstrip()


def _parameter(name: str, parameter: ParameterSpec) -> str:
    mark = "" if parameter.required else "?"
    note = f" {parameter.description}" if parameter.description else ""
    return f"{name}{mark}: {_values(parameter)}{note}"


def _values(parameter: ParameterSpec) -> str:
    if parameter.type == "dict":
        return "{" + ", ".join(_parameter(name, field) for name, field in inner_fields(parameter).items()) + "}"
    if not parameter.choices:
        return _SHORT[parameter.type]
    values = "|".join(str(choice) for choice in parameter.choices)
    if parameter.open:
        return f"{values} or another name"
    return f"[{values}]" if parameter.type == "list" else values
