"""``heed scaffold``: begin a plug-in."""

from pathlib import Path
from typing import Annotated

import typer

from executors.scaffold import scaffold_executor

scaffold = typer.Typer(help="Begin a plug-in.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add ``scaffold``."""
    app.add_typer(scaffold, name="scaffold")


@scaffold.callback()
def _group() -> None:
    """Begin a plug-in from a template."""


@scaffold.command()
def executor(
    name: Annotated[str, typer.Argument(help="The function's name, like feed_cat.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which the plug-in's own folder is made.")] = Path(),
) -> None:
    """Write the spec, the executor and the test of a new function; they work as they are."""
    for path in scaffold_executor(name, into):
        typer.echo(path)
