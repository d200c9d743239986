"""``heed devices``: list the phones that adb knows."""

import asyncio

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.config import Config
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.device import phones
from heed.errors import ExitCode
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``devices``."""
    app.command()(devices)


def devices(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the phones that adb knows, with their state."""
    entries = asyncio.run(_entries(load_config(config)))
    if as_json:
        print_json([{"serial": entry.serial, "state": entry.state} for entry in entries])
    elif not entries:
        say(msg("No phone is connected. Connect one with USB debugging on, or run `heed phone`."))
        raise typer.Exit(ExitCode.NO_DEVICE)
    for entry in () if as_json else entries:
        console.print(f"{safe_markup(entry.serial)}  {safe_markup(entry.state)}", soft_wrap=True)


async def _entries(settings: Config) -> list[DeviceEntry]:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    return await phones(server)
