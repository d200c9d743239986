"""The perceptor's encoder as an ONNX file, its weights stored as bytes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

from models.perceptor.features import Array

HEADS = 12
EPSILON = 1e-12
ALL_HEARD = 1
"""Number of layers for all pieces; the others take the ``KEPT`` most relevant ones, which saves time."""
ALWAYS = 1e4
"""Log-odds larger than all learnt ones: the first piece, which represents the whole, is always kept, padding never."""
_OPSET = 18
_RUNTIME = "com.microsoft"
"""onnxruntime's own operators."""
Weights = Mapping[str, Array]
"""By name, as ``training.perceptor.encoder`` names them; a linear layer is ``(outputs, inputs)``."""


def to_onnx(weights: Weights, reader: Weights) -> bytes:
    """The network: the arrays of ``features`` and ``places``, ``(1, n)``, to ``gate`` and ``scores``, log-odds.

    With the input ``reading`` at 1 the reader's adapters take part, and the outputs ``need``, ``functions``,
    ``choices``, ``starts`` and ``ends`` are valid (``training.reader.network``), the last two in the order of ``kept``;
    at 0 they are without effect. ``most`` is the number of pieces that reach all layers.

    A word's vector is stored as bytes with a scale of its own, a linear layer's weights as bytes with a scale per
    output.

    Args:
        weights: of the perceptor, by the names of ``training.perceptor.encoder``.
        reader: adapters and heads, by the names of ``training.reader.network``.
    """
    with TemporaryDirectory() as folder:
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        onnx.save(_Graph(weights, reader).model(), whole)
        quantize_dynamic(
            whole,
            small,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},  # of what the runtime's own operators give
        )
        return small.read_bytes()


class _Graph:
    """Builds the graph of one set of weights, from the input to the outputs."""

    def __init__(self, weights: Weights, reader: Weights) -> None:
        self._weights, self._reader = {**weights, **reader}, reader
        self._stored: dict[str, Array] = {}
        self._nodes: list[onnx.NodeProto] = []

    def model(self) -> onnx.ModelProto:
        x, glance = self._encoded()
        self._heads(x, glance)
        self._reading_heads(x)
        inputs = ("pieces", "kinds", "places")
        sizes = {
            "gate": [1, 1], "scores": [1, len(self._weights["scores.bias"])], "need": [1, 1],
            "functions": [1, len(self._weights["read.functions.bias"])],
            "choices": [1, len(self._weights["read.choices.bias"])],
            "starts": [1, "m", len(self._weights["read.starts.bias"])],
            "ends": [1, "m", len(self._weights["read.ends.bias"])],
            "states": [1, "m", len(self._weights["norm.bias"])],
        }  # fmt: skip
        graph = helper.make_graph(
            self._nodes,
            "perceptor",
            [
                *(helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in inputs),
                helper.make_tensor_value_info("most", TensorProto.INT64, [1]),
                helper.make_tensor_value_info("reading", TensorProto.FLOAT, [1]),
            ],
            [
                *(helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name, size in sizes.items()),
                helper.make_tensor_value_info("kept", TensorProto.INT64, [1, "m"]),
            ],
            [numpy_helper.from_array(array, name) for name, array in self._stored.items()],
        )
        sets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_RUNTIME, 1)]
        return helper.make_model(graph, opset_imports=sets, ir_version=9)

    def _encoded(self) -> tuple[str, str]:
        """The pieces that all layers heard, and a glance at all there are."""
        words = self._weights["words"]
        scale = (np.abs(words).max(axis=1, keepdims=True) / 127 + 1e-12).astype(np.float32)
        self._store("words", np.round(words / scale).astype(np.int8))
        self._store("words.scale", scale)
        steps = self._node("Cast", self._node("Gather", "words", "pieces"), to=TensorProto.FLOAT)
        x = self._node("Mul", steps, self._node("Gather", "words.scale", "pieces"))
        for name in ("places", "kinds"):
            x = self._node("Add", x, self._node("Gather", self._weight(f"{name}.table", name), name))
        x = self._norm(x, "norm")
        layers = sum(name.endswith(".up.weight") for name in self._weights)
        for number in range(ALL_HEARD):
            x = self._layer(x, f"layer.{number}")
        glance = self._weighed(x, x, "glance")
        x = self._relevant(x)
        for number in range(ALL_HEARD, layers):
            x = self._layer(x, f"layer.{number}")
        return x, glance

    def _relevant(self, x: str) -> str:
        """The first piece and those that matter most, in the order of their relevance."""
        last, row = self._store("last", np.array([-1])), self._store("row", np.array([0]))
        found = self._node("Squeeze", self._linear(x, "relevance"), last)
        first = self._node("Equal", "places", row)
        found = self._node("Where", first, self._number(ALWAYS), found)
        count = self._node("Shape", "pieces", start=1)
        most = self._node("Min", count, "most")
        values, places = f"{found} relevant", "kept"
        self._nodes.append(helper.make_node("TopK", [found, most], [values, places], axis=1))
        return self._node("Gather", x, self._node("Squeeze", places, row), axis=1)

    def _layer(self, x: str, name: str) -> str:
        mixed = self._node("MultiHeadAttention", *self._attended(x, name), domain=_RUNTIME, num_heads=HEADS)
        x = self._norm(self._node("Add", x, self._linear(mixed, f"{name}.out")), f"{name}.norm")
        inner = self._node("Gelu", self._linear(x, f"{name}.up"), domain=_RUNTIME)
        return self._norm(self._node("Add", x, self._linear(inner, f"{name}.down")), f"{name}.last_norm")

    def _attended(self, x: str, name: str) -> list[str]:
        """Query, key and value, from one multiplication: that is quicker than three."""
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self._weights[f"{part}.weight"] for part in parts]).T
        bias = np.concatenate([self._weights[f"{part}.bias"] for part in parts])
        mixed = self._node("MatMul", x, self._store(f"{name}.attended.weight", weight))
        mixed = self._node("Add", mixed, self._store(f"{name}.attended.bias", bias))
        down = np.concatenate([self._reader[f"{part}.a"] for part in parts]).T
        up = _blocks([self._reader[f"{part}.b"].T for part in parts])
        mixed = self._node("Add", mixed, self._adapted(x, f"{name}.attended", down, up))
        self._nodes.append(helper.make_node("Split", [mixed], parts, axis=-1, num_outputs=len(parts)))
        return parts

    def _heads(self, x: str, glance: str) -> None:
        """The functions from the first piece, what they look at and the glance; the gate from each piece's evidence."""
        axis = self._store("axis", np.array([1]))
        ends = self._store("from", np.array([0])), self._store("to", np.array([1]))
        first = self._node("Squeeze", self._node("Slice", x, *ends, axis), axis)
        seen = self._node("Concat", first, self._weighed(x, x, "focus"), glance, axis=1)
        total = self._weighed(x, self._linear(x, "evidence"), "share")
        scaled = self._node("Mul", total, self._weight("gate.weight", "gate.weight"))
        self._node("Add", scaled, self._weight("gate.bias", "gate.bias"), out="gate")
        self._node("Identity", self._linear(seen, "scores"), out="scores")

    def _weighed(self, x: str, values: str, name: str) -> str:
        """The sum over the pieces, each with its share."""
        axis = self._store("axis", np.array([1]))
        shares = self._node("Softmax", self._linear(x, name), axis=1)
        return self._node("ReduceSum", self._node("Mul", values, shares), axis, keepdims=0)

    def _linear(self, x: str, name: str) -> str:
        weight = self._weight(f"{name}.weight", f"{name}.weight", turned=True)
        whole = self._node("Add", self._node("MatMul", x, weight), self._weight(f"{name}.bias", f"{name}.bias"))
        if f"{name}.a" not in self._reader:
            return whole
        down, up = self._reader[f"{name}.a"].T, self._reader[f"{name}.b"].T
        return self._node("Add", whole, self._adapted(x, name, down, up))

    def _adapted(self, x: str, name: str, down: Array, up: Array) -> str:
        """What a low-rank adapter adds to a layer's output while the network reads a text."""
        low = self._node("MatMul", x, self._store(f"{name}.a", down.astype(np.float32)))
        added = self._node("MatMul", low, self._store(f"{name}.b", up.astype(np.float32)))
        return self._node("Mul", added, "reading")

    def _reading_heads(self, x: str) -> None:
        """Need and functions from the first piece and what the text is about; each role's ends from every piece.

        The states of the pieces are an output too: other heads are fitted to them (``training.requests``).
        """
        axis = self._store("axis", np.array([1]))
        ends = self._store("from", np.array([0])), self._store("to", np.array([1]))
        first = self._node("Squeeze", self._node("Slice", x, *ends, axis), axis)
        whole = self._node("Concat", first, self._weighed(x, x, "read.share"), axis=1)
        low = self._node("Tanh", self._linear(whole, "read.choosing"))
        for name, given in (("need", whole), ("functions", whole), ("choices", low), ("starts", x), ("ends", x)):
            self._node("Identity", self._linear(given, f"read.{name}"), out=name)
        self._node("Identity", x, out="states")

    def _norm(self, x: str, name: str) -> str:
        """In single steps: the runtime's own LayerNormalization takes a third of all time on a processor."""
        axis = self._store("last", np.array([-1]))
        centred = self._node("Sub", x, self._node("ReduceMean", x, axis, keepdims=1))
        spread = self._node("ReduceMean", self._node("Mul", centred, centred), axis, keepdims=1)
        root = self._node("Sqrt", self._node("Add", spread, self._number(EPSILON)))
        even = self._node("Mul", centred, self._node("Reciprocal", root))
        scale, shift = (self._weight(f"{name}.{part}", f"{name}.{part}") for part in ("weight", "bias"))
        return self._node("Add", self._node("Mul", even, scale), shift)

    def _weight(self, stored: str, name: str, *, turned: bool = False) -> str:
        array = self._weights[name]
        return self._store(stored, (array.T if turned else array).astype(np.float32))

    def _number(self, value: float) -> str:
        return self._store(f"number {value:.6g}", np.array(value, dtype=np.float32))

    def _store(self, name: str, array: Array) -> str:
        self._stored[name] = np.ascontiguousarray(array)
        return name

    def _node(self, kind: str, *inputs: str, out: str | None = None, **how: object) -> str:
        made = out or f"{kind} {len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [made], **how))
        return made


def _blocks(parts: Sequence[Array]) -> Array:
    """Matrices along the diagonal of one, which is zero elsewhere."""
    made = np.zeros((sum(len(part) for part in parts), sum(part.shape[1] for part in parts)), dtype=np.float32)
    row = column = 0
    for part in parts:
        made[row : row + len(part), column : column + part.shape[1]] = part
        row, column = row + len(part), column + part.shape[1]
    return made
