"""``heed console``: open the web console of the running daemon."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, load_config
from agent.console.browser import has_display, open_page
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ConsoleLinkRequest
from heed.errors import PersonError
from heed.messages import msg
from heed.printing import console
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``console``."""
    app.command(name="console")(open_console)


def open_console(
    no_open: Annotated[bool, typer.Option("--print", help="Print the link and open nothing.")] = False,
    config: ConfigOption = None,
) -> None:
    """Open the web console of the running daemon; the link works once, in one browser."""
    load_config(config)
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    link = str(asyncio.run(control.call(ConsoleLinkRequest())))
    console.print(safe_markup(link), soft_wrap=True)
    if not no_open and has_display():
        open_page(link)
