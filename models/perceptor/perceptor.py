"""Runs the perceptor's network on onnxruntime."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from pydantic import Field

from collectors.context import RenderedContext
from function_pool.spec import Pool, default_pool
from heed.model import Frozen
from models.perceptor.features import features
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.perceptor.tokens import Vocabulary

CANDIDATES = 20
"""Maximum number of candidate functions."""
_CAUTIOUS, _KEEN = 0.95, 0.01
"""Upper and lower bound of the threshold after the owner's answers."""
_STEP = 0.35
"""One rejection raises the threshold by so much in log-odds; an acceptance lowers it by half of that."""


class Card(Frozen):
    """Metadata of a network: functions, threshold, training and figures."""

    version: str
    functions: tuple[str, ...]
    threshold: float = Field(gt=0, lt=1)
    trained_on: Mapping[str, int]
    """Numbers of examples, moments and generated records."""
    held_out: tuple[str, ...]
    """Writers whose moments were kept out of the training."""
    metrics: Mapping[str, float]
    """On these writers' moments."""


class Perception(Frozen):
    """The result of the perceptor for one context."""

    p_act: float
    """Probability that something is needed, where every second moment needs something."""
    opens: bool
    """Whether the gate opens: ``p_act`` reaches the threshold."""
    scenarios: tuple[tuple[str, float], ...]
    """Scenarios of the pool, likeliest first, with their share."""
    candidates: tuple[tuple[str, float], ...]
    """At most ``CANDIDATES`` functions, likeliest first, with their share."""


class Perceptor:
    """Evaluates rendered contexts.

    Args:
        network: the encoder.
        vocabulary: the pieces it knows.
        card: of that network.
        threshold: from which on the gate opens; the card's where None.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary, card: Card, threshold: float | None = None) -> None:
        self._network = network
        self._vocabulary = vocabulary
        self._card = card
        self._threshold = card.threshold if threshold is None else threshold

    @classmethod
    def load(cls, *, threshold: float | None = None, accepted: int = 0, rejected: int = 0) -> "Perceptor":
        """Loads the perceptor that heed ships.

        Args:
            threshold: of the gate; None = that of the card.
            accepted: number of recent acceptances, which lower the threshold.
            rejected: number of recent rejections, which raise it.
        """
        card = shipped_card()
        at = card.threshold if threshold is None else threshold
        return cls(shipped_network(), shipped_vocabulary(), card, shifted(at, accepted, rejected))

    @property
    def card(self) -> Card:
        return self._card

    @property
    def threshold(self) -> float:
        return self._threshold

    def perceive(self, said: RenderedContext, pool: Pool | None = None) -> Perception:
        """Evaluates a context.

        Args:
            said: the rendered context.
            pool: limits the candidates to its functions; None = the default pool.
        """
        pool = default_pool() if pool is None else pool
        read = features(said, self._vocabulary)
        gate, scores = self._network.decide(read.pieces, read.kinds)
        p_act = 1 / (1 + math.exp(-max(-50.0, min(50.0, float(gate[0])))))
        shares = _shares(self._card.functions, scores, pool)
        scenarios: dict[str, float] = {}
        for name, share in shares:
            scenario = pool.get(name).scenario
            scenarios[scenario] = scenarios.get(scenario, 0.0) + share
        return Perception(
            p_act=p_act,
            opens=bool(shares) and p_act >= self._threshold,
            scenarios=tuple(sorted(scenarios.items(), key=lambda pair: -pair[1])),
            candidates=shares[:CANDIDATES],
        )


def shifted(threshold: float, accepted: int, rejected: int) -> float:
    """The threshold after these numbers of answers; a rejection moves it twice as far as an acceptance."""
    odds = math.log(threshold / (1 - threshold)) + _STEP * (rejected - accepted / 2)
    return min(_CAUTIOUS, max(_KEEN, 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))))


def _shares(names: Sequence[str], scores: np.ndarray, pool: Pool) -> tuple[tuple[str, float], ...]:
    known = [(name, float(score)) for name, score in zip(names, scores, strict=True) if name in pool]
    highest = max((score for _, score in known), default=0.0)
    weights = [(name, math.exp(score - highest)) for name, score in known]
    total = sum(weight for _, weight in weights)
    return tuple(sorted(((name, weight / total) for name, weight in weights), key=lambda pair: -pair[1]))


@cache
def shipped_card() -> Card:
    """The card of the network that heed ships."""
    return Card.model_validate_json(files("models.perceptor").joinpath("data", "perceptor.json").read_text("utf-8"))
