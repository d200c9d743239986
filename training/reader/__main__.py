"""``python -m training.reader FOLDER...``: trains the reader on hands' labelled texts; see ``--help``."""

from pathlib import Path
from typing import Annotated

import torch
import typer

from training.reader.run import train


def main(
    learn: Annotated[list[Path], typer.Argument(help="Files of labelled texts, one per hand.")],
    choose: Annotated[list[Path], typer.Option(help="Files by which rounds and threshold are chosen.")],
    out: Annotated[Path, typer.Option(help="Where the adapters are stored.")],
    start: Annotated[Path | None, typer.Option(help="Adapters of an earlier training to go on from.")] = None,
    rounds: int = 5,
    seed: int = 1,
    threads: int = 2,
) -> None:
    """Train the reader."""
    torch.set_num_threads(threads)
    train(learn, choose, out, rounds, seed, start)


typer.run(main)
