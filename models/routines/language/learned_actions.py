"""Finds the functions that a log line reports in any wording, by the learned classifier."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

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
from models.routines.language.tokens import TokenizedText

LIKELY, BESIDE, SURE = 0.4, 0.6, 0.9
"""Minimum probability of the likeliest function, of another one, of one beside what the lexicon found."""
_IN_CLAUSE = 0.75
"""Minimum probability in a clause, which says less than the sentence."""


class LearnedAction(NamedTuple):
    """An action with the probability that the line reports its function."""

    action: OwnerAction
    share: float


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

    def find(self, parsed: ParsedText) -> list[LearnedAction]:
        """The likely actions of each sentence; where there is none, those of the whole text or of its clauses."""
        sentences = [span for at, span in enumerate(parsed.text.sentences) if at not in parsed.verbs.foreign]
        found = self._of_parts(parsed, sentences)
        if not found and not parsed.verbs.foreign:
            whole = [(0, len(parsed.text.raw))] if len(sentences) > 1 else []
            found = self._of_parts(parsed, whole) or self._of_parts(parsed, _clauses(parsed.text), _IN_CLAUSE)
        return [one for at, one in enumerate(found) if one.action not in [other.action for other in found[:at]]]

    def _of_parts(
        self, parsed: ParsedText, spans: Sequence[tuple[int, int]], least: float = LIKELY
    ) -> list[LearnedAction]:
        """The likely actions of parts of a text, each read as a text of its own."""
        raw = parsed.text.raw
        parts = (
            parsed if (start, end) == (0, len(raw)) else parse(self._lexicon, raw[start:end], parsed.today)
            for start, end in spans
        )
        return [one for part in parts for one in self._of(part, least)]

    def _of(self, parsed: ParsedText, least: float) -> Iterator[LearnedAction]:
        if not parsed.text.tokens:
            return
        likely = shares(features(parsed, self._lexicon, self._apps), self._weights)
        best = max(likely, key=lambda function: likely[function])
        for function, share in likely.items():
            if share >= (least if function == best else max(least, BESIDE)) and function in self._pool:
                yield LearnedAction(OwnerAction(function=function, parameters=self._arguments(function, parsed)), share)

    def _arguments(self, function: str, parsed: ParsedText) -> dict[str, JsonValue]:
        app = self._apps.mentioned(function, parsed.text)
        whole = (0, len(parsed.text.raw))
        first = PhraseMention(frozenset(), (0,))
        inputs = ExtractionInput(parsed.text, parsed.entities, first, None, whole, app)
        spec = self._pool.get(function)
        found = arguments(function, parsed.text.raw, inputs)
        return {name: value for name, value in found.items() if name in spec.parameters}


def _clauses(text: TokenizedText) -> list[tuple[int, int]]:
    """The spans between the commas, colons and dashes of a text; none if there is only one."""
    starts = [token.start for at, token in enumerate(text.tokens) if token.after_break and at > 0 and token.quote < 0]
    return list(pairwise((0, *starts, len(text.raw)))) if starts else []
