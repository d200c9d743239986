"""Situations: declared rules that propose calls when their conditions hold; enabled by id."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, JsonValue, TypeAdapter, field_validator, model_validator

from collectors.context import AnyKind
from function_pool.call import Basis, FunctionCall
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from heed.model import Frozen
from models.routines.documents import load_document, parse_document
from models.routines.filling import ResolvedValue
from models.routines.language.current_moment import TRIGGER_FACT, CurrentMoment, current_moment
from models.routines.language.lexicon import default_lexicon
from models.routines.rules.conditions import Condition, ConditionMatch
from models.routines.rules.due_time import DueTime
from models.routines.rules.examples import ExampleMoment, by_language
from models.routines.wording import Sentence, situation_sentence

_PLACEHOLDER = re.compile(r"\$\{([\w.]+)(?:\|(\w+))?\}")


def _digits(value: object) -> str:
    return re.sub(r"[^\d+]", "", str(value))


def _clock(value: object) -> str:
    """``HH:MM`` of an ISO time or of a time of day."""
    match = re.search(r"(?:^|T)(\d{2}:\d{2})", str(value))
    return match[1] if match else str(value)


def _date(value: object) -> str:
    return str(value)[: len("YYYY-MM-DD")]


def _hour_before(value: object) -> str:
    """``HH:MM`` an hour before an ISO time, on full five minutes."""
    before = datetime.fromisoformat(str(value)) - timedelta(hours=1)
    return f"{before.replace(minute=before.minute // 5 * 5):%H:%M}"


_FILTERS: Mapping[str, Callable[[object], str]] = {
    "clock": _clock,
    "date": _date,
    "digits": _digits,
    "hour_before": _hour_before,
}


class CallTemplate(Frozen):
    """A call with placeholders ``${name}`` or ``${name|filter}`` in its parameters."""

    name: str
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class Situation(Frozen):
    """A rule: at a trigger of ``when``, if ``all`` conditions hold and ``none`` of the others, propose ``calls``."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    about: Sentence
    """A short description for the owner."""
    scenario: str
    confidence: float = Field(ge=0.0, le=1.0)
    """Confidence of the recommendation."""
    when: tuple[AnyKind, ...] = Field(min_length=1)
    """Kinds of trigger."""
    due: DueTime | None = None
    """When it is due by itself, for ``clock``; None = at any clock trigger that its conditions let pass."""
    all: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()
    calls: tuple[CallTemplate, ...] = Field(min_length=1)
    because: Sentence
    """The reason, worded as the first half of the question, without a full stop."""
    by_default: bool = False
    """Whether it is on where the owner has not chosen: it asks about something harmless that can be undone."""
    example: Mapping[Language, ExampleMoment] = Field(default_factory=dict)
    """A moment at which it applies, the same for every language or one for each; empty = none is given."""

    _each_language = field_validator("example", mode="before")(staticmethod(by_language))

    @model_validator(mode="after")
    def _placeholders_are_bound(self) -> "Situation":
        bound = {name for condition in self.all for name in _names_bound(condition)}
        used = {match[1] for call in self.calls for match in _PLACEHOLDER.finditer(repr(call.parameters))}
        used |= {match[1] for text in (self.because.en, self.because.zh) for match in _PLACEHOLDER.finditer(text)}
        unknown = sorted(name for name in used - bound if name.split(".")[0] not in bound)
        if unknown:
            raise ValueError(f"nothing binds {', '.join(unknown)}")
        return self


def _names_bound(condition: Condition) -> Iterable[str]:
    name = getattr(condition, "as_", None)
    groups = re.compile(getattr(condition, "text", "")).groupindex
    return [*([name] if name else []), *groups]


class SituationMatch(NamedTuple):
    """A situation that applies now."""

    situation: Situation
    calls: tuple[FunctionCall, ...]
    """Its calls, with the placeholders filled."""
    because: Mapping[str, str]
    """The reason by language."""
    facts: tuple[str, ...]
    """Names of the facts it was decided by."""


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
_SHIPPED = ("phone_situations.yaml", "situations.yaml")


@cache
def builtin_situations() -> tuple[Situation, ...]:
    """The situations that heed ships."""
    folder = files("models.routines").joinpath("data")
    found = (parse_document(folder.joinpath(name).read_text("utf-8"), _SCHEMA, name) for name in _SHIPPED)
    return tuple(situation for file in found for situation in file.situations)


def load_situations(path: Path) -> tuple[Situation, ...]:
    """Loads a file of situations; ``UsageError`` names the file and the line of a mistake."""
    return load_document(path, _SCHEMA).situations


def switched_on(situations: Iterable[Situation], enabled: frozenset[str] | None) -> tuple[Situation, ...]:
    """The situations whose ids are in ``enabled``, for None those that are on by default.

    ``UsageError`` for an unknown id.
    """
    known = {situation.id: situation for situation in situations}
    if enabled is None:
        return tuple(situation for situation in known.values() if situation.by_default)
    unknown = sorted(enabled - known.keys())
    if unknown:
        raise UsageError(
            msg("There is no situation called {unknown}.", unknown=unknown),
            msg("Known are: {known}.", known=sorted(known)),
        )
    return tuple(situation for name, situation in known.items() if name in enabled)


def check(situation: Situation, moment: CurrentMoment) -> SituationMatch | None:
    """The situation with its calls filled if it applies at this moment, else None."""
    if moment.context.trigger.kind not in situation.when:
        return None
    if situation.due is not None and not situation.due.holds(moment.context.now):
        return None
    matches: list[ConditionMatch] = []
    for condition in situation.all:
        one = condition.holds(moment)
        if one is None:
            return None
        matches.append(one)
    if any(condition.holds(moment) is not None for condition in situation.none):
        return None
    bound = {name: filled for one in matches for name, filled in one.bound.items()}
    choice = _choice(situation, moment)
    return SituationMatch(
        situation,
        calls=tuple(_call(proposed, bound, choice) for proposed in situation.calls),
        because={"en": _text(situation.because.en, bound), "zh": _text(situation.because.zh, bound)},
        facts=tuple(dict.fromkeys(fact for one in matches for fact in one.facts)),
    )


def example_sentence(situation: Situation, language: Language) -> str:
    """The question of a situation at its example moment; empty where it has none, or does not apply at it."""
    example = situation.example.get(language)
    match = check(situation, current_moment(example.context(), default_lexicon())) if example else None
    return situation_sentence(match.because[language], match.calls, language) if match else ""


def _choice(situation: Situation, moment: CurrentMoment) -> tuple[Basis, ...]:
    """The basis of the choice: the trigger, and every fact that a condition read, whether it had to hold or not."""
    names = dict.fromkeys(name for condition in (*situation.all, *situation.none) for name in condition.reads(moment))
    return tuple(moment.basis_of(name) for name in (TRIGGER_FACT, *names))


def _call(proposed: CallTemplate, bound: Mapping[str, ResolvedValue], choice: tuple[Basis, ...]) -> FunctionCall:
    # An optional value that its condition did not find is left out.
    given = {name: value for name, value in proposed.parameters.items() if not _is_unbound(value, bound)}
    filled = {name: _filled(value, bound) for name, value in given.items()}
    return FunctionCall(
        name=proposed.name,
        parameters={name: one.value for name, one in filled.items()},
        basis={name: one.basis for name, one in filled.items() if one.basis},
        choice=choice,
    )


def _is_unbound(value: JsonValue, bound: Mapping[str, ResolvedValue]) -> bool:
    """Whether ``value`` is one placeholder of a field, as in ``${event.location}``, that is not bound."""
    lone = _PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
    return lone is not None and "." in lone[1] and lone[1] not in bound


def _filled(value: JsonValue, bound: Mapping[str, ResolvedValue]) -> ResolvedValue:
    """A parameter with its placeholders filled; a single placeholder without filter keeps the type of its value."""
    if isinstance(value, list):
        members = [_filled(member, bound) for member in value]
        return ResolvedValue([member.value for member in members], _together(members))
    if not isinstance(value, str):
        return ResolvedValue(value, ())
    used = [bound[match[1]] for match in _PLACEHOLDER.finditer(value) if match[1] in bound]
    lone = _PLACEHOLDER.fullmatch(value)
    if lone and lone[2] is None and used:
        return used[0]
    return ResolvedValue(_text(value, bound), _together(used))


def _together(parts: Sequence[ResolvedValue]) -> tuple[Basis, ...]:
    return tuple(dict.fromkeys(basis for part in parts for basis in part.basis))


def _text(template: str, bound: Mapping[str, ResolvedValue]) -> str:
    def show(match: re.Match[str]) -> str:
        value = bound[match[1]].value if match[1] in bound else ""
        return _FILTERS[match[2]](value) if match[2] else str(value)

    return _PLACEHOLDER.sub(show, template)
