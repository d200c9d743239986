"""Finds the functions of the pool that, by a log entry, the owner carried out by hand."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.spec import Pool
from heed.model import Frozen
from models.routines.language.app_finder import AppFinder
from models.routines.language.lexicon import ActionPattern, FunctionVocabulary, Lexicon, PhraseMention
from models.routines.language.parameters import EXTRACTORS, ExtractionInput
from models.routines.language.parsed_text import ParsedText

_VERB_ITSELF = frozenset({"<any>", "<name>", "<person>"})
"""Targets without an object class: the verb itself is the target, and extractors search around it."""


class OwnerAction(Frozen):
    """A function that the owner carried out, with the parameters that the text states."""

    function: str
    parameters: dict[str, JsonValue]


class FoundAction(NamedTuple):
    """An action with its position in the text."""

    action: OwnerAction
    position: int
    """Index of the token of its verb."""
    last_resort: bool


class _Target(NamedTuple):
    """An occurrence of a pattern's object in the text."""

    position: int
    """Index of its first token."""
    start: int
    end: int


class OwnerActionFinder:
    """Finds owner actions with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._functions = {name: vocabulary for name, vocabulary in lexicon.functions.items() if name in pool}
        self._apps = AppFinder(lexicon, pool)

    def find(self, parsed: ParsedText) -> list[FoundAction]:
        """The actions reported in the text, without duplicates."""
        found = [one for name, vocabulary in self._functions.items() for one in self._of(name, vocabulary, parsed)]
        if any(not one.last_resort for one in found):
            found = [one for one in found if not one.last_resort]
        return [one for at, one in enumerate(found) if one.action not in [other.action for other in found[:at]]]

    def _of(self, function: str, vocabulary: FunctionVocabulary, parsed: ParsedText) -> Iterator[FoundAction]:
        """At most one action per verb, by the first pattern that matches."""
        app = self._apps.mentioned(function, parsed.text)
        used: set[int] = set()
        for pattern in vocabulary.patterns:
            for verb, target in _pairs(pattern, parsed) if _entry_fits(pattern, parsed, app) else ():
                parameters = None if verb.first in used else _parameters(pattern, _inputs(parsed, verb, target, app))
                if parameters is not None:
                    used.add(verb.first)
                    yield FoundAction(
                        OwnerAction(function=function, parameters=parameters), verb.first, vocabulary.last_resort
                    )


def _entry_fits(pattern: ActionPattern, parsed: ParsedText, app: str | None) -> bool:
    """Whether the entry meets ``with_any`` and ``without``."""
    present = {name for mention in parsed.objects for name in mention.names}
    present |= {f"<{entity.kind}>" for entity in parsed.entities} | ({"<app>"} if app else set())
    return not present & set(pattern.without) and (not pattern.with_any or bool(present & set(pattern.with_any)))


def _pairs(pattern: ActionPattern, parsed: ParsedText) -> Iterator[tuple[PhraseMention, _Target]]:
    """Each target of the pattern with its governing verb, where that is one of the pattern's verbs."""
    for target in _targets(pattern, parsed):
        verbs = parsed.verbs.governing(target.position)
        verb = next((verb for verb in verbs if verb.names & set(pattern.verbs)), None)
        if verb is not None:
            yield verb, target


def _targets(pattern: ActionPattern, parsed: ParsedText) -> Iterator[_Target]:
    tokens = parsed.text.tokens
    for mention in parsed.objects:
        if mention.names & set(pattern.objects):
            yield _Target(mention.first, tokens[mention.first].start, tokens[mention.last].end)
    for name in pattern.objects:
        if name in _VERB_ITSELF:
            for verb in parsed.verbs.all:
                yield _Target(verb.first, tokens[verb.first].start, tokens[verb.last].end)
        elif name.startswith("<"):
            yield from _values(name[1:-1], parsed)


def _values(kind: str, parsed: ParsedText) -> Iterator[_Target]:
    """Quoted texts, or entities of one kind."""
    found = parsed.text.quotes if kind == "quote" else [one for one in parsed.entities if one.kind == kind]
    for one in found:
        position = next((at for at, token in enumerate(parsed.text.tokens) if token.end > one.start), None)
        if position is not None:
            yield _Target(position, one.start, one.end)


def _inputs(parsed: ParsedText, verb: PhraseMention, target: _Target, app: str | None) -> ExtractionInput:
    tokens = parsed.text.tokens
    sentence = tokens[verb.first].sentence
    earlier = [one for one in parsed.verbs.all if one.first < verb.first and tokens[one.first].sentence == sentence]
    return ExtractionInput(
        text=parsed.text,
        entities=parsed.entities,
        verb=verb,
        before=earlier[-1] if earlier else None,
        object_span=(target.start, target.end),
        app=app,
    )


def _parameters(pattern: ActionPattern, inputs: ExtractionInput) -> dict[str, JsonValue] | None:
    """The parameters that the pattern gives; None when a required one was not found."""
    found = {name: _extract(extractors, inputs) for name, extractors in pattern.extract.items()}
    if any(found.get(name) is None for name in pattern.required):
        return None
    return {**pattern.values, **{name: value for name, value in found.items() if value is not None}}


def _extract(extractors: tuple[str, ...], inputs: ExtractionInput) -> JsonValue:
    """The value of the first extractor that finds one."""
    return next((value for name in extractors if (value := EXTRACTORS[name](inputs)) is not None), None)
