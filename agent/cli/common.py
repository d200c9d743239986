"""What every command shares: options, output, and running a coroutine."""

import asyncio
import json
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent import config as configuration
from agent.config import Config
from heed.language import Language, chosen
from heed.messages import Text, translate
from models.config import ReasonerKind

T = TypeVar("T")

SerialOption = Annotated[str, typer.Option("--serial", "-s", envvar="ANDROID_SERIAL", help="The phone to use.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print data instead of text.")]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Configuration file.", dir_okay=False)]
ReasonerOption = Annotated[ReasonerKind | None, typer.Option("--reasoner", help="Who decides.")]
ModelOption = Annotated[str, typer.Option("--model", help="GGUF file, or hf:org/repo/file.gguf.")]
MmprojOption = Annotated[str, typer.Option("--mmproj", help="Vision projector of the model.")]

MOST = 2**63 - 1
"""The largest number of a row in the journal."""

console = Console(highlight=False)
"""Rich decides by itself whether the output is a terminal, and honours NO_COLOR."""


def load_config(path: Path | None, serial: str = "", **sections: dict[str, Any]) -> Config:
    """The configuration with this command's flags on top."""
    flags: dict[str, Any] = dict(sections)
    if serial:
        flags["bridge"] = {"serial": serial, **flags.get("bridge", {})}
    return configuration.load(path, flags)


def model_flags(reasoner: ReasonerKind | None, model: str, mmproj: str) -> dict[str, Any]:
    """The ``[models]`` section as far as flags set it."""
    flags: dict[str, Any] = {"reasoner": reasoner.value} if reasoner else {}
    llama = {key: value for key, value in {"model": model, "mmproj": mmproj}.items() if value}
    return flags | ({"llama": llama} if llama else {})


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end."""
    return asyncio.run(work)


def say(sentence: Text, language: Language | None = None, style: str = "") -> None:
    """Print a sentence in the owner's language."""
    console.print(escape(translate(sentence, language or chosen())), style=style or None, soft_wrap=True)


def headed(*headings: Text, language: Language, whole: str = "") -> Table:
    """A table under these headings in the owner's language; the column ``whole`` is never broken."""
    table = Table(box=None, header_style="dim")
    for heading in headings:
        table.add_column(translate(heading, language), no_wrap=bool(whole) and str(heading) == whole, overflow="fold")
    return table


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    json.dump(_plain(value), sys.stdout, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write("\n")


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
