"""The perceptor's weights, read back from the network that ships, so that what is trained on them fits them exactly."""

from importlib.resources import files

import numpy as np
import onnx
from onnx import numpy_helper

from models.perceptor.features import Array

_PARTS = ("query", "key", "value")
_TABLES = {"places.table": "places", "kinds.table": "kinds"}


def shipped_weights() -> dict[str, Array]:
    """The weights by the names of ``training.perceptor.encoder``; a linear layer is ``(outputs, inputs)``."""
    stored = _stored()
    made: dict[str, Array] = {"words": stored["words"].astype(np.float32) * stored["words.scale"]}
    for name, array in stored.items():
        if name.endswith(".attended.weight"):
            layer = name.removesuffix(".attended.weight")
            for part, piece in zip(_PARTS, np.split(array, len(_PARTS), axis=1), strict=True):
                made[f"{layer}.{part}.weight"] = piece.T
        elif name.endswith(".attended.bias"):
            layer = name.removesuffix(".attended.bias")
            for part, piece in zip(_PARTS, np.split(array, len(_PARTS)), strict=True):
                made[f"{layer}.{part}.bias"] = piece
        elif name in _TABLES:
            made[_TABLES[name]] = array
        elif not name.startswith("read.") and "." in name and name.rsplit(".", 1)[1] in ("weight", "bias"):
            turned = array.ndim == 2 and name.endswith(".weight")
            made[name] = array.T if turned else array
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in made.items()}


def shipped_adapters() -> dict[str, Array]:
    """The reader's adapters and heads by the names of ``training.reader.network``, to go on training from."""
    stored, made = _stored(), dict[str, Array]()
    for name, array in stored.items():
        if name.endswith(".attended.a"):
            layer, rank = name.removesuffix(".attended.a"), array.shape[1] // len(_PARTS)
            ups = np.split(stored[f"{layer}.attended.b"], len(_PARTS), axis=1)
            for number, (part, up) in enumerate(zip(_PARTS, ups, strict=True)):
                own = slice(number * rank, (number + 1) * rank)
                made[f"{layer}.{part}.a"], made[f"{layer}.{part}.b"] = array[:, own].T, up[own].T
        elif ".attended." not in name and name.endswith((".a", ".b")):
            made[name] = array.T
        elif name.startswith("read.") and name.endswith((".weight", ".bias")):
            made[name] = array.T if array.ndim == 2 else array
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in made.items()}


def _stored() -> dict[str, Array]:
    """Every stored array; a quantized one as the numbers that it stands for."""
    data = files("models.perceptor").joinpath("data", "perceptor.onnx").read_bytes()
    arrays = {one.name: numpy_helper.to_array(one) for one in onnx.load_from_string(data).graph.initializer}
    found = dict(arrays)
    for name, array in arrays.items():
        if name.endswith("_quantized"):
            plain = name.removesuffix("_quantized")
            scale, zero = arrays[f"{plain}_scale"], arrays[f"{plain}_zero_point"]
            found[plain] = (array.astype(np.float32) - zero.astype(np.float32)) * scale
    return found
