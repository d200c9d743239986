"""``heed scaffold executor``: begin a function of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from executors.scaffold import scaffold_executor
from heed.printing import print_lines
from heed.scaffold import scaffold_group


def register(app: typer.Typer) -> None:
    """Add ``scaffold executor``."""
    scaffold_group(app).command()(executor)


def executor(
    name: Annotated[str, typer.Argument(help="The function's name, like feed_cat.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which the plug-in's own folder is made.")] = Path(),
) -> None:
    """Write the spec, the executor and the test of a new function; they work as they are."""
    for path in scaffold_executor(name, into):
        print_lines(str(path))
