"""The weights that requests are read with, trained by ``training.requests``."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np

from models.perceptor.features import Array
from models.requests.features import HASHED_SCALE, RequestFeatures

NONE = ""
"""The name of the class of requests that no function of the pool serves."""
FILE = "requests.npz"


class RequestWeights(NamedTuple):
    """Linear layers over the features of a request."""

    functions: tuple[str, ...]
    """The classes: ``NONE`` and the pool's functions."""
    summary: Array
    """``(1152, functions)``, 8-bit whole numbers."""
    words: Array
    """``(4096, functions)``, 8-bit whole numbers."""
    summary_scales: Array
    """``(functions,)``: what a whole number of a column of ``summary`` stands for."""
    word_scales: Array
    """The same of ``words``."""
    biases: Array
    """``(functions,)``"""
    starts: Array
    """``(384, roles)``, half precision: added to the network's own scores of where a role's words begin."""
    ends: Array
    """The same of where they end."""
    roles: Array
    """``(2, roles)``: biases of both."""


def function_scores(given: RequestFeatures, weights: RequestWeights) -> Array:
    """The log-odds of each class, up to a constant."""
    words = weights.words[list(given.buckets)].sum(axis=0, dtype=np.int32) * weights.word_scales
    scale = HASHED_SCALE / np.sqrt(len(given.buckets) + 1)
    summary = (given.summary @ weights.summary.astype(np.float32)) * weights.summary_scales
    scores: Array = summary + scale * words + weights.biases
    return scores


def span_scores(given: RequestFeatures, weights: RequestWeights) -> tuple[Array, Array]:
    """For each piece and role, the scores that the role's words begin and end there; piece 0 is for no words."""
    states = given.outputs["states"]
    apart = (np.arange(len(states)) > 0)[:, None]
    starts = given.outputs["starts"] + states @ weights.starts.astype(np.float32) + apart * weights.roles[0]
    ends = given.outputs["ends"] + states @ weights.ends.astype(np.float32) + apart * weights.roles[1]
    return starts, ends


def dump(weights: RequestWeights) -> bytes:
    """The weights as a file."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **{**weights._asdict(), "functions": np.array(weights.functions)})
    return buffer.getvalue()


@cache
def shipped_request_weights() -> RequestWeights:
    """The weights that heed ships."""
    data = files("models.requests").joinpath("data", FILE).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        named = {name: arrays[name] for name in RequestWeights._fields if name != "functions"}
        return RequestWeights(functions=tuple(map(str, arrays["functions"])), **named)
