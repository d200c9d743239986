"""``docs/scenario-reference.md``: the schema of scenario files, and the scenarios that ship, from the code itself."""

import inspect
import json
from collections.abc import Iterator
from typing import Any

from pydantic import AliasChoices, BaseModel, RootModel

from agent.demo.emulator_commands import DIFFERENCES
from tools.pages import NOTE, cell, comments
from virtual_phone.scenario.document import Persona, Scenario, ScenarioEntry, shipped
from virtual_phone.scenario.events import EVENTS, EventFields
from virtual_phone.scenario.start import StartState

_PLAIN = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def scenario_reference() -> str:
    """The page."""
    parts = [
        "# Scenario files\n",
        NOTE + "How to write one: [scenarios.md](scenarios.md).\n",
        "## The scenarios that ship\n",
    ]
    parts += ["| scenario | language | moments | what it is about |", "|---|---|---|---|", *_shipped(), ""]
    parts += ["## The file\n", *_table(Scenario), "", "## `persona`\n", *_table(Persona), ""]
    parts += ["## `state`\n", _about(StartState), *_table(StartState), ""]
    for model in _lists(StartState):
        parts += [f"### {_title(model)}\n", _about(model), *_table(model), ""]
    parts += [
        "## `timeline`\n",
        "Each entry has these fields, and one event.\n",
        *_table(ScenarioEntry, leave_out=EVENTS),
        "",
    ]
    for name in EVENTS:
        parts += [*_event(name), ""]
    return "\n".join(parts).rstrip() + "\n"


def _shipped() -> Iterator[str]:
    for name in shipped():
        one = Scenario.load(name)
        yield f"| `{name}` | {one.language} | {len(one.timeline)} | {cell(one.description)} |"


def _event(name: str) -> Iterator[str]:
    model = _event_model(name)
    yield f"### `{name}`\n"
    yield _about(model)
    if issubclass(model, RootModel):
        shape = model.model_json_schema()
        yield f"{_value(shape)}: `{name}: …`" if "enum" in shape else f"A text: `{name}: …`"
    else:
        yield from _table(model)
    if name in DIFFERENCES:
        yield f"\nOn an emulator: {DIFFERENCES[name]}"


def _about(model: type[BaseModel]) -> str:
    return inspect.cleandoc(model.__doc__ or "").replace("``", "`") + "\n"


def _event_model(name: str) -> type[BaseModel]:
    annotation = EventFields.model_fields[name].annotation
    return next(one for one in annotation.__args__ if one is not type(None))  # type: ignore[union-attr, no-any-return]


def _lists(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """The models that the fields of ``model`` hold, in their order."""
    for field in model.model_fields.values():
        for one in _inside(field.annotation):
            if isinstance(one, type) and issubclass(one, BaseModel):
                yield one


def _inside(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _inside(inner)


def _title(model: type[BaseModel]) -> str:
    field = next(name for name, one in StartState.model_fields.items() if model in _inside(one.annotation))
    return f"`{field}`"


def _table(model: type[BaseModel], leave_out: tuple[str, ...] = ()) -> Iterator[str]:
    schema = model.model_json_schema()
    required, said = schema.get("required", []), comments(model)
    yield "| field | value | default | meaning |\n|---|---|---|---|"
    for name, field in model.model_fields.items():
        written = str(field.validation_alias.choices[0]) if isinstance(field.validation_alias, AliasChoices) else name
        if name not in leave_out:
            shape = schema["properties"][written]
            default = "required" if written in required else _default(shape)
            yield f"| `{written}` | {_value(shape)} | {default} | {cell(said.get(name, '').replace('``', '`'))} |"


def _default(shape: dict[str, Any]) -> str:
    default = shape.get("default")
    return "" if default in (None, "", [], {}) else f"`{default if isinstance(default, str) else json.dumps(default)}`"


def _value(shape: dict[str, Any]) -> str:  # noqa: PLR0911 - one line per kind
    if "$ref" in shape:
        return "see below"
    if "enum" in shape:
        return " \\| ".join(f"`{value}`" for value in shape["enum"])
    if "const" in shape:
        return f"`{shape['const']}`"
    if "anyOf" in shape:
        return " or ".join(_value(one) for one in shape["anyOf"] if one.get("type") != "null")
    if shape.get("format") == "date-time":
        return "time with its offset from UTC"
    if shape.get("type") == "array":
        items = shape.get("items") or {"anyOf": shape.get("prefixItems", [])[:1]}
        return f"list: {_value(items)}"
    if shape.get("type") == "object":
        return "mapping"
    low, high = shape.get("minimum"), shape.get("maximum")
    span = f", {low:g} to {high:g}" if low is not None and high is not None else f", at least {low:g}" if low else ""
    return _PLAIN.get(shape.get("type", ""), "anything") + span
