"""The declared lexicon: words for deeds, things and happenings in English and Chinese, found in a text.

Verbs, things and happenings are classes of phrases; ``deeds.yaml`` says which class of verb done to which thing is
which function of the pool, and ``events.yaml`` which things with which happening are which kind of trigger.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from pydantic import Field, JsonValue, TypeAdapter, model_validator

from heed.errors import Bug
from heed.model import Frozen
from models.routines.documents import parse_document
from models.routines.language.tokens import TokenizedText, parse, stem

GAP = "*"
"""In a phrase: up to ``GAP_WORDS`` words between."""
GAP_WORDS = 8

PhraseGroup = Literal["verb", "thing", "happens"]


class PhraseClass(Frozen):
    """One class of phrases in both languages."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()


class ObjectClass(PhraseClass):
    """Something that deeds are done to or happenings are about."""

    event: bool = False
    """A reaction may depend on it: it tells one message from another."""
    caution: bool = False
    """A message that mentions it is never taken for one that did not."""
    meaning: bool = False
    """Its words mean the same: a text with one equals a text with another."""


class EventPattern(Frozen):
    """Things and happenings that, in one sentence, tell of a kind of trigger."""

    kind: str
    about: tuple[str, ...]
    happens: tuple[str, ...] = ()
    """None: the things alone tell it."""
    measured: bool = False
    """The sentence must mention a percentage."""


class CommonReaction(Frozen):
    """A reaction that people commonly have."""

    kind: str
    function: str
    about: tuple[str, ...] = ()
    examples: int = 1
    """So many examples are enough."""


class EventVocabulary(Frozen):
    """``events.yaml``."""

    happens: Mapping[str, PhraseClass]
    kinds: tuple[EventPattern, ...]
    conventional: tuple[CommonReaction, ...]


class ActionPattern(Frozen):
    """One way to tell that a function was carried out: this verb, done to this thing."""

    do: tuple[str, ...]
    to: tuple[str, ...]
    """Things, or entity kinds in angle brackets, e.g. ``<email>``."""
    beside: tuple[str, ...] = ()
    """At least one of these must stand in the entry, too; ``<app>`` is an app that the pool names for the function."""
    without: tuple[str, ...] = ()
    """None of these may stand in the entry."""
    set: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Values that follow from the words."""
    take: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Per parameter, extractors in order of preference."""
    need: tuple[str, ...] = ()
    """Parameters that must have been found."""


class SatisfiedState(Frozen):
    """A state in which proposing the call would be nonsense."""

    fact: str
    value: JsonValue
    given: Mapping[str, JsonValue] = Field(default_factory=dict)


class FunctionVocabulary(Frozen):
    """How the lexicon knows a function."""

    identity: tuple[str, ...] = ()
    """Parameters that make two calls different habits."""
    forms: tuple[ActionPattern, ...]
    fill: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Per parameter, where its value comes from at the moment of proposing when the log has no constant."""
    default: Mapping[str, JsonValue] = Field(default_factory=dict)
    moot: tuple[SatisfiedState, ...] = ()
    last_resort: bool = False
    """Counts only when nothing else was understood of an entry."""


class GrammarWords(Frozen):
    """``grammar.yaml``: words that the shallow grammar knows one by one."""

    determiners: frozenset[str]
    before_verbs: frozenset[str]
    negations: frozenset[str]
    delegations: frozenset[str]
    answers: frozenset[str]
    """Classes of verbs."""
    owner: frozenset[str]
    owner_nouns: frozenset[str]
    passives: frozenset[str]
    forms: Mapping[str, str]
    unchanged_past: frozenset[str]

    def stems(self, words: Iterable[str]) -> frozenset[str]:
        """The words as tokens have them."""
        return frozenset(stem(word, self.forms) for word in words)


class PhraseMention(NamedTuple):
    """A phrase of the lexicon in a text."""

    names: frozenset[str]
    words: tuple[int, ...]
    """The indexes of its tokens; a phrase with a gap leaves out what stands in the gap."""

    @property
    def first(self) -> int:
        return self.words[0]

    @property
    def last(self) -> int:
        return self.words[-1]


class _Phrase(NamedTuple):
    stems: tuple[str, ...]
    names: frozenset[str]


class PhraseIndex:
    """Phrases by their first stem, longest first."""

    def __init__(self, phrases: Iterable[tuple[tuple[str, ...], str]]) -> None:
        names: dict[tuple[str, ...], set[str]] = {}
        for stems, name in phrases:
            names.setdefault(stems, set()).add(name)
        self._by_first: dict[str, list[_Phrase]] = {}
        for stems in sorted(names, key=len, reverse=True):
            self._by_first.setdefault(stems[0], []).append(_Phrase(stems, frozenset(names[stems])))

    def find(self, text: TokenizedText) -> tuple[PhraseMention, ...]:
        """The phrases in ``text``; of those that share a word the longest stays, of equals the closest together."""
        kept: list[PhraseMention] = []
        taken: set[int] = set()
        for mention in sorted(self._all(text), key=lambda each: (-len(each.words), each.last - each.first)):
            if not taken.intersection(mention.words):
                kept.append(mention)
                taken.update(mention.words)
        return tuple(sorted(kept, key=lambda each: each.first))

    def _all(self, text: TokenizedText) -> Iterator[PhraseMention]:
        for position, token in enumerate(text.tokens):
            for phrase in self._by_first.get(token.stem, ()):
                words = _match(phrase.stems, text, position)
                if words:
                    yield PhraseMention(phrase.names, words)


def _match(stems: tuple[str, ...], text: TokenizedText, position: int) -> tuple[int, ...]:
    """The tokens of the phrase when it begins at ``position``; empty when it does not."""
    tokens = text.tokens
    words: list[int] = []
    at, slack = position, 0
    for wanted in stems:
        if wanted == GAP:
            slack = GAP_WORDS
            continue
        reach = range(at, min(at + slack + 1, len(tokens)))
        found = next((index for index in reach if tokens[index].stem == wanted), None)
        if found is None or tokens[found].sentence != tokens[position].sentence:
            return ()
        words.append(found)
        at, slack = found + 1, 0
    return tuple(words)


class Lexicon:
    """Everything declared, ready to be found in texts."""

    def __init__(
        self,
        grammar: GrammarWords,
        verbs: Mapping[str, PhraseClass],
        things: Mapping[str, ObjectClass],
        events: EventVocabulary,
        deeds: Mapping[str, FunctionVocabulary],
    ) -> None:
        self.grammar = grammar
        self.things = things
        self.events = events
        self.deeds = deeds
        self._indexes: dict[PhraseGroup, PhraseIndex] = {
            "verb": self.index((word, name) for name, words in verbs.items() for word in (*words.en, *words.zh)),
            "thing": self.index((word, name) for name, words in things.items() for word in (*words.en, *words.zh)),
            "happens": self.index(
                (word, name) for name, words in events.happens.items() for word in (*words.en, *words.zh)
            ),
        }

    def parse(self, raw: str) -> TokenizedText:
        """``raw`` as stemmed tokens."""
        return parse(raw, self.grammar.forms, self.grammar.unchanged_past)

    def telling(self, things: Iterable[str]) -> frozenset[str]:
        """Those of the things that tell one event from another: a reaction may depend on them."""
        return frozenset(name for name in things if self.things[name].event)

    def is_strange(self, things: Iterable[str]) -> bool:
        """Whether one of these makes a message another kind of message: a code, a sale, a link, …"""
        return any(self.things[name].caution for name in things)

    def index(self, phrases: Iterable[tuple[str, str]]) -> PhraseIndex:
        """An index of (phrase, name) pairs, as written and in lower case ("WeChat", "wechat")."""
        return PhraseIndex(
            (stems, name)
            for phrase, name in phrases
            for stems in {self._stems(phrase), self._stems(phrase.lower())}
            if stems
        )

    def _stems(self, phrase: str) -> tuple[str, ...]:
        return tuple(
            stem
            for part in phrase.split()
            for stem in ([GAP] if part == GAP else [token.stem for token in self.parse(part).tokens])
        )

    def mentions(self, group: PhraseGroup, text: TokenizedText) -> tuple[PhraseMention, ...]:
        """The phrases of one group in ``text``."""
        return self._indexes[group].find(text)


class _Files(Frozen):
    """All lexicon files together: what only makes sense across them is checked here."""

    grammar: GrammarWords
    verbs: Mapping[str, PhraseClass]
    things: Mapping[str, ObjectClass]
    events: EventVocabulary
    deeds: Mapping[str, FunctionVocabulary]

    @model_validator(mode="after")
    def _names_exist(self) -> "_Files":
        for function, deed in self.deeds.items():
            for form in deed.forms:
                _known(form.do, self.verbs, f"{function}: verb")
                _known(_plain((*form.to, *form.beside, *form.without)), self.things, f"{function}: thing")
        for kind in self.events.kinds:
            _known(kind.about, self.things, f"{kind.kind}: thing")
            _known(kind.happens, self.events.happens, f"{kind.kind}: happening")
        return self


def _plain(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith("<")]


def _known(names: Iterable[str], table: Mapping[str, Any], where: str) -> None:
    for name in names:
        if name not in table:
            raise ValueError(f"{where} {name!r} is not declared")


def _read(name: str, schema: TypeAdapter[Any]) -> Any:
    text = files("models.routines").joinpath("data").joinpath(name).read_text("utf-8")
    return parse_document(text, schema, name)


@cache
def default_lexicon() -> Lexicon:
    """The lexicon that heed ships."""
    try:
        read = _Files(
            grammar=_read("grammar.yaml", TypeAdapter(GrammarWords)),
            verbs=_read("verbs.yaml", TypeAdapter(dict[str, PhraseClass])),
            things=_read("things.yaml", TypeAdapter(dict[str, ObjectClass])),
            events=_read("events.yaml", TypeAdapter(EventVocabulary)),
            deeds=_read("deeds.yaml", TypeAdapter(dict[str, FunctionVocabulary])),
        )
    except ValueError as error:
        raise Bug(f"The lexicon contradicts itself: {error}.") from error
    return Lexicon(read.grammar, read.verbs, read.things, read.events, read.deeds)
