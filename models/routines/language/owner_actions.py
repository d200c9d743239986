"""Which functions of the pool a log line says its owner carried out by hand."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.spec import Pool
from heed.model import Frozen
from models.routines.language.apps import AppFinder
from models.routines.language.lexicon import ActionPattern, FunctionVocabulary, Lexicon, PhraseMention
from models.routines.language.parameters import EXTRACTORS, ExtractionInput
from models.routines.language.parsed_text import ParsedText

_VERB_ITSELF = frozenset({"<any>", "<name>", "<person>"})
"""Targets that need no thing: the extractors look for what stands around the verb."""


class OwnerAction(Frozen):
    """A function that the owner carried out, with the parameters that the text gives."""

    function: str
    parameters: dict[str, JsonValue]


class FoundAction(NamedTuple):
    """An act and where it is told."""

    act: OwnerAction
    position: int
    """The token of its verb."""
    last_resort: bool


class _Target(NamedTuple):
    """Where a form's thing stands in the text."""

    position: int
    """Its first token."""
    start: int
    end: int


class OwnerActionFinder:
    """Finds acts with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._deeds = {name: deed for name, deed in lexicon.deeds.items() if name in pool}
        self._apps = AppFinder(lexicon, pool)

    def find(self, parsed: ParsedText) -> list[FoundAction]:
        """The acts that the text tells, each once."""
        found = [one for function, deed in self._deeds.items() for one in self._of(function, deed, parsed)]
        if any(not one.last_resort for one in found):
            found = [one for one in found if not one.last_resort]
        return [one for at, one in enumerate(found) if one.act not in [other.act for other in found[:at]]]

    def _of(self, function: str, deed: FunctionVocabulary, parsed: ParsedText) -> Iterator[FoundAction]:
        """At most one act per verb; the first form that fits it is taken."""
        app = self._apps.mentioned(function, parsed.text)
        used: set[int] = set()
        for form in deed.forms:
            for verb, target in _pairs(form, parsed) if _in_company(form, parsed, app) else ():
                parameters = None if verb.first in used else _parameters(form, _scene(parsed, verb, target, app))
                if parameters is not None:
                    used.add(verb.first)
                    yield FoundAction(
                        OwnerAction(function=function, parameters=parameters), verb.first, deed.last_resort
                    )


def _in_company(form: ActionPattern, parsed: ParsedText, app: str | None) -> bool:
    """Whether what must and must not stand in the entry does and does not."""
    present = {name for mention in parsed.things for name in mention.names}
    present |= {f"<{entity.kind}>" for entity in parsed.entities} | ({"<app>"} if app else set())
    return not present & set(form.without) and (not form.beside or bool(present & set(form.beside)))


def _pairs(form: ActionPattern, parsed: ParsedText) -> Iterator[tuple[PhraseMention, _Target]]:
    """Each target of the form with the verb that is done to it, where that is one of the form's."""
    for target in _targets(form, parsed):
        verbs = parsed.verbs.governing(target.position)
        verb = next((verb for verb in verbs if verb.names & set(form.do)), None)
        if verb is not None:
            yield verb, target


def _targets(form: ActionPattern, parsed: ParsedText) -> Iterator[_Target]:
    tokens = parsed.text.tokens
    for thing in parsed.things:
        if thing.names & set(form.to):
            yield _Target(thing.first, tokens[thing.first].start, tokens[thing.last].end)
    for name in form.to:
        if name in _VERB_ITSELF:
            for verb in parsed.verbs.all:
                yield _Target(verb.first, tokens[verb.first].start, tokens[verb.last].end)
        elif name.startswith("<"):
            yield from _values(name[1:-1], parsed)


def _values(kind: str, parsed: ParsedText) -> Iterator[_Target]:
    """Quotes, or values of one kind."""
    found = parsed.text.quotes if kind == "quote" else [one for one in parsed.entities if one.kind == kind]
    for one in found:
        position = next((at for at, token in enumerate(parsed.text.tokens) if token.end > one.start), None)
        if position is not None:
            yield _Target(position, one.start, one.end)


def _scene(parsed: ParsedText, verb: PhraseMention, target: _Target, app: str | None) -> ExtractionInput:
    tokens = parsed.text.tokens
    sentence = tokens[verb.first].sentence
    earlier = [one for one in parsed.verbs.all if one.first < verb.first and tokens[one.first].sentence == sentence]
    return ExtractionInput(
        text=parsed.text,
        entities=parsed.entities,
        verb=verb,
        before=earlier[-1] if earlier else None,
        thing=(target.start, target.end),
        app=app,
    )


def _parameters(form: ActionPattern, scene: ExtractionInput) -> dict[str, JsonValue] | None:
    """What the form's words and extractors give; None when something that it needs is not said."""
    taken = {name: _take(extractors, scene) for name, extractors in form.take.items()}
    if any(taken.get(name) is None for name in form.need):
        return None
    return {**form.set, **{name: value for name, value in taken.items() if value is not None}}


def _take(extractors: tuple[str, ...], scene: ExtractionInput) -> JsonValue:
    """The first value that the extractors find."""
    return next((value for name in extractors if (value := EXTRACTORS[name](scene)) is not None), None)
