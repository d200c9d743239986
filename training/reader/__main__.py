"""``python -m training.reader OUT``: trains the reader on the hands to learn from; see ``--help``."""

from pathlib import Path
from typing import Annotated

import torch
import typer

from training.reader.run import train


def main(
    out: Annotated[Path, typer.Argument(help="Where the adapters are stored.")],
    start: Annotated[Path | None, typer.Option(help="Adapters of an earlier training to go on from.")] = None,
    rounds: int = 7,
    seed: int = 1,
    threads: int = 2,
) -> None:
    """Train the reader."""
    torch.set_num_threads(threads)
    train(out, rounds, seed, start)


typer.run(main)
