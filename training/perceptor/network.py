"""The perceptor's encoder as an ONNX file, its weights stored as bytes."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

from models.perceptor.features import Array

HEADS = 12
EPSILON = 1e-12
ALL_HEARD, KEPT = 1, 64
"""Number of layers for all pieces, and number of pieces (the most relevant) in the other layers, which saves time."""
ALWAYS = 1e4
"""Log-odds larger than all learnt ones: the first piece, which represents the whole, is always kept, padding never."""
_OPSET = 18
_RUNTIME = "com.microsoft"
"""onnxruntime's own operators."""
Weights = Mapping[str, Array]
"""By name, as ``training.perceptor.encoder`` names them; a linear layer is ``(outputs, inputs)``."""


def to_onnx(weights: Weights) -> bytes:
    """The network: the arrays of ``features`` and ``places``, ``(1, n)``, to ``gate`` and ``scores``, log-odds.

    A word's vector is stored as bytes with a scale of its own, a linear layer's weights as bytes with a scale per
    output.
    """
    with TemporaryDirectory() as folder:
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        onnx.save(_Graph(weights).model(), whole)
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

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._stored: dict[str, Array] = {}
        self._nodes: list[onnx.NodeProto] = []

    def model(self) -> onnx.ModelProto:
        self._heads(*self._encoded())
        inputs = ("pieces", "kinds", "places")
        graph = helper.make_graph(
            self._nodes,
            "perceptor",
            [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in inputs],
            [
                helper.make_tensor_value_info("gate", TensorProto.FLOAT, [1, 1]),
                helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, len(self._weights["scores.bias"])]),
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
        most = self._node("Min", count, self._store("kept", np.array([KEPT])))
        values, places = f"{found} relevant", f"{found} kept"
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
        return self._node("Add", self._node("MatMul", x, weight), self._weight(f"{name}.bias", f"{name}.bias"))

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
