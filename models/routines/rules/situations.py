"""Situations: declared rules that propose calls when a moment is so, switched on by name."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, JsonValue, TypeAdapter, field_validator, model_validator

from function_pool.call import Basis, FunctionCall
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen
from models.routines.documents import load_document, parse_document
from models.routines.filling import Filled
from models.routines.moment import Moment
from models.routines.rules.conditions import Condition, Held
from models.routines.wording import Sentence

_SLOT = re.compile(r"\$\{([\w.]+)(?:\|(\w+))?\}")


def _digits(value: object) -> str:
    return re.sub(r"[^\d+]", "", str(value))


def _clock(value: object) -> str:
    """``HH:MM`` of an ISO time or of a time of day."""
    match = re.search(r"(?:^|T)(\d{2}:\d{2})", str(value))
    return match[1] if match else str(value)


def _date(value: object) -> str:
    return str(value)[: len("YYYY-MM-DD")]


_FILTERS: Mapping[str, Callable[[object], str]] = {"clock": _clock, "date": _date, "digits": _digits}


class Proposed(Frozen):
    """A call with ``${slots}`` (and ``${slot|filter}``) in its parameters."""

    name: str
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class Situation(Frozen):
    """A rule: at one of these triggers, when all of these hold and none of those, propose these calls."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    about: Sentence
    """What the person switches on, in a few words."""
    scenario: str
    confidence: float = Field(ge=0.0, le=1.0)
    when: tuple[str, ...] = Field(min_length=1)
    """Kinds of trigger."""
    all: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()
    calls: tuple[Proposed, ...] = Field(min_length=1)
    because: Sentence
    """The reason, as the first half of the question: no full stop."""

    @model_validator(mode="after")
    def _slots_are_bound(self) -> "Situation":
        bound = {name for condition in self.all for name in _names_bound(condition)}
        used = {match[1] for call in self.calls for match in _SLOT.finditer(repr(call.parameters))}
        used |= {match[1] for text in (self.because.en, self.because.zh) for match in _SLOT.finditer(text)}
        unknown = sorted(name for name in used - bound if name.split(".")[0] not in bound)
        if unknown:
            raise ValueError(f"nothing binds {', '.join(unknown)}")
        return self


def _names_bound(condition: Condition) -> Iterable[str]:
    name = getattr(condition, "as_", None)
    groups = re.compile(getattr(condition, "text", "")).groupindex
    return [*([name] if name else []), *groups]


class Hit(NamedTuple):
    """A situation that holds now."""

    situation: Situation
    calls: tuple[FunctionCall, ...]
    because: Mapping[str, str]
    """The reason by language."""
    facts: tuple[str, ...]


class _File(Frozen):
    situations: tuple[Situation, ...]

    @field_validator("situations")
    @classmethod
    def _ids_are_unique(cls, situations: tuple[Situation, ...]) -> tuple[Situation, ...]:
        ids = [situation.id for situation in situations]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"declared twice: {', '.join(twice)}")
        return situations


_SCHEMA = TypeAdapter(_File)


@cache
def builtin_situations() -> tuple[Situation, ...]:
    """The situations that heed ships; none is on until it is switched on."""
    text = files("models.routines").joinpath("data").joinpath("situations.yaml").read_text("utf-8")
    return parse_document(text, _SCHEMA, "situations.yaml").situations


def load_situations(path: Path) -> tuple[Situation, ...]:
    """The situations in a file of the owner's; ``UsageError`` names the file and the line of a fault."""
    return load_document(path, _SCHEMA).situations


def switched_on(situations: Iterable[Situation], enabled: frozenset[str]) -> tuple[Situation, ...]:
    """Those whose ids are enabled; ``UsageError`` for an id that no situation has."""
    known = {situation.id: situation for situation in situations}
    unknown = sorted(enabled - known.keys())
    if unknown:
        raise UsageError(
            msg("There is no situation called {unknown}.", unknown=unknown),
            msg("Known are: {known}.", known=sorted(known)),
        )
    return tuple(situation for name, situation in known.items() if name in enabled)


def check(situation: Situation, moment: Moment) -> Hit | None:
    """The situation's calls, filled, when it holds at this moment."""
    if moment.context.trigger.kind not in situation.when:
        return None
    held: list[Held] = []
    for condition in situation.all:
        one = condition.holds(moment)
        if one is None:
            return None
        held.append(one)
    if any(condition.holds(moment) is not None for condition in situation.none):
        return None
    bound = {name: filled for one in held for name, filled in one.bound.items()}
    return Hit(
        situation,
        calls=tuple(_call(proposed, bound) for proposed in situation.calls),
        because={"en": _text(situation.because.en, bound), "zh": _text(situation.because.zh, bound)},
        facts=tuple(dict.fromkeys(fact for one in held for fact in one.facts)),
    )


def _call(proposed: Proposed, bound: Mapping[str, Filled]) -> FunctionCall:
    filled = {name: _filled(value, bound) for name, value in proposed.parameters.items()}
    return FunctionCall(
        name=proposed.name,
        parameters={name: one.value for name, one in filled.items()},
        basis={name: one.basis for name, one in filled.items() if one.basis},
    )


def _filled(value: JsonValue, bound: Mapping[str, Filled]) -> Filled:
    """A parameter with its slots filled; a lone slot without filter keeps the value's type."""
    if isinstance(value, list):
        members = [_filled(member, bound) for member in value]
        return Filled([member.value for member in members], _together(members))
    if not isinstance(value, str):
        return Filled(value, ())
    used = [bound[match[1]] for match in _SLOT.finditer(value) if match[1] in bound]
    lone = _SLOT.fullmatch(value)
    if lone and lone[2] is None and used:
        return used[0]
    return Filled(_text(value, bound), _together(used))


def _together(parts: Sequence[Filled]) -> tuple[Basis, ...]:
    return tuple(dict.fromkeys(basis for part in parts for basis in part.basis))


def _text(template: str, bound: Mapping[str, Filled]) -> str:
    def show(match: re.Match[str]) -> str:
        value = bound[match[1]].value if match[1] in bound else ""
        return _FILTERS[match[2]](value) if match[2] else str(value)

    return _SLOT.sub(show, template)
