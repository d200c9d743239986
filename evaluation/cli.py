"""The command group ``heed eval``: evaluation on recorded cases."""

import typer

from evaluation.fingertip.command import fingertip
from evaluation.knowu.command import knowu
from evaluation.live.command import live
from evaluation.proactivemobile.command import proactivemobile


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(name="eval", help="Measure the reasoners on recorded cases.", no_args_is_help=True)
    group.callback()(lambda: None)
    group.command("knowu")(knowu)
    group.command("proactivemobile")(proactivemobile)
    group.command("live")(live)
    group.command("fingertip")(fingertip)
    app.add_typer(group)
