"""``python -m models.perceptor.train RECORDS``: train the network anew (needs the dependency group ``train``).

Every function is scored by the same few weights over what the cues say of it, so what is learnt of one function holds
for all; the gate looks at the best scores and at the words of a need met or open. Measured by training on the moments
of half of the functions and judging those of the other half; then the network that ships is trained on all of them.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.progress import track
from scipy.optimize import minimize  # type: ignore[import-untyped]

from collectors.context import RenderedContext
from models.perceptor.cues import SECTIONS, Array, table
from models.perceptor.features import PER_CONTEXT, PER_FUNCTION, features
from models.perceptor.perceptor import CANDIDATES, Card

_PENALTY = 1e-3
_FALSE_TRIGGERS = 0.03
"""The threshold is the lowest at which so few held-out look-alikes open the gate; hand-written ones open it more often
(see the card), hence so few."""
Bounds = tuple[float | None, float | None]
_FREE, _RAISES, _LOWERS = (None, None), (0.0, None), (None, 0.0)
_GATE_BOUNDS: Sequence[Bounds] = [*[_RAISES] * 3, *[_LOWERS] * len(SECTIONS), *[_RAISES] * len(SECTIONS), _FREE]
"""A surer function or an open need never lowers the gate, a need that is met never raises it: what the records say
against that is the habit of their grammar."""


class Data(NamedTuple):
    """Records as arrays."""

    functions: Array
    """Records by functions by ``PER_FUNCTION``."""
    signs: Array
    """Records by ``PER_CONTEXT``."""
    needed: Array
    """Index of the function that is needed, -1 for none."""
    about: Array
    """Index of the function that the record is about, needed or not."""

    def of(self, rows: Array) -> "Data":
        return Data(*(array[rows] for array in self))


class Weights(NamedTuple):
    """The network's arrays."""

    functions: Array
    gate: Array
    """Of the best score, its lead, its share, the signs; last the bias."""


def main(
    records: Annotated[Path, typer.Argument(help="Generated records, a JSON array.")],
    folder: Annotated[Path, typer.Option(help="Where the network and its card go.")] = Path("models/perceptor/data"),
) -> None:
    """Train, measure on held-out functions, train on everything, write the network and its card."""
    data = _data(json.loads(records.read_text("utf-8")))
    held = data.about % 2 == 1
    threshold, metrics = _measure(fit(data.of(~held)), data.of(held))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "perceptor.onnx").write_bytes(to_onnx(fit(data)))
    card = Card(
        version="2",
        functions=table().functions,
        threshold=threshold,
        trained_on={"records": len(held), "held_out": int(held.sum())},
        metrics=metrics,
    )
    (folder / "perceptor.json").write_text(card.model_dump_json(indent=1) + "\n", "utf-8")
    typer.echo(card.model_dump_json(indent=1, exclude={"functions"}))


def _data(raw: Sequence[dict[str, Any]]) -> Data:
    names = table().functions
    contexts = [_said(one["reference_information"]) for one in raw]
    inputs = [features(said) for said in track(contexts, "reading records")]
    called = [[call["name"] for answer in one["recommendation"] for call in answer["function"]] for one in raw]
    return Data(
        functions=np.array([one for one, _ in inputs]),
        signs=np.array([one for _, one in inputs]),
        needed=np.array([names.index(calls[0]) if calls else -1 for calls in called]),
        about=np.array([names.index(one["benchmark_metadata"]["template"].split("/")[0]) for one in raw]),
    )


def _said(information: dict[str, Any]) -> RenderedContext:
    return RenderedContext.model_validate({**information, "trace": tuple(information["trace"])})


def fit(data: Data) -> Weights:
    """The weights of least penalized log loss: of the functions where one is needed, then of the gate."""
    acting = data.needed >= 0
    functions = _least(lambda weights: _function_loss(weights, data.of(acting)), [_FREE] * PER_FUNCTION)
    inputs = gate_inputs(data.functions @ functions, data.signs)
    gate = _least(lambda weights: _gate_loss(weights, inputs, acting), _GATE_BOUNDS)
    return Weights(functions.astype(np.float32), gate.astype(np.float32))


def _least(loss: Callable[[Array], tuple[float, Array]], bounds: Sequence[Bounds]) -> Array:
    found: Array = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return found


def _function_loss(weights: Array, data: Data) -> tuple[float, Array]:
    rows = np.arange(len(data.needed))
    shares = _softmax(data.functions @ weights)
    chosen = data.functions[rows, data.needed]
    loss = -np.log(shares[rows, data.needed]).mean() + _PENALTY * weights @ weights
    slope = (np.einsum("rf,rfk->k", shares, data.functions) - chosen.sum(axis=0)) / len(rows)
    return float(loss), slope + 2 * _PENALTY * weights


def _gate_loss(weights: Array, inputs: Array, acting: Array) -> tuple[float, Array]:
    odds = inputs @ weights
    loss = np.logaddexp(0, np.where(acting, -odds, odds)).mean() + _PENALTY * weights @ weights
    error = 1 / (1 + np.exp(-odds)) - acting
    return float(loss), inputs.T @ error / len(acting) + 2 * _PENALTY * weights


def gate_inputs(scores: Array, signs: Array) -> Array:
    """What the gate looks at, one row per record, as the network computes it."""
    best = np.sort(scores, axis=1)[:, :-3:-1]
    share = _softmax(scores).max(axis=1, keepdims=True)
    return np.concatenate([best[:, :1], best[:, :1] - best[:, 1:], share, signs, np.ones_like(share)], axis=1)


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _measure(weights: Weights, held: Data) -> tuple[float, dict[str, float]]:
    """The threshold and the figures on records about functions that were not trained on."""
    scores = held.functions @ weights.functions
    sure = _softmax(scores).max(axis=1) / (1 + np.exp(-(gate_inputs(scores, held.signs) @ weights.gate)))
    acting = held.needed >= 0
    threshold = float(np.quantile(sure[~acting], 1 - _FALSE_TRIGGERS))
    ranks = (-scores[acting]).argsort(axis=1).argsort(axis=1)[np.arange(acting.sum()), held.needed[acting]]
    opens = sure >= threshold
    metrics = {
        "gate_recall": opens[acting].mean(),
        "false_trigger_rate": opens[~acting].mean(),
        "first_function": (ranks == 0).mean(),
        f"candidate_recall_{CANDIDATES}": (ranks < CANDIDATES).mean(),
    }
    return threshold, {f"unseen_functions_{name}": round(float(value), 4) for name, value in metrics.items()}


def to_onnx(weights: Weights) -> bytes:
    """The network as an ONNX file: the two arrays of ``features`` to ``scores`` and ``gate`` (log-odds)."""
    from onnx import TensorProto, helper, numpy_helper

    stored = {
        "function_weights": weights.functions[:, None],
        "gate_weights": weights.gate[:-1, None],
        "gate_bias": weights.gate[-1:],
        "two": np.array([2], dtype=np.int64),
        "last": np.array([-1], dtype=np.int64),
    }
    nodes = [
        helper.make_node("MatMul", ["functions", "function_weights"], ["columns"]),
        helper.make_node("Squeeze", ["columns", "last"], ["scores"]),
        helper.make_node("TopK", ["scores", "two"], ["best", "places"], axis=1),
        helper.make_node("Split", ["best"], ["first", "second"], axis=1, num_outputs=2),
        helper.make_node("Sub", ["first", "second"], ["lead"]),
        helper.make_node("Softmax", ["scores"], ["shares"], axis=1),
        helper.make_node("ReduceMax", ["shares", "last"], ["share"], keepdims=1),
        helper.make_node("Concat", ["first", "lead", "share", "signs"], ["inputs"], axis=1),
        helper.make_node("Gemm", ["inputs", "gate_weights", "gate_bias"], ["gate"]),
    ]
    count = len(table().functions)
    graph = helper.make_graph(
        nodes,
        "perceptor",
        [
            helper.make_tensor_value_info("functions", TensorProto.FLOAT, ["batch", count, PER_FUNCTION]),
            helper.make_tensor_value_info("signs", TensorProto.FLOAT, ["batch", PER_CONTEXT]),
        ],
        [
            helper.make_tensor_value_info("gate", TensorProto.FLOAT, ["batch", 1]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", count]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in stored.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return bytes(model.SerializeToString())


if __name__ == "__main__":
    typer.run(main)
