"""Fits the linear model: one logistic regression per function, by AdaGrad, and stores it in bytes."""

import random
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from function_pool.spec import Pool
from models.routines.language.app_finder import AppFinder
from models.routines.language.lexicon import Lexicon
from models.routines.language.log_classifier import SHARPNESS, Weights
from models.routines.language.log_features import TABLE, features
from models.routines.language.parsed_text import parse
from models.routines.language.tokens import without_leading_time
from training.log_lines.lines import LogLine, joined

EPOCHS, BATCH, RATE, SEED = 14, 200, 0.6, 1
_POSITIVE = 3.0
"""Weight of a function that a line reports beside one that it does not: few lines report any one function."""
_DECAY = 1e-5
_FIRST_BIAS = -4.0
_TODAY = date(2026, 1, 1)
_SMALLEST = 0.02
"""A feature whose weights are all below this share of the largest one is dropped."""

_NEGLIGIBLE = 3
"""A stored weight below it becomes 0: that changes hardly any line's functions, and compresses to three quarters."""


class _Fit(NamedTuple):
    weights: np.ndarray
    biases: np.ndarray


def feature_reader(lexicon: Lexicon, pool: Pool) -> Callable[[str], list[int]]:
    """The features of a line, as the log reader computes them."""
    apps = AppFinder(lexicon, pool)
    return lambda text: features(parse(lexicon, without_leading_time(text), _TODAY), lexicon, apps)


def fit(lines: Sequence[LogLine], functions: Sequence[str], read: Callable[[str], list[int]]) -> Weights:
    """Trains on lines and as many joined ones."""
    every = [*lines, *joined(lines, len(lines), random.Random(SEED))]  # noqa: S311
    rows = [read(line.text) for line in every]
    wanted = np.array([[name in line.functions for name in functions] for line in every], dtype=np.float32)
    return _stored(_fitted(rows, wanted), functions)


def _fitted(rows: Sequence[Sequence[int]], wanted: np.ndarray) -> _Fit:
    weights = np.zeros((TABLE, wanted.shape[1]), dtype=np.float32)
    squares = np.full(weights.shape, 1e-3, dtype=np.float32)
    biases = np.full(wanted.shape[1], _FIRST_BIAS, dtype=np.float32)
    chance = np.random.default_rng(SEED)
    for _ in range(EPOCHS):
        order = chance.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            used = np.array(sorted({feature for at in batch for feature in rows[at]}))
            inputs = _matrix([rows[at] for at in batch], used)
            odds = SHARPNESS * inputs @ weights[used] + biases
            error = 1 / (1 + np.exp(-np.clip(odds, -30, 30))) - wanted[batch]
            error *= np.where(wanted[batch] > 0, _POSITIVE, 1)
            step = inputs.T @ error / 20 + _DECAY * weights[used]
            squares[used] += step * step
            weights[used] -= RATE * step / np.sqrt(squares[used])
            biases -= 0.25 * error.mean(axis=0)
    return _Fit(weights, biases)


def _matrix(rows: Sequence[Sequence[int]], used: np.ndarray) -> np.ndarray:
    inputs = np.zeros((len(rows), len(used)), dtype=np.float32)
    for at, row in enumerate(rows):
        inputs[at, np.searchsorted(used, row)] = 1 / np.sqrt(len(row) + 1)
    return inputs


def _stored(fit: _Fit, functions: Sequence[str]) -> Weights:
    largest = np.abs(fit.weights).max(axis=0)
    scales = (np.maximum(largest, 1e-6) / 127).astype(np.float32)
    small = np.rint(fit.weights / scales).astype(np.int8)
    kept = np.flatnonzero(np.abs(small).max(axis=1) >= _SMALLEST * 127)
    small[np.abs(small) < _NEGLIGIBLE] = 0
    rows = np.zeros(TABLE, dtype=np.uint16)
    rows[kept] = np.arange(1, len(kept) + 1)
    table = np.concatenate([np.zeros((1, small.shape[1]), dtype=np.int8), small[kept]])
    return Weights(tuple(functions), rows, table, scales, fit.biases.astype(np.float32))
