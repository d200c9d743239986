"""``python -m training.small BASE OUT``: an adapter that writes texts; see ``--help`` and docs/fine-tuning.md."""

import asyncio
from pathlib import Path
from typing import Annotated

import torch
import typer
from torch import distributed

from heed.language import Language
from training.small.base import load_base, write_config
from training.small.chats import ChatTokens, tasks
from training.small.fitting import Fit, fit
from training.small.measuring import measure
from training.tuning import options
from training.tuning.converters import Converters, engine_tree


def main(
    base: Annotated[Path, typer.Argument(help="GGUF file of the base.")],
    out: options.Out,
    *,
    minutes: Annotated[float, typer.Option(help="Time to train; 0 = measure the adapter as it is.")] = 60.0,
    adapter: Annotated[Path | None, typer.Option(help="Folder of an adapter to go on from.")] = None,
    rate: options.Rate = 1e-3,
    rank: options.Rank = 16,
    batch: Annotated[int, typer.Option(help="Chats of one step, in each process.", min=1)] = 4,
    llama_cpp: options.LlamaCpp = None,
) -> None:
    """Train an adapter on the labelled texts of the corpus, convert it to GGUF, and compare it with the reader.

    In several processes: python -m torch.distributed.run --nproc-per-node 2 -m training.small BASE OUT.
    """
    torch.set_num_threads(1)
    if distributed.is_torchelastic_launched():
        distributed.init_process_group("gloo")
    loaded = load_base(base)
    tokens = ChatTokens(loaded.tokenizer, loaded.markup)
    chats = [tokens.of(task) for language in Language for task in tasks(language)]
    choice = Fit(minutes=minutes, rate=rate, rank=rank, batch=batch)
    fit(loaded.model, chats, loaded.tokenizer.eos_token_id, choice, out / "adapter", adapter)
    if distributed.is_initialized() and distributed.get_rank():
        return
    converters = Converters(llama_cpp or engine_tree())
    made = converters.adapter(out / "adapter", write_config(loaded, out / "base"), out / "adapter.gguf", "f16")
    typer.echo(asyncio.run(measure(base, made, out / "prefixes")).table)


if __name__ == "__main__":
    options.run(main)
