"""``python -m training.log_lines``: trains the log-line reader and writes the model that heed ships."""

from importlib.resources import files
from pathlib import Path

import typer

from function_pool.spec import default_pool
from models.routines.language.lexicon import default_lexicon
from models.routines.language.log_classifier import MODEL, dump
from training.log_lines.fitting import feature_reader, fit
from training.log_lines.lines import read_lines


def main() -> None:
    """Trains on all lines."""
    pool, lines = default_pool(), read_lines()
    model = fit(lines, [spec.name for spec in pool], feature_reader(default_lexicon(), pool))
    data = dump(model)
    Path(str(files("models.routines").joinpath("data").joinpath(MODEL))).write_bytes(data)
    typer.echo(f"{len(lines)} lines, {len(model.weights)} features, {len(data)} bytes")


if __name__ == "__main__":
    main()
