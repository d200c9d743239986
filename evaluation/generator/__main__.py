"""``python -m evaluation.generator FILE``: write records from a seed and say what they hold."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from evaluation.generator.corpus import corpus_records
from evaluation.generator.records import records
from evaluation.generator.report import describe
from function_pool.spec import default_pool


def main(
    file: Annotated[Path, typer.Argument(help="Where the records go, a JSON array.")],
    count: Annotated[int, typer.Option(help="How many.")] = 50_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same records.")] = 1,
    corpus: Annotated[bool, typer.Option("--corpus", help="The hand-written moments instead.")] = False,
    held_out: Annotated[bool, typer.Option("--held-out", help="With --corpus: those kept from training.")] = False,
) -> None:
    """Write generated records in the benchmark's format."""
    pool = default_pool()
    new = corpus_records(pool, held_out=held_out) if corpus else track(records(count, seed, pool), "writing", count)
    made = list(new)
    file.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")), "utf-8")
    typer.echo(describe(made).model_dump_json(indent=1))


if __name__ == "__main__":
    typer.run(main)
