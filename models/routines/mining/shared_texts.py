"""Finds the text that the log lines of one function have in common: the playlist, the contact, the destination.

People word a line differently from day to day; what they name stays the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from function_pool.spec import Pool
from models.routines.language.app_finder import app_names
from models.routines.language.lexicon import Lexicon
from models.routines.language.log_arguments import tables
from models.routines.language.tokens import TokenizedText, WordToken, without_leading_time
from models.routines.mining.history import ActionOccurrence

LEAST = 3
"""Lines that must have a text in common."""
_MOST_WORDS, _MOST_CHARACTERS = 5, 10
_NEARLY, _HALF = 0.8, 0.5
"""A longer text, and one that an extractor found, is preferred if it stands in at least this share of the lines of the
most frequent one."""


class _Common(NamedTuple):
    """Positions of words that name nothing."""

    edges: frozenset[int]
    """No name begins or ends with them."""
    breaks: frozenset[int]
    """No name has them within."""


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    text: str
    stated: bool = False
    """Whether an extractor found it."""


_Phrases = Mapping[tuple[str, ...], _Phrase]


class SharedTextFinder:
    """Finds shared texts with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._lexicon = lexicon
        self._apps = app_names(lexicon, pool)
        grammar = lexicon.grammar
        self._stop, self._linking = grammar.stems(grammar.stop_words), grammar.stems(grammar.linking_words)

    def complete(self, done: Sequence[ActionOccurrence]) -> list[ActionOccurrence]:
        """The occurrences of one function with the text argument that their lines have in common."""
        table = tables().get(done[0].action.function)
        if table is None or not table.shared:
            return list(done)
        left = {at: self._phrases(one, table.shared) for at, one in enumerate(done)}
        result = list(done)
        while (best := _best(left.values())) is not None:
            for at in [at for at, phrases in left.items() if best in phrases]:
                result[at] = _with(done[at], table.shared, left.pop(at)[best].text)
        return result

    def _phrases(self, one: ActionOccurrence, name: str) -> _Phrases:
        """The phrases of a line that may be the argument; a quoted text alone, if there is one."""
        text = self._lexicon.parse(without_leading_time(one.reading.entry.action))
        stated = one.action.parameters.get(name)
        extracted = {}
        if isinstance(stated, str):
            words = tuple(token.stem for token in self._lexicon.parse(stated).tokens)
            extracted = {words: _Phrase(words, stated, stated=True)}
        if stated in [quote.text for quote in text.quotes]:
            return extracted
        return {phrase.words: phrase for phrase in _runs(text, self._common(text))} | extracted

    def _common(self, text: TokenizedText) -> _Common:
        """The words that name nothing: verbs, function words, apps, numbers."""
        tokens = text.tokens
        verbs = self._lexicon.mentions("verb", text)
        names = {at for at, token in enumerate(tokens) if text.raw[token.start].isupper() and not token.after_break}
        chinese = [mention for mention in verbs if not tokens[mention.first].stem.isascii()]
        apps = {at for mention in self._apps.find(text) for at in mention.words}
        stop = {at for at, token in enumerate(tokens) if token.stem in self._stop} - names
        numbers = {at for at, token in enumerate(tokens) if token.stem.isdigit()}
        linking = {at for at in stop if tokens[at].stem in self._linking}
        edges = {at for mention in verbs for at in mention.words} - names | stop | apps | numbers
        long_verbs = {at for mention in chinese if len(mention.words) > 1 for at in mention.words}
        return _Common(frozenset(edges), frozenset((stop - linking) | apps | long_verbs))


def _best(found: Iterable[_Phrases]) -> tuple[str, ...] | None:
    """The longest of the most frequent phrases, rather one that was extracted; None where no phrase is frequent."""
    phrases = [phrase for line in found for phrase in line.values()]
    counts = Counter(phrase.words for phrase in phrases)
    most = max(counts.values(), default=0)
    if most < LEAST:
        return None
    stated = Counter(phrase.words for phrase in phrases if phrase.stated)
    often = [words for words, count in stated.items() if count >= max(LEAST, _HALF * most)]
    if often:
        return max(often, key=lambda words: (stated[words], words))
    return max((words for words, count in counts.items() if count >= max(LEAST, _NEARLY * most)), key=_length)


def _length(words: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return len(words), words


def _with(one: ActionOccurrence, name: str, text: str) -> ActionOccurrence:
    parameters = {**one.action.parameters, name: text}
    return one._replace(action=one.action.model_copy(update={"parameters": parameters}))


def _runs(text: TokenizedText, common: _Common) -> Iterator[_Phrase]:
    """Runs of words within a clause that neither begin nor end with a common word."""
    tokens = text.tokens
    for first in range(len(tokens)):
        chinese = not tokens[first].stem.isascii()
        for last in range(first, min(first + (_MOST_CHARACTERS if chinese else _MOST_WORDS), len(tokens))):
            if last in common.breaks or (last > first and not _touch(text, tokens[last - 1], tokens[last])):
                break
            ends = {first} if tokens[last].stem.isdigit() else {first, last}
            if ends & common.edges or (first == last and chinese):
                continue
            words = tuple(token.stem for token in tokens[first : last + 1])
            yield _Phrase(words, text.raw[tokens[first].start : tokens[last].end])


def _touch(text: TokenizedText, one: WordToken, other: WordToken) -> bool:
    """Whether only a space, a hyphen or an apostrophe is between two words."""
    return other.sentence == one.sentence and not text.raw[one.end : other.start].strip(" -'’.&")
