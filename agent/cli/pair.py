"""``heed pair``: connect a phone over Wi-Fi with a QR code, or with the code that the phone shows."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated

import segno
import typer
from rich.text import Text

from agent.cli.options import ConfigOption, load_config
from agent.compose import open_stores
from agent.config import Config
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.identity import PhoneIdentity
from android_bridge.pairing import (
    PairingOffer,
    connect_paired,
    new_offer,
    pair,
    pairing_address,
    require_discovery,
)
from heed.errors import DeviceError, UsageError
from heed.language import Language
from heed.messages import Message, msg, translate
from heed.printing import console, say

SCAN_TIMEOUT = 180.0
"""Seconds within which the phone must have read the QR code."""
CONNECT_TIMEOUT = 30.0
"""Seconds within which a paired phone must have announced itself."""
_BORDER = 2
"""Empty modules around the QR code; phones read it with fewer than the standard's four."""


def register(app: typer.Typer) -> None:
    """Add ``pair``."""
    app.command(name="pair")(pair_phone)


def pair_phone(
    address: Annotated[
        str, typer.Argument(help="Address in the phone's dialog “Pair device with pairing code”; none = by QR code.")
    ] = "",
    code: Annotated[str, typer.Argument(help="The code in that dialog; asked for where it is not given.")] = "",
    connect: Annotated[
        str,
        typer.Option("--connect", help="Address on the phone's page “Wireless debugging”, where it is not found."),
    ] = "",
    name: Annotated[str, typer.Option("--name", help="What to call the phone.")] = "",
    config: ConfigOption = None,
) -> None:
    """Pair a phone (Android 11 and newer) for debugging over Wi-Fi: by QR code, or by address and code.

    heed finds it again when its address changes.
    """
    settings = load_config(config)
    if address and not code:
        if not sys.stdin.isatty():
            raise UsageError(msg("The pairing code is missing."), msg("`heed pair ADDRESS CODE`."))
        code = typer.prompt(translate(msg("Pairing code"), settings.language))
    asyncio.run(_pair(settings, address, code, connect, name))


async def _pair(settings: Config, address: str, code: str, connect: str, name: str) -> None:
    server, language = AdbServer(settings.bridge), settings.language
    await server.ensure_running()
    if not connect:
        await require_discovery(server)
    if not address:
        offer = new_offer()
        _show_offer(offer, language)
        address, code = await _scanned(server, offer), offer.password
    guid = await pair(server, address, code)
    say(msg("Paired. Connecting …"), language)
    serial = await _connected(server, guid, connect)
    identity = await Device(server, serial, timeout=settings.bridge.command_timeout).identify()
    called = _remember(settings, identity, serial, guid, name)
    say(
        msg(
            "{name} is connected as {serial}. Use it with -s {quoted}, or as the only phone.",
            name=called,
            serial=serial,
            quoted=f'"{called}"',
        ),
        language,
    )


def _remember(settings: Config, identity: PhoneIdentity, serial: str, guid: str, name: str) -> str:
    """Store the phone; its name."""
    with open_stores(settings) as stores:
        called = stores.phones.seen(identity, serial).name
        stores.phones.paired(identity.id, guid)
        if name:
            stores.phones.rename(identity.id, name)
        return name or called


def _show_offer(offer: PairingOffer, language: Language) -> None:
    say(msg("On the phone, in the same Wi-Fi: Settings, Developer options, Wireless debugging,"), language)
    say(msg("“Pair device with QR code”. Then scan this:"), language)
    console.print(qr_picture(offer.text))
    say(msg("Waiting for the phone; Ctrl-C ends it. Without a camera: `heed pair ADDRESS CODE`."), language)


def qr_picture(text: str) -> Text:
    """A QR code for a terminal of any colours: black on white, two modules in each character."""
    matrix = segno.make(text, error="m", micro=False).matrix_iter(border=_BORDER)
    rows = [[bool(module) for module in row] for row in matrix]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    halves = zip(rows[::2], rows[1::2], strict=True)
    lines = ("".join(_HALVES[modules] for modules in zip(upper, lower, strict=True)) for upper, lower in halves)
    return Text("\n".join(lines), style="black on white", no_wrap=True)


_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


async def _scanned(server: AdbServer, offer: PairingOffer) -> str:
    late = msg("No phone has read the code.")
    remedy = msg(
        "It must be in the same Wi-Fi, which lets its devices see each other. Or use `heed pair ADDRESS CODE`."
    )
    return await _within(SCAN_TIMEOUT, lambda: pairing_address(server, offer), late, remedy)


async def _connected(server: AdbServer, guid: str, connect: str) -> str:
    if connect:
        await server.connect(connect)
        return connect
    late = msg("The phone is paired, and has not announced where it can be reached.")
    remedy = msg("Name the address on its page “Wireless debugging”: `adb connect ADDRESS`.")
    return await _within(CONNECT_TIMEOUT, lambda: connect_paired(server, guid), late, remedy)


async def _within(seconds: float, work: Callable[[], Awaitable[str]], late: Message, remedy: Message) -> str:
    try:
        async with asyncio.timeout(seconds):
            return await work()
    except TimeoutError as error:
        raise DeviceError(late, remedy) from error
