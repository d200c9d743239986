"""The perceptor's weights: of least penalized log loss, first of the functions, then of the gate."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from models.perceptor.cues import SECTIONS, Array
from models.perceptor.features import PER_FUNCTION

_PENALTY = 3e-3
_WORD_PENALTY = 1e-5
_GATE_WORD_PENALTY = 3e-4
"""What words say of a need depends on who writes: less would judge the same writer better and another one worse."""
_ROUNDS = 80
Bounds = tuple[float | None, float | None]
_FREE, _RAISES, _LOWERS = (None, None), (0.0, None), (None, 0.0)
_GATE_BOUNDS: Sequence[Bounds] = [*[_RAISES] * 3, *[_LOWERS] * len(SECTIONS), *[_RAISES] * len(SECTIONS), _FREE]
"""A surer function or an open need never lowers the gate, a need that is met never raises it: what the records say
against that is the habit of their grammar."""
Loss = Callable[[Array], tuple[float, Array]]


class Data(NamedTuple):
    """Records as arrays, one row per record."""

    functions: Array
    """Records by functions by ``PER_FUNCTION``."""
    signs: Array
    """Records by ``PER_CONTEXT``."""
    words: Any
    """Records by ``WORDS``, a sparse matrix."""
    length: Array
    """How long the record is for its language: what must not tell a need from a look-alike."""
    about: Array
    """Index of the function that is needed, or that the look-alike resembles."""
    needed: Array
    """Whether something is needed."""
    moment: Array
    """The same for a need and its look-alike."""
    weight: Array
    """Sum to 1."""

    def of(self, rows: Array) -> "Data":
        return Data(*(array[rows] for array in self))


class Weights(NamedTuple):
    """The network's arrays."""

    functions: Array
    """``(PER_FUNCTION,)``."""
    gate: Array
    """Of the best score by the cues, its lead, its share, the signs; last the bias."""
    words: Array
    """``(WORDS, functions + 1)``: of each function, last of the gate."""


def fit(data: Data) -> Weights:
    """Weights for these records; the words add to what the cues say."""
    acting = data.of(data.needed)
    functions = _least(lambda weights: _cue_loss(weights, acting), [_FREE] * PER_FUNCTION)
    scores = data.functions @ functions
    words = _word_weights(data, scores)
    gate, gate_words = _gate_weights(data, gate_inputs(scores, data.signs))
    columns = np.concatenate([words, gate_words[:, None]], axis=1)
    return Weights(functions.astype(np.float32), gate.astype(np.float32), columns.astype(np.float32))


def judge(weights: Weights, data: Data) -> tuple[Array, Array]:
    """Scores of the functions, and the probability that something is needed, as the network computes them."""
    cues, words = data.functions @ weights.functions, data.words @ weights.words
    odds = gate_inputs(cues, data.signs) @ weights.gate + words[:, -1]
    return cues + words[:, :-1], 1 / (1 + np.exp(-odds))


def gate_inputs(scores: Array, signs: Array) -> Array:
    """What the gate looks at beside the words, one row per record, as the network computes it."""
    best = np.sort(scores, axis=1)[:, :-3:-1]
    share = _softmax(scores).max(axis=1, keepdims=True)
    return np.concatenate([best[:, :1], best[:, :1] - best[:, 1:], share, signs, np.ones_like(share)], axis=1)


def _cue_loss(weights: Array, data: Data) -> tuple[float, Array]:
    rows, weight = np.arange(len(data.about)), data.weight / data.weight.sum()
    shares = _softmax(data.functions @ weights)
    loss = -weight @ np.log(shares[rows, data.about]) + _PENALTY * weights @ weights
    shares[rows, data.about] -= 1
    slope = np.einsum("rf,rfk->k", shares * weight[:, None], data.functions)
    return float(loss), slope + 2 * _PENALTY * weights


def _word_weights(data: Data, scores: Array) -> Array:
    """Of each function over the words, learnt from needs and from what resembles them."""
    rows, shape = np.arange(len(data.about)), (data.words.shape[1], scores.shape[1])

    def loss(flat: Array) -> tuple[float, Array]:
        shares = _softmax(scores + data.words @ flat.reshape(shape))
        value = -data.weight @ np.log(shares[rows, data.about] + 1e-12) + _WORD_PENALTY * flat @ flat
        shares[rows, data.about] -= 1
        slope = (data.words.T @ (shares * data.weight[:, None])).ravel()
        return float(value), slope + 2 * _WORD_PENALTY * flat

    return _least(loss, [_FREE] * (shape[0] * shape[1])).reshape(shape)


def _gate_weights(data: Data, inputs: Array) -> tuple[Array, Array]:
    """Of ``inputs`` and of the words.

    The records' length takes part in the training and is left out afterwards: what it explains, no word has to.
    """
    count = inputs.shape[1]
    known = np.concatenate([inputs, data.length[:, None]], axis=1)
    penalty = np.concatenate([np.full(count, _PENALTY), [0.0], np.full(data.words.shape[1], _GATE_WORD_PENALTY)])

    def loss(weights: Array) -> tuple[float, Array]:
        odds = known @ weights[: count + 1] + data.words @ weights[count + 1 :]
        value = data.weight @ np.logaddexp(0, np.where(data.needed, -odds, odds)) + penalty @ weights**2
        error = data.weight * (1 / (1 + np.exp(-odds)) - data.needed)
        slope = np.concatenate([known.T @ error, data.words.T @ error])
        return float(value), slope + 2 * penalty * weights

    found = _least(loss, [*_GATE_BOUNDS, _FREE, *[_FREE] * data.words.shape[1]])
    return found[:count], found[count + 1 :]


def _least(loss: Loss, bounds: Sequence[Bounds]) -> Array:
    free = all(bound == _FREE for bound in bounds)
    found: Array = minimize(
        loss,
        np.zeros(len(bounds)),
        jac=True,
        bounds=None if free else bounds,
        method="L-BFGS-B",
        options={"maxiter": _ROUNDS},
    ).x
    return found


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
