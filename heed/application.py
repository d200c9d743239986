"""The Typer application that commands are added to."""

import typer


class Application(typer.Typer):
    """``heed`` itself."""

    wanted: str = ""
    """The command that was typed, empty if any may be needed: a package of many commands imports that one first."""
