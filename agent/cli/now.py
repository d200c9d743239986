"""``heed now``: decide once, ask, and act after consent."""

import asyncio
import sys

import typer

from agent.cli.options import ConfigOption, SerialOption, load_config
from agent.cli.progress_printer import ProgressPrinter
from agent.compose import phone_agent
from agent.config import Config
from agent.consent.terminal import TerminalChannel
from agent.loop import control_socket as control
from agent.loop.daemon_requests import DecideRequest
from heed.messages import msg
from heed.printing import console, say

_ACTION_TIMEOUT = 60.0
"""Seconds for deciding, acting and verifying, besides the time the owner takes to answer."""


def register(app: typer.Typer) -> None:
    """Add ``now``."""
    app.command()(now)


def now(serial: SerialOption = "", config: ConfigOption = None) -> None:
    """Decide once now: suggest, ask, and act after consent; through the daemon if one is running."""
    settings = load_config(config, serial)
    if control.is_running():
        asyncio.run(control.call(DecideRequest(serial=serial), timeout=settings.consent.timeout + _ACTION_TIMEOUT))
        say(msg("The daemon has looked: see `heed journal`."), settings.language)
    else:
        asyncio.run(_now(settings))


async def _now(settings: Config) -> None:
    channels = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
    printer = ProgressPrinter(console, settings.language)
    async with phone_agent(settings, channels=channels, listen=printer.print) as agent:
        await agent.handle_now()
