"""Read a line of the behaviour log: what happened, and which functions its owner carried out by hand."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from pydantic import JsonValue

from collectors.context import LogEntry
from function_pool.spec import Pool
from heed.model import Frozen
from models.routines.apps import Apps
from models.routines.entities import Entity, find
from models.routines.extract import EXTRACTORS, Scene
from models.routines.grammar import Verbs, stands_as_verb
from models.routines.lexicon import Deed, EventForm, Form, Lexicon, Mention
from models.routines.text import Text, without_leading_time

_SALIENT_ENTITIES = {"introduction": "introduction", "url": "web_link"}
"""Values in a text that tell one message from another, and what they are called among its things."""


class Happening(Frozen):
    """What the phone or somebody else did."""

    kind: str
    """A kind of ``collectors.context.Trigger``."""
    about: frozenset[str] = frozenset()
    """The things of the lexicon that a reaction may depend on."""
    measure: int | None = None
    """The percentage it mentions, e.g. the battery's level."""


class Act(Frozen):
    """A function of the pool that the owner carried out, with the parameters that the text gives."""

    function: str
    parameters: dict[str, JsonValue]


class Reading(Frozen):
    """What one log line says."""

    entry: LogEntry
    happening: Happening | None = None
    acts: tuple[Act, ...] = ()


class _Target(NamedTuple):
    """Where a form's thing stands in the text."""

    position: int
    """Its first token."""
    start: int
    end: int


class _Parsed(NamedTuple):
    """A text with everything found in it."""

    text: Text
    entities: tuple[Entity, ...]
    things: tuple[Mention, ...]
    verbs: Verbs


def things_in(lexicon: Lexicon, text: str, today: date) -> frozenset[str]:
    """All things that a message or an event's text mentions."""
    parsed = _parse(lexicon, text, today)
    return _salient(lexicon, parsed, range(len(text))) | {name for thing in parsed.things for name in thing.names}


def salient(lexicon: Lexicon, things: frozenset[str]) -> frozenset[str]:
    """Those of the things that a reaction may depend on."""
    return frozenset(name for name in things if lexicon.things[name].event)


def _parse(lexicon: Lexicon, raw: str, today: date) -> _Parsed:
    text = lexicon.parse(raw)
    verbs = Verbs(lexicon, text)
    doing = {position for verb in verbs.all if verb.names for position in verb.words}
    # "ordered" is no order: an English word that stands as a verb is no thing.
    things = tuple(
        thing
        for thing in lexicon.mentions("thing", text)
        if not text.raw[text.tokens[thing.first].start].isascii() or thing.first not in doing
    )
    return _Parsed(text, find(raw, today), things, verbs)


def _salient(lexicon: Lexicon, parsed: _Parsed, within: range) -> frozenset[str]:
    named = {
        name
        for mention in parsed.things
        if parsed.text.tokens[mention.first].start in within
        for name in mention.names
        if lexicon.things[name].event
    }
    kinds = {entity.kind for entity in parsed.entities if entity.start in within}
    return frozenset(named | {thing for kind, thing in _SALIENT_ENTITIES.items() if kind in kinds})


class Reader:
    """Reads log entries with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._lexicon = lexicon
        self._pool = pool
        self._apps = Apps(lexicon, pool)

    def read(self, entry: LogEntry) -> Reading:
        """What ``entry`` says; a line that says nothing known has neither happening nor acts."""
        parsed = _parse(self._lexicon, without_leading_time(entry.action), entry.time.date())
        done = list(self._acts(parsed))
        first = min((position for position, _ in done), default=len(parsed.text.tokens))
        acts = tuple(act for index, (_, act) in enumerate(done) if act not in [other for _, other in done[:index]])
        return Reading(entry=entry, happening=self._happening(parsed, first), acts=acts)

    # --- happenings ---

    def _happening(self, parsed: _Parsed, before: int) -> Happening | None:
        """What happened before the first act (its verb is token ``before``): what came later is no reason for it."""
        words = [
            mention
            for mention in self._lexicon.mentions("happens", parsed.text)
            if mention.first < before
            and parsed.text.tokens[mention.first].quote < 0
            and stands_as_verb(parsed.text, mention, self._lexicon.grammar)
        ]
        for sentence in range(len(parsed.text.sentences)):
            for form in self._lexicon.events.kinds:
                if self._tells(form, parsed, words, sentence):
                    return self._as_happening(form, parsed, sentence)
        return None

    def _tells(self, form: EventForm, parsed: _Parsed, words: Iterable[Mention], sentence: int) -> bool:
        if form.measured and self._percent(parsed, sentence) is None:
            return False
        happens = self._mentioned(words, form.happens, parsed, sentence)
        things = self._mentioned(parsed.things, form.about, parsed, sentence)
        # "an alert" alone tells nothing: the happening must be more than the thing itself.
        apart = any(set(word.words) - set(thing.words) for word in happens for thing in things)
        return bool(things) if not form.happens else bool(happens) if not form.about else apart

    def _mentioned(
        self, mentions: Iterable[Mention], names: Iterable[str], parsed: _Parsed, sentence: int
    ) -> list[Mention]:
        """The mentions of these names in one sentence, outside quotes."""
        first = ((mention, parsed.text.tokens[mention.first]) for mention in mentions if mention.names & set(names))
        return [mention for mention, token in first if token.sentence == sentence and token.quote < 0]

    def _as_happening(self, form: EventForm, parsed: _Parsed, sentence: int) -> Happening:
        about = _salient(self._lexicon, parsed, range(*parsed.text.sentences[sentence]))
        return Happening(kind=form.kind, about=about, measure=self._percent(parsed, sentence))

    def _percent(self, parsed: _Parsed, sentence: int) -> int | None:
        within = range(*parsed.text.sentences[sentence])
        found = [entity for entity in parsed.entities if entity.kind == "percent" and entity.start in within]
        return int(found[0].value) if found else None

    # --- acts ---

    def _acts(self, parsed: _Parsed) -> Iterator[tuple[int, Act]]:
        """The acts with the tokens of their verbs."""
        found = [
            (deed, position, act)
            for function, deed in self._lexicon.deeds.items()
            if function in self._pool
            for position, act in self._acts_of(function, deed, parsed)
        ]
        understood = any(not deed.last_resort for deed, _, _ in found)
        yield from ((position, act) for deed, position, act in found if not (understood and deed.last_resort))

    def _acts_of(self, function: str, deed: Deed, parsed: _Parsed) -> Iterator[tuple[int, Act]]:
        """At most one act per verb; the first form that fits it is taken."""
        used: set[int] = set()
        for form in deed.forms:
            app = self._apps.mentioned(function, parsed.text)
            if not self._company(form, parsed, app):
                continue
            for target in self._targets(form, parsed, app):
                verb = self._verb(form, parsed, target)
                if verb is None or verb.first in used:
                    continue
                parameters = self._parameters(form, self._scene(parsed, verb, target, app))
                if parameters is not None:
                    used.add(verb.first)
                    yield verb.first, Act(function=function, parameters=parameters)

    def _company(self, form: Form, parsed: _Parsed, app: str | None) -> bool:
        """Whether what must and must not stand in the entry does and does not."""
        present = {name for mention in parsed.things for name in mention.names}
        present |= {f"<{entity.kind}>" for entity in parsed.entities} | ({"<app>"} if app else set())
        return not present & set(form.without) and (not form.beside or bool(present & set(form.beside)))

    def _targets(self, form: Form, parsed: _Parsed, app: str | None) -> Iterator[_Target]:
        tokens = parsed.text.tokens
        for mention in parsed.things:
            if mention.names & set(form.to):
                yield _Target(mention.first, tokens[mention.first].start, tokens[mention.last].end)
        for name in form.to:
            if name in ("<any>", "<name>", "<person>"):
                for verb in parsed.verbs.all:
                    yield _Target(verb.first, tokens[verb.first].start, tokens[verb.last].end)
            elif name.startswith("<"):
                yield from self._entity_targets(name[1:-1], parsed)

    def _entity_targets(self, kind: str, parsed: _Parsed) -> Iterator[_Target]:
        spans = (
            [(quote.start, quote.end) for quote in parsed.text.quotes]
            if kind == "quote"
            else [(entity.start, entity.end) for entity in parsed.entities if entity.kind == kind]
        )
        for start, end in spans:
            position = next((at for at, token in enumerate(parsed.text.tokens) if token.end > start), None)
            if position is not None:
                yield _Target(position, start, end)

    def _verb(self, form: Form, parsed: _Parsed, target: _Target) -> Mention | None:
        wanted = set(form.do)
        return next((verb for verb in parsed.verbs.governing(target.position) if verb.names & wanted), None)

    def _scene(self, parsed: _Parsed, verb: Mention, target: _Target, app: str | None) -> Scene:
        return Scene(
            text=parsed.text,
            entities=parsed.entities,
            verb=verb,
            before=self._previous(parsed, verb),
            thing=(target.start, target.end),
            app=app,
        )

    def _parameters(self, form: Form, scene: Scene) -> dict[str, JsonValue] | None:
        """What the form's words and extractors give; None when something that it needs is not said."""
        taken = {name: _take(extractors, scene) for name, extractors in form.take.items()}
        if any(taken.get(name) is None for name in form.need):
            return None
        return {**form.set, **{name: value for name, value in taken.items() if value is not None}}

    def _previous(self, parsed: _Parsed, verb: Mention) -> Mention | None:
        tokens = parsed.text.tokens
        earlier = [
            other
            for other in parsed.verbs.all
            if other.first < verb.first and tokens[other.first].sentence == tokens[verb.first].sentence
        ]
        return earlier[-1] if earlier else None


def _take(extractors: tuple[str, ...], scene: Scene) -> JsonValue:
    """The first value that the extractors find."""
    return next((value for name in extractors if (value := EXTRACTORS[name](scene)) is not None), None)
