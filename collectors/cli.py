"""The command ``heed scaffold collector``."""

from pathlib import Path
from typing import Annotated

import typer

from collectors.scaffold import scaffold_collector
from heed.printing import print_lines
from heed.scaffold import scaffold_group


def register(app: typer.Typer) -> None:
    """Add ``scaffold collector``."""
    scaffold_group(app).command()(collector)


def collector(
    name: Annotated[str, typer.Argument(help="The source's name, like tide_table.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which the plug-in's own folder is made.")] = Path(),
) -> None:
    """Write a new source of facts and its test; they work as they are."""
    for path in scaffold_collector(name, into):
        print_lines(str(path))
