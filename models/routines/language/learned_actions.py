"""Finds the functions that a log line reports in any wording, by the learned classifier."""

from collections.abc import Iterator

from pydantic import JsonValue

from function_pool.spec import Pool
from models.routines.language.app_finder import AppFinder
from models.routines.language.lexicon import Lexicon, PhraseMention
from models.routines.language.log_arguments import arguments
from models.routines.language.log_classifier import Weights, shares, shipped_weights
from models.routines.language.log_features import features
from models.routines.language.owner_actions import OwnerAction
from models.routines.language.parameters import ExtractionInput
from models.routines.language.parsed_text import ParsedText, parse

THRESHOLD = 0.5
"""Minimum probability of a function."""


class LearnedActionFinder:
    """Finds actions with one lexicon and one pool.

    Args:
        lexicon: gives the classes of verbs and objects, which are features.
        pool: the functions that can be found.
        weights: of the classifier; None = those that heed ships.
    """

    def __init__(self, lexicon: Lexicon, pool: Pool, weights: Weights | None = None) -> None:
        self._lexicon, self._pool = lexicon, pool
        self._apps = AppFinder(lexicon, pool)
        self._weights = weights or shipped_weights()

    def find(self, parsed: ParsedText) -> list[OwnerAction]:
        """The actions reported in the sentences of the text, or, where no single sentence does, in the whole."""
        found = [action for part in _sentences(parsed, self._lexicon) for action in self._of(part)]
        if not found and len(parsed.text.sentences) > 1:
            found = list(self._of(parsed))
        return [action for at, action in enumerate(found) if action not in found[:at]]

    def _of(self, parsed: ParsedText) -> Iterator[OwnerAction]:
        if not parsed.text.tokens or parsed.verbs.all_denied:
            return
        likely = shares(features(parsed, self._lexicon, self._apps), self._weights)
        for function, share in likely.items():
            if share >= THRESHOLD and function in self._pool:
                yield OwnerAction(function=function, parameters=self._arguments(function, parsed))

    def _arguments(self, function: str, parsed: ParsedText) -> dict[str, JsonValue]:
        app = self._apps.mentioned(function, parsed.text)
        whole = (0, len(parsed.text.raw))
        first = PhraseMention(frozenset(), (0,))
        inputs = ExtractionInput(parsed.text, parsed.entities, first, None, whole, app)
        spec = self._pool.get(function)
        found = arguments(function, parsed.text.raw, inputs)
        return {name: value for name, value in found.items() if name in spec.parameters}


def _sentences(parsed: ParsedText, lexicon: Lexicon) -> Iterator[ParsedText]:
    """Each sentence as a text of its own."""
    spans = parsed.text.sentences
    if len(spans) == 1:
        yield parsed
        return
    for start, end in spans:
        yield parse(lexicon, parsed.text.raw[start:end], parsed.today)
