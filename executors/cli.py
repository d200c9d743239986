"""``heed scaffold executor`` and ``heed scaffold recipe``: begin a function, or a recipe, of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from executors.scaffold import scaffold_executor, scaffold_recipe
from heed.printing import print_lines
from heed.scaffold import scaffold_group


def register(app: typer.Typer) -> None:
    """Add ``scaffold executor`` and ``scaffold recipe``."""
    scaffold_group(app).command()(executor)
    scaffold_group(app).command()(recipe)


def executor(
    name: Annotated[str, typer.Argument(help="The function's name, like feed_cat.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which the plug-in's own folder is made.")] = Path(),
) -> None:
    """Write the spec, the executor and the test of a new function; they work as they are."""
    for path in scaffold_executor(name, into):
        print_lines(str(path))


def recipe(
    function: Annotated[str, typer.Argument(help="Function, as `heed functions` lists it.")],
    app: Annotated[str, typer.Argument(help="Package of the app, like com.example.shop.")],
    into: Annotated[Path, typer.Option("--into", help="Folder in which FUNCTION.yaml is made.")] = Path(),
) -> None:
    """Write a recipe to begin with: the steps that carry a function further in an app."""
    print_lines(str(scaffold_recipe(function, app, into)))
