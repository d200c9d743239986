"""``heed devices``: list the phones that adb knows and those that heed knows, and name one."""

import asyncio
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.compose import chosen_serial, open_stores
from agent.config import Config
from android_bridge.adb import AdbServer
from android_bridge.device import Device, phones
from heed.errors import DeviceError, ExitCode
from heed.messages import msg, translate
from heed.model import Frozen
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup

NOT_CONNECTED = "not connected"
"""The state of a phone that heed knows and adb does not list."""


class ListedPhone(Frozen):
    """One phone in the list."""

    serial: str
    name: str
    """The phone's name for the owner; empty where heed has not seen it yet."""
    state: str
    """adb's own word, or ``NOT_CONNECTED``."""


def register(app: typer.Typer) -> None:
    """Add ``devices``."""
    app.command()(devices)


def devices(
    name: Annotated[str, typer.Option("--name", help="Call the phone of -s, or the only one, by this name.")] = "",
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the phones that adb knows, with their state, and those that were connected before; or name one."""
    settings = load_config(config, serial)
    if name:
        asyncio.run(_rename(settings, name))
    listed = asyncio.run(_listed(settings))
    if as_json:
        print_json(listed)
        return
    for phone in listed:
        state = translate(_NOT_CONNECTED, settings.language) if phone.state == NOT_CONNECTED else phone.state
        called = f"  {phone.name}" if phone.name else ""
        console.print(f"{safe_markup(phone.serial)}{safe_markup(called)}  {safe_markup(state)}", soft_wrap=True)
    if all(phone.state == NOT_CONNECTED for phone in listed):
        say(
            msg("No phone is connected. Connect one with USB debugging on, or run `heed pair` or `heed phone`."),
            settings.language,
        )
        raise typer.Exit(ExitCode.NO_DEVICE)


_NOT_CONNECTED = msg("not connected")


async def _rename(settings: Config, name: str) -> None:
    server = await _server(settings)
    with open_stores(settings) as stores:
        serial = await chosen_serial(server, stores, settings.bridge.serial)
        identity = await Device(server, serial, timeout=settings.bridge.command_timeout).identify()
        stores.phones.seen(identity, serial)
        stores.phones.rename(identity.id, name)


async def _listed(settings: Config) -> list[ListedPhone]:
    """The phones of adb's list, then those that are known and not in it."""
    server = await _server(settings)
    entries = await phones(server)
    with open_stores(settings) as stores:
        known = {phone.id: phone for phone in stores.phones.entries()}
    listed = []
    for entry in entries:
        found = known.pop(await _identity(server, entry.serial, settings), None) if entry.state == "device" else None
        listed.append(ListedPhone(serial=entry.serial, name=found.name if found else "", state=entry.state))
    here = {phone.serial for phone in listed}
    away = (phone for phone in known.values() if phone.address not in here)
    return [*listed, *(ListedPhone(serial=one.address, name=one.name, state=NOT_CONNECTED) for one in away)]


async def _identity(server: AdbServer, serial: str, settings: Config) -> str:
    """The key of a connected phone; empty where it does not say."""
    try:
        return (await Device(server, serial, timeout=settings.bridge.command_timeout).identify()).id
    except DeviceError:
        return ""


async def _server(settings: Config) -> AdbServer:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    return server
