"""``python -m training.generator FILE``: write records and print their figures."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, track

from agent.config import load
from function_pool.spec import Pool, default_pool
from models.config import SamplingConfig
from models.openai.server import ModelServer
from training.generator.corpus import corpus_records
from training.generator.model_writer import ModelWriter, WrittenRecords, record_requests
from training.generator.records import records
from training.generator.report import describe


def main(
    file: Annotated[Path, typer.Argument(help="Where the records go, a JSON array.")],
    count: Annotated[int, typer.Option(help="How many.")] = 50_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same records, or asks a model for the same.")] = 1,
    corpus: Annotated[bool, typer.Option("--corpus", help="The written moments instead.")] = False,
    model: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server that writes and reviews.")] = "",
    model_name: Annotated[str, typer.Option(help="Name of the model on that server.")] = "",
) -> None:
    """Write generated records in the benchmark's format."""
    pool = default_pool()
    if model:
        written = asyncio.run(_by_model(model, model_name, count, seed, pool))
        made = written.records
        typer.echo(f"rejected: {dict(written.rejected)}", err=True)
    else:
        made = list(corpus_records(pool) if corpus else track(records(count, seed, pool), "writing", count))
    if not made:
        typer.echo("No record passed the review: the file is not written.", err=True)
        raise typer.Exit(1)
    file.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")), "utf-8")
    typer.echo(describe(made).model_dump_json(indent=1))


async def _by_model(address: str, name: str, count: int, seed: int, pool: Pool) -> WrittenRecords:
    sampling = SamplingConfig(temperature=1.0, top_p=0.95, seed=seed)
    chosen = {"base_url": address, "model": name, "sampling": sampling, "answer_tokens": 2_048}
    server = ModelServer(load().models.openai.model_copy(update=chosen))
    try:
        with Progress() as progress:
            task = progress.add_task("writing records", total=count)
            return await ModelWriter(server, pool).write(
                record_requests(count, seed, pool), lambda: progress.advance(task)
            )
    finally:
        await server.close()


if __name__ == "__main__":
    typer.run(main)
