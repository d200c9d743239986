"""``python -m training.requests``: fits the reader of requests and writes the weights that heed ships."""

from pathlib import Path

import typer

from function_pool.spec import default_pool
from models.perceptor.network import shipped_network, shipped_vocabulary
from models.requests.features import request_features
from models.requests.weights import FILE, NONE, dump
from training.requests.examples import RequestExample, log_line_examples, training_requests
from training.requests.fitting import LOG_LINE_WEIGHT, NONE_WEIGHT, Row, fit

TARGET = Path(__file__).parents[2] / "models" / "requests" / "data" / FILE


def row(example: RequestExample, weight: float) -> Row:
    """An example with its features."""
    return Row(example, request_features(example.text, shipped_network(), shipped_vocabulary()), weight)


def main() -> None:
    """Fits on all requests and log lines."""
    requests = [row(one, 1.0 if one.function != NONE else NONE_WEIGHT) for one in training_requests()]
    lines = [row(one, LOG_LINE_WEIGHT) for one in log_line_examples()]
    weights = fit([*requests, *lines], requests, [spec.name for spec in default_pool()])
    data = dump(weights)
    TARGET.write_bytes(data)
    typer.echo(f"{len(requests)} requests, {len(lines)} log lines, {len(data)} bytes")


if __name__ == "__main__":
    typer.run(main)
