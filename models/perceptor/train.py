"""``python -m models.perceptor.train RECORDS``: train the network anew (needs the dependency group ``train``).

One hidden layer between hashed features and two heads, the gate and the functions, trained together. The last moment
of need of every function, the look-alikes of every third function and a tenth of the other records are held out to
calibrate and to measure; then the network that ships is trained on everything with the same recipe.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.progress import track

from collectors.context import RenderedContext
from models.perceptor.features import SIZE, features
from models.perceptor.perceptor import CANDIDATES, Card

HIDDEN = 56
_BATCH, _RATE, _DECAY, _DROPOUT = 128, 5e-3, 0.1, 0.5
_HELD_MOMENT, _HELD_THIRD, _LOOSE = "2", 3, "-1"
_FRESH = 10
"""One pair of records in so many is held out although its moment is seen."""
_FALSE_TRIGGERS = 0.10
"""The threshold is the lowest at which so few held-out look-alikes open the gate."""
Array = np.ndarray


class Data(NamedTuple):
    """Records as arrays."""

    inputs: Any
    """Sparse, one row per record."""
    needed: Array
    function: Array
    """Index, -1 for none."""

    def of(self, rows: Array) -> "Data":
        return Data(self.inputs[rows], self.needed[rows], self.function[rows])


class Weights(NamedTuple):
    """The network's arrays."""

    first: Array
    first_bias: Array
    heads: Array
    """Column 0 is the gate, the others are functions."""
    heads_bias: Array


def main(
    records: Annotated[Path, typer.Argument(help="Generated records, a JSON array.")],
    folder: Annotated[Path, typer.Option(help="Where the network and its card go.")] = Path("models/perceptor/data"),
    epochs: Annotated[int, typer.Option(help="Passes over the records.")] = 10,
    seed: Annotated[int, typer.Option(help="Of the random start.")] = 1,
) -> None:
    """Train, measure on held-out moments, train on everything, write the network and its card."""
    raw = json.loads(records.read_text("utf-8"))
    names = sorted({call["name"] for one in raw for answer in one["recommendation"] for call in answer["function"]})
    data = _data(raw, names)
    held = np.array([_is_held(one["benchmark_metadata"]["template"], names) for one in raw])
    fresh = ~held & (np.arange(len(raw)) // 2 % _FRESH == 0)
    trained = fit(data.of(~held & ~fresh), len(names), epochs, seed)
    temperature, threshold, metrics = _measure(trained, data.of(held), data.of(fresh))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "perceptor.onnx").write_bytes(to_onnx(fit(data, len(names), epochs, seed)))
    card = Card(
        version="1",
        functions=tuple(names),
        temperature=temperature,
        threshold=threshold,
        trained_on={"records": len(raw), "held_out": int(held.sum()), "epochs": epochs, "seed": seed},
        metrics=metrics,
    )
    (folder / "perceptor.json").write_text(card.model_dump_json(indent=1) + "\n", "utf-8")
    typer.echo(card.model_dump_json(indent=1, exclude={"functions"}))


def _is_held(template: str, names: Sequence[str]) -> bool:
    function, kind, at = template.split("/")
    return names.index(function) % _HELD_THIRD == 0 and at != _LOOSE if kind == "calm" else at == _HELD_MOMENT


def _data(raw: Sequence[dict[str, Any]], names: Sequence[str]) -> Data:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    rows, places, values = [0], [], []
    for one in track(raw, "reading records"):
        said = one["reference_information"]
        vector = features(RenderedContext.model_validate({**said, "trace": tuple(said["trace"])}))
        filled = np.flatnonzero(vector)
        places.append(filled)
        values.append(vector[filled])
        rows.append(rows[-1] + len(filled))
    inputs = csr_matrix((np.concatenate(values), np.concatenate(places), rows), shape=(len(raw), SIZE))
    called = [[call["name"] for answer in one["recommendation"] for call in answer["function"]] for one in raw]
    function = np.array([names.index(calls[0]) if calls else -1 for calls in called])
    return Data(inputs, (function >= 0).astype(np.float32), function)


def fit(data: Data, functions: int, epochs: int, seed: int) -> Weights:
    """The network after ``epochs`` passes of AdamW."""
    chance = np.random.default_rng(seed)
    weights = Weights(
        first=chance.normal(0, 0.05, (SIZE, HIDDEN)).astype(np.float32),
        first_bias=np.zeros(HIDDEN, dtype=np.float32),
        heads=chance.normal(0, 0.1, (HIDDEN, functions + 1)).astype(np.float32),
        heads_bias=np.zeros(functions + 1, dtype=np.float32),
    )
    means = [np.zeros_like(array) for array in weights]
    squares = [np.zeros_like(array) for array in weights]
    batches = [*_batches(data, epochs, chance)]
    for step, rows in enumerate(track(batches, "training"), 1):
        rate = _RATE * (1 - (step - 1) / len(batches))
        slopes = _slopes(weights, data.of(rows), chance)
        for array, slope, mean, square in zip(weights, slopes, means, squares, strict=True):
            _move(array, slope, mean, square, rate, step)
    return weights


def _move(array: Array, slope: Array, mean: Array, square: Array, rate: float, step: int) -> None:
    """One step of AdamW, in place."""
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    array *= 1 - rate * _DECAY
    array -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)


def _batches(data: Data, epochs: int, chance: np.random.Generator) -> Iterator[Array]:
    for _ in range(epochs):
        order = chance.permutation(len(data.needed))
        yield from (order[at : at + _BATCH] for at in range(0, len(order), _BATCH))


def _slopes(weights: Weights, data: Data, chance: np.random.Generator) -> Weights:
    """The gradient of the loss: log loss of the gate, and of the functions where one is needed."""
    before = data.inputs @ weights.first + weights.first_bias
    kept = (chance.random(before.shape) >= _DROPOUT).astype(np.float32) / (1 - _DROPOUT)
    hidden = np.maximum(before, 0) * kept
    scores = hidden @ weights.heads + weights.heads_bias
    error = np.zeros_like(scores)
    error[:, 0] = 1 / (1 + np.exp(-scores[:, 0])) - data.needed
    acting = np.flatnonzero(data.function >= 0)
    shares = _softmax(scores[acting, 1:])
    shares[np.arange(len(acting)), data.function[acting]] -= 1
    error[acting, 1:] = shares
    error /= len(scores)
    back = (error @ weights.heads.T) * (before > 0) * kept
    return Weights(data.inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0))


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _scores(weights: Weights, inputs: Any) -> Array:
    scores: Array = np.maximum(inputs @ weights.first + weights.first_bias, 0) @ weights.heads + weights.heads_bias
    return scores


def _measure(weights: Weights, unseen: Data, fresh: Data) -> tuple[float, float, dict[str, float]]:
    """Temperature, threshold and figures; the threshold holds for moments not seen and for new records of seen ones."""
    gate = _scores(weights, unseen.inputs)[:, 0]
    temperature = float(min(np.linspace(0.5, 6, 56), key=lambda one: _log_loss(gate / one, unseen.needed)))
    sure = {"unseen": _sure(weights, unseen, temperature), "fresh": _sure(weights, fresh, temperature)}
    held = {"unseen": unseen, "fresh": fresh}
    highest = max(np.quantile(sure[name][held[name].function < 0], 1 - _FALSE_TRIGGERS) for name in held)
    threshold = float(np.clip(highest, 0.01, 0.95))
    metrics = {"unseen_log_loss": _log_loss(gate / temperature, unseen.needed)}
    for name, data in held.items():
        acting, opens = data.function >= 0, sure[name] >= threshold
        scores = _scores(weights, data.inputs[np.flatnonzero(acting)])[:, 1:]
        ranks = (-scores).argsort(axis=1).argsort(axis=1)[np.arange(len(scores)), data.function[acting]]
        metrics[f"{name}_gate_recall"] = float(opens[acting].mean())
        metrics[f"{name}_false_trigger_rate"] = float(opens[~acting].mean())
        metrics[f"{name}_first_function"] = float((ranks == 0).mean())
        metrics[f"{name}_candidate_recall_{CANDIDATES}"] = float((ranks < CANDIDATES).mean())
    return temperature, threshold, {name: round(value, 4) for name, value in metrics.items()}


def _sure(weights: Weights, data: Data, temperature: float) -> Array:
    """What the gate compares with its threshold."""
    scores = _scores(weights, data.inputs)
    sure: Array = _softmax(scores[:, 1:]).max(axis=1) / (1 + np.exp(-scores[:, 0] / temperature))
    return sure


def _log_loss(log_odds: Array, needed: Array) -> float:
    return float(np.mean(np.logaddexp(0, np.where(needed > 0, -log_odds, log_odds))))


def to_onnx(weights: Weights) -> bytes:
    """The network as an ONNX file; the first layer in half precision, which halves the file."""
    from onnx import TensorProto, helper, numpy_helper

    stored = {
        "first_half": weights.first.astype(np.float16),
        "first_bias": weights.first_bias,
        "gate_weights": weights.heads[:, :1],
        "gate_bias": weights.heads_bias[:1],
        "function_weights": weights.heads[:, 1:],
        "function_bias": weights.heads_bias[1:],
    }
    nodes = [
        helper.make_node("Cast", ["first_half"], ["first"], to=TensorProto.FLOAT),
        helper.make_node("Gemm", ["features", "first", "first_bias"], ["before"]),
        helper.make_node("Relu", ["before"], ["hidden"]),
        helper.make_node("Gemm", ["hidden", "gate_weights", "gate_bias"], ["gate"]),
        helper.make_node("Gemm", ["hidden", "function_weights", "function_bias"], ["functions"]),
    ]
    graph = helper.make_graph(
        nodes,
        "perceptor",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["batch", SIZE])],
        [
            helper.make_tensor_value_info("gate", TensorProto.FLOAT, ["batch", 1]),
            helper.make_tensor_value_info("functions", TensorProto.FLOAT, ["batch", weights.heads.shape[1] - 1]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in stored.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return bytes(model.SerializeToString())


if __name__ == "__main__":
    typer.run(main)
