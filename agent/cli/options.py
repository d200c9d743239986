"""Options that several commands share, and the configuration with those options applied."""

from pathlib import Path
from typing import Annotated, Any

import typer

from agent import config as configuration
from agent.config import Config
from heed.private_files import tighten
from models.config import ReasonerKind

SerialOption = Annotated[str, typer.Option("--serial", "-s", envvar="ANDROID_SERIAL", help="Serial of the phone.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Configuration file.", dir_okay=False)]
ReasonerOption = Annotated[ReasonerKind | None, typer.Option("--reasoner", help="Reasoner to use.")]
ModelOption = Annotated[str, typer.Option("--model", help="GGUF file, or hf:org/repo/file.gguf.")]
MmprojOption = Annotated[str, typer.Option("--mmproj", help="Vision projector of the model.")]

MAX_ROW_ID = 2**63 - 1
"""The largest row number that SQLite stores."""


def load_config(path: Path | None, serial: str = "", **sections: dict[str, Any]) -> Config:
    """Load the configuration with a command's flags applied.

    Args:
        path: the configuration file; None = the default one.
        serial: the phone; empty = as configured.
        sections: values by section, such as ``models={"reasoner": "llama"}``.

    Files that others can read are made private. Raises ``UsageError`` when a file or a value is invalid.
    """
    flags: dict[str, Any] = dict(sections)
    if serial:
        flags["bridge"] = {"serial": serial, **flags.get("bridge", {})}
    config = configuration.load(path, flags)
    tighten(found for file in configuration.stored_files(config) for found in file.files())
    return config


def model_flags(reasoner: ReasonerKind | None, model: str, mmproj: str) -> dict[str, Any]:
    """Return the ``[models]`` section as far as flags set it."""
    flags: dict[str, Any] = {"reasoner": reasoner.value} if reasoner else {}
    llama = {key: value for key, value in {"model": model, "mmproj": mmproj}.items() if value}
    return flags | ({"llama": llama} if llama else {})
