"""The network that ships, on onnxruntime: one encoder that decides on contexts and reads incoming texts."""

from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np

from heed.errors import ModelError
from heed.messages import msg
from models.perceptor.features import Array
from models.perceptor.tokens import Vocabulary

_OF_PIECES = ("starts", "ends", "states")
KEPT = 64
"""Pieces of a context that reach all layers."""


class Network:
    """An ONNX network: the arrays of ``features`` to its outputs (``training.perceptor.network``)."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def _session(self) -> Any:
        return _session(self._data)

    def decide(self, pieces: Array, kinds: Array) -> tuple[Array, Array]:
        """Gate and scores of a context, as log-odds."""
        gate, scores = self._run(("gate", "scores"), pieces, kinds, most=KEPT, reading=False)
        return gate[0], scores[0]

    def read(self, pieces: Array, kinds: Array) -> Mapping[str, Array]:
        """``need``, ``functions`` and ``choices`` of a text; per piece, in order, ``starts``, ``ends``, ``states``.

        The states are what the last layer says of each piece, ``(n, 384)``.
        """
        names = ("need", "functions", "choices", *_OF_PIECES, "kept")
        found = dict(zip(names, self._run(names, pieces, kinds, most=len(pieces), reading=True), strict=True))
        order = np.argsort(found.pop("kept")[0])
        placed = {name: found[name][0][order] for name in _OF_PIECES}
        return {**{name: found[name][0] for name in ("need", "functions", "choices")}, **placed}

    def _run(self, names: tuple[str, ...], pieces: Array, kinds: Array, *, most: int, reading: bool) -> list[Array]:
        inputs = {
            "pieces": pieces[None], "kinds": kinds[None], "places": np.arange(len(pieces))[None],
            "most": np.array([most]), "reading": np.array([reading], dtype=np.float32),
        }  # fmt: skip
        made: list[Array] = self._session.run(list(names), inputs)
        return made


@cache
def shipped_network() -> Network:
    """The network that heed ships, one per process; it is loaded at its first use."""
    return Network(files("models.perceptor").joinpath("data", "perceptor.onnx").read_bytes())


@cache
def shipped_vocabulary() -> Vocabulary:
    """The pieces that it knows."""
    text = files("models.perceptor").joinpath("data", "vocabulary.txt").read_text("utf-8")
    return Vocabulary(text.rstrip("\n").split("\n"))


def _session(data: bytes) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf as error:
        raise ModelError(
            msg("The perceptor's network cannot be read: {error}.", error=error), msg("Reinstall heed-android.")
        ) from error
