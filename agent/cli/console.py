"""``heed console``: open the web console of the running daemon."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, load_config
from agent.config import Config
from agent.console.browser import has_display, open_page
from agent.console.browser_sessions import revoke_stored, sessions_path
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ConsoleLinkRequest, EndSessionsRequest
from heed.errors import PersonError
from heed.messages import msg
from heed.printing import console, say
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``console``."""
    app.command(name="console")(open_console)


def open_console(
    no_open: Annotated[bool, typer.Option("--print", help="Print the link and open nothing.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Sign every browser out, and open nothing.")] = False,
    config: ConfigOption = None,
) -> None:
    """Open the web console of the running daemon; the link works once, and its browser stays signed in."""
    settings = load_config(config)
    if revoke:
        ended = _end_sessions(settings)
        say(msg("Browsers that were signed out: {ended}", ended=ended), settings.language)
        return
    if not control.is_running():
        raise PersonError(msg("No daemon is running."), msg("Start one with `heed run`."))
    link = str(asyncio.run(control.call(ConsoleLinkRequest())))
    console.print(safe_markup(link), soft_wrap=True)
    if not no_open and has_display():
        open_page(link)


def _end_sessions(config: Config) -> int:
    """End every session, through the daemon where one runs; how many there were."""
    if control.is_running():
        return int(str(asyncio.run(control.call(EndSessionsRequest()))))
    return revoke_stored(sessions_path(config.journal.path))
