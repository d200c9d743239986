"""``heed scaffold channel``: begin a channel of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from agent.channels.scaffold import scaffold_channel
from heed.printing import print_lines
from heed.scaffold import scaffold_group


def register(app: typer.Typer) -> None:
    """Add ``scaffold channel``."""
    scaffold_group(app).command()(channel)


def channel(
    name: Annotated[str, typer.Argument(help="The channel's name, like door_bell.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which the plug-in's own folder is made.")] = Path(),
) -> None:
    """Write a channel and its test; they work as they are."""
    for path in scaffold_channel(name, into):
        print_lines(str(path))
