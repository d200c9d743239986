"""Recognises functions in log lines of any wording: a linear model over hashed features, trained by
``training.log_lines``."""

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np

SHARPNESS = 4.0
"""Factor of the weighted sum, so that weights of the order of 1 give decisive log-odds."""
MODEL = "log_lines.npz"


class Weights(NamedTuple):
    """The trained model."""

    functions: tuple[str, ...]
    rows: np.ndarray
    """``(table,)``: the row of a feature in ``weights``; 0 for a feature that was never seen."""
    weights: np.ndarray
    """``(rows, functions)``, 8-bit whole numbers; row 0 is zero."""
    scales: np.ndarray
    """``(functions,)``: what a whole number of this column stands for."""
    biases: np.ndarray
    """``(functions,)``"""


def shares(features: Sequence[int], model: Weights) -> dict[str, float]:
    """The probability of each function that a line with these features reports it."""
    total = model.weights[model.rows[list(features)]].sum(axis=0, dtype=np.int32) * model.scales
    odds = SHARPNESS * total / math.sqrt(len(features) + 1) + model.biases
    probabilities = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return dict(zip(model.functions, map(float, probabilities), strict=True))


def dump(model: Weights) -> bytes:
    """The model as a file."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **{**model._asdict(), "functions": np.array(model.functions)})
    return buffer.getvalue()


@cache
def shipped_weights() -> Weights:
    """The model that heed ships."""
    data = files("models.routines").joinpath("data").joinpath(MODEL).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return Weights(
            functions=tuple(map(str, arrays["functions"])),
            **{name: arrays[name] for name in ("rows", "weights", "scales", "biases")},
        )
