"""``heed service``: run heed as a systemd user unit."""

import sys
from typing import Annotated

import typer

from agent.cli.options import SerialOption
from agent.maintenance import service as units
from heed.messages import msg
from heed.printing import print_lines, say

_group = typer.Typer(help="Run heed as a systemd user unit, started at login.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group ``service``."""
    app.add_typer(_group, name="service")


@_group.command()
def install(
    serial: SerialOption = "",
    start: Annotated[bool, typer.Option("--start/--no-start", help="Start it now.")] = True,
) -> None:
    """Write the unit, enable it and start it."""
    path = units.install(sys.executable, serial, start=start)
    if names := units.left_out():
        say(msg("Not written into the unit: {names}. Put secrets into the configuration file.", names=names))
    say(msg("Wrote {path}. `heed status` shows how it is doing.", path=path))


@_group.command()
def uninstall() -> None:
    """Stop the unit, disable it and delete its file."""
    say(msg("Removed {uninstall}.", uninstall=units.uninstall()))


@_group.command(name="print")
def print_unit(serial: SerialOption = "") -> None:
    """Print the unit that `install` would write."""
    print_lines(units.unit(sys.executable, serial).removesuffix("\n"))
