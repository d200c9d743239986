"""The options that the commands of tuning share, and how they end."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from function_pool.spec import Pool, default_pool, load_pool
from heed.errors import PersonError
from heed.language import Language
from heed.messages import translate
from models.config import PromptConfig
from training.chats.dataset import Dataset

Base = Annotated[str, typer.Argument(help="The base: a folder, or hf:organisation/repository.")]
Out = Annotated[Path, typer.Argument(help="The folder of the results.")]
Records = Annotated[
    list[Path] | None, typer.Argument(help="Records to learn from, e.g. of `heed export`; the corpus by default.")
]
Labels = Annotated[list[Path] | None, typer.Option("--arguments", help="Labelled arguments of the corpus.")]
PoolFile = Annotated[Path | None, typer.Option("--pool", help="Another pool of functions.")]
Template = Annotated[str, typer.Option(help="Prompt template.")]
Silence = Annotated[float, typer.Option(help="Share of silences.", min=0, max=1)]
HeldOut = Annotated[float, typer.Option(help="Share of records not learned from.", min=0, max=0.9)]
Limit = Annotated[int, typer.Option(help="Most chats to learn from; 0 = all.", min=0)]
Rate = Annotated[float, typer.Option(help="Peak of the learning rate.")]
Rank = Annotated[int, typer.Option(help="Rank of the adapters.", min=1)]
Seed = Annotated[int, typer.Option(help="Of choice and order.")]
Precision = Annotated[str, typer.Option(help="Of the whole model: f32, f16 or bf16.")]
Quantize = Annotated[list[str] | None, typer.Option(help="Precision of a small file; Q4_K_M and Q8_0 by default.")]
Importance = Annotated[int, typer.Option(help="Prompts of the importance matrix; 0 = none.", min=0)]
Evaluate = Annotated[int, typer.Option(help="Held-out records to measure base and result with.", min=0)]
Context = Annotated[int, typer.Option(help="Tokens of context to measure with.")]
ImageTokens = Annotated[int, typer.Option(help="Most tokens of one picture.", min=64)]
LlamaCpp = Annotated[Path | None, typer.Option(help="Source tree of llama.cpp; fetched by default.")]
PreTokenizer = Annotated[
    str, typer.Option(help="llama.cpp's name of a vocabulary's pre-tokenizer that is unknown to it.")
]
TEMPLATE = PromptConfig().template
QUANTIZATIONS = ("Q4_K_M", "Q8_0")


def pool_of(path: Path | None) -> Pool:
    """The pool in a file, or heed's own."""
    return default_pool() if path is None else load_pool(path)


def show(data: Dataset) -> None:
    """Print the numbers of a data set."""
    for name, count in data.figures.items():
        typer.echo(f"{name}: {count}", err=True)


def command_line(module: str) -> str:
    """How the command was started, for the report."""
    return shlex.join(["python", "-m", module, *sys.argv[1:]])


def run(main: Callable[..., None]) -> None:
    """Run a command; an error is one sentence with what to do."""
    try:
        typer.run(main)
    except PersonError as error:
        typer.echo(translate(error.text, Language.EN), err=True)
        sys.exit(error.exit_code)
