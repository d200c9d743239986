"""Reads one request: the likeliest functions, the words of their values, and the allowed values that are meant."""

from collections.abc import Mapping, Sequence

import numpy as np

from function_pool.spec import FunctionSpec
from heed.model import Frozen
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.perceptor.tokens import Vocabulary
from models.reader.reading import role_spans
from models.reader.roles import role_of
from models.requests.features import request_features
from models.requests.weights import NONE, RequestWeights, function_scores, shipped_request_weights, span_scores

MOST_FUNCTIONS = 5
"""Functions of a reading, likeliest first."""
LONGEST_REQUEST = 500
"""Characters of a request that are read."""


class RequestReading(Frozen):
    """The network's result for one request."""

    functions: tuple[tuple[str, float], ...]
    """The likeliest functions with their shares; an empty name stands for "none of the pool"."""
    spans: Mapping[str, str]
    """Role -> the words that hold its value; a role without words is absent."""

    @property
    def function(self) -> str:
        """The likeliest function; empty where no function of the pool serves the request."""
        return self.functions[0][0]

    def spans_of(self, spec: FunctionSpec) -> dict[str, str]:
        """Parameter -> the words that hold its value."""
        named = {parameter: role_of(spec.name, parameter) or "" for parameter in spec.parameters}
        return {parameter: self.spans[role] for parameter, role in named.items() if role in self.spans}


class FunctionReader:
    """Reads requests with a network and the layers that were trained on its states.

    Args:
        network: the encoder.
        vocabulary: its pieces.
        weights: the layers.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary, weights: RequestWeights) -> None:
        self._network, self._vocabulary, self._weights = network, vocabulary, weights

    @classmethod
    def load(cls) -> "FunctionReader":
        """The reader that heed ships."""
        return cls(shipped_network(), shipped_vocabulary(), shipped_request_weights())

    def read(self, text: str, candidates: Sequence[str] | None = None) -> RequestReading:
        """What a request asks for.

        Args:
            text: one sentence of the owner.
            candidates: the functions that may be chosen; None = all that were learned.
        """
        given = request_features(text[:LONGEST_REQUEST], self._network, self._vocabulary)
        scores = function_scores(given, self._weights)
        names = self._weights.functions
        if candidates is not None:
            allowed = np.array([name == NONE or name in candidates for name in names])
            scores = np.where(allowed, scores, -np.inf)
        odds = np.exp(scores - scores.max())
        shares = odds / odds.sum()
        best = np.argsort(-shares)[:MOST_FUNCTIONS]
        starts, ends = span_scores(given, self._weights)
        return RequestReading(
            functions=tuple((names[number], float(shares[number])) for number in best),
            spans=dict(role_spans(given.text, given.pieces, starts, ends)),
        )
