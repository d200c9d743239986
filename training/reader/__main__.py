"""``python -m training.reader OUT``: trains the reader on the hands to learn from; see ``--help``."""

from pathlib import Path
from typing import Annotated

import torch
import typer

from training.reader.run import Start, train


def main(
    out: Annotated[Path, typer.Argument(help="Where the adapters are stored.")],
    start: Annotated[
        str, typer.Option(help="What to go on from: shipped, fresh, or a file that an earlier training stored.")
    ] = Start.SHIPPED,
    rounds: int = 2,
    contexts_share: Annotated[float, typer.Option(help="Share of the corpus's contexts in a round.")] = 0.5,
    seed: int = 1,
    threads: int = 2,
) -> None:
    """Train the reader."""
    torch.set_num_threads(threads)
    known = Start(start) if start in [*Start] else Path(start)
    train(out, rounds, seed, known, contexts_share)


typer.run(main)
