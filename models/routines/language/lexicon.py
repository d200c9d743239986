"""The lexicon: declared phrases for functions, objects and events in English and Chinese, and their search in a text.

Verbs, objects and event phrases are classes of phrases. ``functions.yaml`` maps a verb class with an object class to a
function of the pool; ``events.yaml`` maps an object class with an event phrase to a kind of trigger.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from pydantic import Field, JsonValue, TypeAdapter, model_validator

from collectors.context import AnyKind
from function_pool.spec import FunctionSpec
from heed.errors import Bug
from heed.model import Frozen
from models.routines.documents import parse_document
from models.routines.language.tokens import TokenizedText, parse, stem

GAP = "*"
"""In a phrase: up to ``GAP_WORDS`` words may stand in this place."""
GAP_WORDS = 8

PhraseGroup = Literal["verb", "object", "event"]


class PhraseClass(Frozen):
    """One class of phrases in English and Chinese."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()


class ObjectClass(PhraseClass):
    """A class of objects that functions act on or events are about."""

    distinguishing: bool = False
    """A reaction may depend on whether an event mentions it."""
    caution: bool = False
    """An event that mentions it does not count as an event of the kind seen before without it."""
    synonyms: bool = False
    """Its phrases are interchangeable when two texts are compared."""


class EventPattern(Frozen):
    """Object classes and event phrases that, in one sentence, report an event of one trigger kind."""

    kind: AnyKind
    objects: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    """Empty: an object is enough."""
    measured: bool = False
    """The sentence must mention a percentage."""


class CommonReaction(Frozen):
    """A reaction that is common among people, so that few examples in the log are enough."""

    kind: AnyKind
    function: str
    objects: tuple[str, ...] = ()
    """Object classes that the event must mention."""
    examples: int = 1
    """Number of examples that are enough."""


class EventVocabulary(Frozen):
    """The schema of ``events.yaml``."""

    phrases: Mapping[str, PhraseClass]
    kinds: tuple[EventPattern, ...]
    """In order of preference: the first that matches a sentence is taken."""
    common_reactions: tuple[CommonReaction, ...]


class ActionPattern(Frozen):
    """A verb with an object that together report that a function was carried out."""

    verbs: tuple[str, ...]
    """Verb classes."""
    objects: tuple[str, ...]
    """Object classes, or entity kinds in angle brackets, e.g. ``<email>``."""
    with_any: tuple[str, ...] = ()
    """At least one of these occurs in the entry; ``<app>`` is an app that the pool names for the function."""
    without: tuple[str, ...] = ()
    """None of these occurs in the entry."""
    values: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Parameter values that follow from the pattern itself."""
    extract: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Per parameter, names of extractors (``parameters.EXTRACTORS``) in order of preference."""
    required: tuple[str, ...] = ()
    """Parameters that must have been found."""


class SatisfiedState(Frozen):
    """A state of the phone in which the call would change nothing."""

    fact: str
    value: JsonValue
    """The value of ``fact`` in that state."""
    given: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Parameters that the call must have; empty = every call."""


class FunctionVocabulary(Frozen):
    """The words by which a log reports one function of the pool, and the sources of its parameters."""

    identity: tuple[str, ...] = ()
    """Parameters that make two calls different habits."""
    patterns: tuple[ActionPattern, ...]
    """In order of preference."""
    fill: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Per parameter, the sources (``filling.SOURCES``) of a value that the log does not give as a constant."""
    default: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Parameter values used when nothing else is known."""
    already_satisfied: tuple[SatisfiedState, ...] = ()
    last_resort: bool = False
    """Used only when no other function was found in the entry."""


class GrammarWords(Frozen):
    """The schema of ``grammar.yaml``: function words and irregular forms that the parser knows individually."""

    determiners: frozenset[str]
    before_verbs: frozenset[str]
    negations: frozenset[str]
    delegations: frozenset[str]
    answers: frozenset[str]
    """Verb classes that answer a question of the phone."""
    owner: frozenset[str]
    owner_nouns: frozenset[str]
    passives: frozenset[str]
    stop_words: frozenset[str]
    linking_words: frozenset[str]
    forms: Mapping[str, str]
    unchanged_past: frozenset[str]

    def stems(self, words: Iterable[str]) -> frozenset[str]:
        """The stems of the words."""
        return frozenset(stem(word, self.forms) for word in words)


class PhraseMention(NamedTuple):
    """An occurrence of a phrase in a text."""

    names: frozenset[str]
    """The classes that the phrase belongs to."""
    words: tuple[int, ...]
    """Indexes of its tokens, without those in a gap."""

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
        """The phrases in ``text``; of overlapping ones the longest is kept, of equally long ones the most compact."""
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
    """Indexes of the tokens of the phrase if it begins at ``position``, else an empty tuple."""
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
    """All declared phrases and patterns, indexed for search."""

    def __init__(
        self,
        grammar: GrammarWords,
        verbs: Mapping[str, PhraseClass],
        objects: Mapping[str, ObjectClass],
        events: EventVocabulary,
        functions: Mapping[str, FunctionVocabulary],
    ) -> None:
        self.grammar = grammar
        self.objects = objects
        self.events = events
        self.functions = functions
        self._indexes: dict[PhraseGroup, PhraseIndex] = {
            "verb": self.index((word, name) for name, words in verbs.items() for word in (*words.en, *words.zh)),
            "object": self.index((word, name) for name, words in objects.items() for word in (*words.en, *words.zh)),
            "event": self.index(
                (word, name) for name, words in events.phrases.items() for word in (*words.en, *words.zh)
            ),
        }

    def vocabulary(self, spec: FunctionSpec) -> FunctionVocabulary:
        """The words for a function; for one that the lexicon does not know only what tells its calls apart."""
        return self.functions.get(spec.name) or FunctionVocabulary(identity=tuple(spec.parameters), patterns=())

    def parse(self, raw: str) -> TokenizedText:
        """Splits ``raw`` into stemmed tokens."""
        return parse(raw, self.grammar.forms, self.grammar.unchanged_past)

    def distinguishing(self, objects: Iterable[str]) -> frozenset[str]:
        """The object classes among ``objects`` that a reaction may depend on."""
        return frozenset(name for name in objects if self.objects[name].distinguishing)

    def has_cautionary(self, objects: Iterable[str]) -> bool:
        """Whether one of the object classes calls for caution: a code, a sale, a link, …"""
        return any(self.objects[name].caution for name in objects)

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
    """All lexicon files together; checks that the names that one file uses are declared in another."""

    grammar: GrammarWords
    verbs: Mapping[str, PhraseClass]
    objects: Mapping[str, ObjectClass]
    events: EventVocabulary
    functions: Mapping[str, FunctionVocabulary]

    @model_validator(mode="after")
    def _names_exist(self) -> "_Files":
        for function, vocabulary in self.functions.items():
            for pattern in vocabulary.patterns:
                _known(pattern.verbs, self.verbs, f"{function}: verb")
                used = _plain((*pattern.objects, *pattern.with_any, *pattern.without))
                _known(used, self.objects, f"{function}: object")
        for kind in self.events.kinds:
            _known(kind.objects, self.objects, f"{kind.kind}: object")
            _known(kind.phrases, self.events.phrases, f"{kind.kind}: event phrase")
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
            objects=_read("objects.yaml", TypeAdapter(dict[str, ObjectClass])),
            events=_read("events.yaml", TypeAdapter(EventVocabulary)),
            functions=_read("functions.yaml", TypeAdapter(dict[str, FunctionVocabulary])),
        )
    except ValueError as error:
        raise Bug(f"The lexicon contradicts itself: {error}.") from error
    return Lexicon(read.grammar, read.verbs, read.objects, read.events, read.functions)
