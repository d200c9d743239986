"""Fits the linear layers over the network's states: the function of a request, and where its values stand."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.perceptor.features import Array
from models.reader.roles import role_of, roles
from models.requests.features import BUCKETS, HASHED_SCALE, RequestFeatures
from models.requests.weights import NONE, RequestWeights
from models.values.folding import locate
from training.requests.examples import RequestExample

STEPS, RATE, DECAY = 150, 0.03, 1e-4
SPAN_STEPS, SPAN_RATE, SPAN_DECAY = 120, 0.02, 1e-4
STATE_SCALE = 0.1
"""Factor of the states, brought to a deviation of one, beside the hashed words."""
LOG_LINE_WEIGHT = 0.5
"""Of a log line beside a request."""
NONE_WEIGHT = 3.0
"""Of a request that no function serves: there are few."""


class Row(NamedTuple):
    """An example with its features."""

    example: RequestExample
    features: RequestFeatures
    weight: float


def fit(rows: Sequence[Row], spans: Sequence[Row], functions: Sequence[str]) -> RequestWeights:
    """Fits the layers.

    Args:
        rows: what the function is learned from.
        spans: what the places of values are learned from.
        functions: the pool's.
    """
    starts, ends, biases = fit_spans(spans)
    summary, words, own = fit_functions(rows, (NONE, *functions))
    return RequestWeights(
        (NONE, *functions), summary.whole, words.whole, summary.scales, words.scales, own, starts, ends, biases
    )


class EightBit(NamedTuple):
    """Weights as 8-bit whole numbers, and per column what one stands for."""

    whole: Array
    scales: Array


def eight_bit(weights: Array) -> EightBit:
    """The nearest weights in eight bits."""
    scales = (np.abs(weights).max(axis=0) / 127 + 1e-9).astype(np.float32)
    return EightBit(np.rint(weights / scales).astype(np.int8), scales)


def fit_functions(rows: Sequence[Row], functions: Sequence[str]) -> tuple[EightBit, EightBit, Array]:
    """``summary``, ``words`` and ``biases`` of ``RequestWeights``."""
    summaries = np.stack([row.features.summary for row in rows]).astype(np.float32)
    mean, spread = summaries.mean(axis=0), summaries.std(axis=0) + 1e-3
    inputs = np.hstack([(summaries - mean) / spread * STATE_SCALE, _hashed(rows)])
    place = {name: number for number, name in enumerate(functions)}
    wanted = np.eye(len(functions), dtype=np.float32)[[place[row.example.function] for row in rows]]
    given = np.array([row.weight for row in rows], dtype=np.float32)
    weights, biases = _softmax_regression(inputs, wanted, given / given.sum())
    summary = weights[: len(mean)] * (STATE_SCALE / spread)[:, None]
    own = (biases - mean @ summary).astype(np.float32)
    return eight_bit(summary), eight_bit(weights[len(mean) :]), own


def _hashed(rows: Sequence[Row]) -> Array:
    found = np.zeros((len(rows), BUCKETS), dtype=np.float32)
    for number, row in enumerate(rows):
        found[number, row.features.buckets] = HASHED_SCALE / np.sqrt(len(row.features.buckets) + 1)
    return found


class _Adam:
    """Adam for one array, which it changes in place."""

    def __init__(self, array: Array, rate: float) -> None:
        self._array, self._rate, self._step = array, rate, 0
        self._mean, self._square = np.zeros_like(array), np.zeros_like(array)

    def move(self, slope: Array) -> None:
        self._step += 1
        self._mean += 0.1 * (slope - self._mean)
        self._square += 0.01 * (slope * slope - self._square)
        mean, square = self._mean / (1 - 0.9**self._step), self._square / (1 - 0.99**self._step)
        self._array -= self._rate * mean / (np.sqrt(square) + 1e-8)


def _softmax_regression(inputs: Array, wanted: Array, shares: Array) -> tuple[Array, Array]:
    weights = np.zeros((inputs.shape[1], wanted.shape[1]), dtype=np.float32)
    biases = np.zeros(wanted.shape[1], dtype=np.float32)
    for_weights, for_biases = _Adam(weights, RATE), _Adam(biases, RATE)
    for _ in range(STEPS):
        error = (_softmax(inputs @ weights + biases) - wanted) * shares[:, None]
        for_weights.move(inputs.T @ error + DECAY * weights)
        for_biases.move(error.sum(axis=0))
    return weights, biases


def _softmax(scores: Array, axis: int = 1) -> Array:
    odds = np.exp(scores - scores.max(axis=axis, keepdims=True))
    shares: Array = odds / odds.sum(axis=axis, keepdims=True)
    return shares


# --- the places of values -------------------------------------------------------------------------------------------


def fit_spans(rows: Sequence[Row]) -> tuple[Array, Array, Array]:
    """``starts``, ``ends`` and ``roles`` of ``RequestWeights``."""
    taught = _taught_roles(rows)
    labelled = [(row, _places(row)) for row in rows if row.example.function]
    weights, biases = [], []
    for end, output in enumerate(("starts", "ends")):
        fitted = _fit_places([(row.features, {r: p[end] for r, p in places.items()}, taught[row.example.function])
                              for row, places in labelled], output)  # fmt: skip
        weights.append(fitted[0])
        biases.append(fitted[1])
    return weights[0].astype(np.float16), weights[1].astype(np.float16), np.stack(biases).astype(np.float32)


def _taught_roles(rows: Sequence[Row]) -> dict[str, set[int]]:
    """Function -> the roles that some of its requests have words for; the others are not learned from."""
    found: dict[str, set[int]] = {}
    for row in rows:
        found.setdefault(row.example.function, set()).update(_places(row))
    return found


def _places(row: Row) -> dict[int, tuple[int, int]]:
    """Role -> its first and last piece."""
    found: dict[int, tuple[int, int]] = {}
    for parameter, words in row.example.spans.items():
        role, place = role_of(row.example.function, parameter), locate(words, row.example.text)
        if role is None or place is None:
            continue
        inside = [
            number
            for number, piece in enumerate(row.features.pieces)
            if piece.start >= 0 and piece.start < place[1] and piece.end > place[0]
        ]
        if inside:
            found[roles().index(role)] = (inside[0], inside[-1])
    return found


_Labelled = tuple[RequestFeatures, dict[int, int], set[int]]


def _fit_places(rows: Sequence[_Labelled], output: str) -> tuple[Array, Array]:
    """The layer that adds to the network's scores; a role without words is taught the start mark."""
    size, count = rows[0][0].outputs["states"].shape[1], len(roles())
    weights, biases = np.zeros((size, count), dtype=np.float32), np.zeros(count, dtype=np.float32)
    for_weights, for_biases = _Adam(weights, SPAN_RATE), _Adam(biases, SPAN_RATE)
    longest = max(len(features.pieces) for features, _, _ in rows)
    states = np.zeros((len(rows), longest, size), dtype=np.float32)
    first = np.full((len(rows), longest, count), -1e4, dtype=np.float32)
    wanted, taught = np.zeros_like(first), np.zeros((len(rows), 1, count), dtype=np.float32)
    for number, (features, places, own) in enumerate(rows):
        kept = [at for at, piece in enumerate(features.pieces) if at == 0 or piece.start >= 0]
        states[number, kept] = features.outputs["states"][kept]
        first[number, kept] = features.outputs[output][kept]
        for role in own:
            taught[number, 0, role] = 1
            wanted[number, places.get(role, 0), role] = 1
    for _ in range(SPAN_STEPS):
        # The start mark's score stands for "no words"; a bias for all pieces but that one is learned.
        scores = first + states @ weights
        scores[:, 1:] += biases
        error = (_softmax(scores) - wanted) * taught / len(rows)
        for_weights.move(np.tensordot(states, error, axes=((0, 1), (0, 1))) + SPAN_DECAY * weights)
        for_biases.move(error[:, 1:].sum(axis=(0, 1)))
    return weights, biases
