"""The perceptor's weights as an ONNX file."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from models.perceptor.cues import Array, table
from models.perceptor.features import PER_CONTEXT, PER_FUNCTION
from models.perceptor.fitting import Weights
from models.perceptor.words import WORDS


def to_onnx(weights: Weights) -> bytes:
    """The network as an ONNX file: the arrays of ``features`` to ``scores`` and ``gate`` (log-odds).

    The words' weights are stored as bytes with a scale per column.
    """
    scale = (np.abs(weights.words).max(axis=0) / 127 + 1e-12).astype(np.float32)
    count = len(table().functions)
    stored: dict[str, Array] = {
        "function_weights": weights.functions[:, None],
        "gate_weights": weights.gate[:-1, None],
        "gate_bias": weights.gate[-1:],
        "word_bytes": np.round(weights.words / scale).astype(np.int8),
        "word_scale": scale,
        "parts": np.array([count, 1], dtype=np.int64),
        "two": np.array([2], dtype=np.int64),
        "last": np.array([-1], dtype=np.int64),
    }
    nodes = [
        helper.make_node("MatMul", ["functions", "function_weights"], ["columns"]),
        helper.make_node("Squeeze", ["columns", "last"], ["by_cues"]),
        helper.make_node("TopK", ["by_cues", "two"], ["best", "places"], axis=1),
        helper.make_node("Split", ["best"], ["first", "second"], axis=1, num_outputs=2),
        helper.make_node("Sub", ["first", "second"], ["lead"]),
        helper.make_node("Softmax", ["by_cues"], ["shares"], axis=1),
        helper.make_node("ReduceMax", ["shares", "last"], ["share"], keepdims=1),
        helper.make_node("Concat", ["first", "lead", "share", "signs"], ["inputs"], axis=1),
        helper.make_node("Gemm", ["inputs", "gate_weights", "gate_bias"], ["gate_by_cues"]),
        helper.make_node("Cast", ["word_bytes"], ["word_steps"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["words", "word_steps"], ["in_steps"]),
        helper.make_node("Mul", ["in_steps", "word_scale"], ["by_words"]),
        helper.make_node("Split", ["by_words", "parts"], ["scores_by_words", "gate_by_words"], axis=1),
        helper.make_node("Add", ["by_cues", "scores_by_words"], ["scores"]),
        helper.make_node("Add", ["gate_by_cues", "gate_by_words"], ["gate"]),
    ]
    graph = helper.make_graph(
        nodes,
        "perceptor",
        [
            helper.make_tensor_value_info("functions", TensorProto.FLOAT, ["batch", count, PER_FUNCTION]),
            helper.make_tensor_value_info("signs", TensorProto.FLOAT, ["batch", PER_CONTEXT]),
            helper.make_tensor_value_info("words", TensorProto.FLOAT, ["batch", WORDS]),
        ],
        [
            helper.make_tensor_value_info("gate", TensorProto.FLOAT, ["batch", 1]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", count]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in stored.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return bytes(model.SerializeToString())
