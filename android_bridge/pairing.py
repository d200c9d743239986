"""Wireless debugging (Android 11 and newer): pairing by code or QR code, and the phones that announce themselves.

A phone announces ``_adb-tls-pairing._tcp`` by mDNS while its pairing dialog is open, under the name that a QR code gave
it, and ``_adb-tls-connect._tcp`` while wireless debugging is on, under a name of its own (its ``guid``) that stays the
same when address and port change. The adb server listens, and ``host:connect:GUID._adb-tls-connect._tcp`` connects to
wherever the phone is now; the serial is then that name.

Source: AOSP ``packages/modules/adb`` (``client/transport_mdns.cpp``, ``client/adb_wifi.cpp``, ``socket_spec.cpp``,
``services.cpp``, ``docs/dev/adb_wifi.md``) and ``Settings`` (``AdbQrCode.java``: the code's form); the answer
``Successfully paired to HOST:PORT [guid=adb-SERIAL-XXXXXX]`` from transcripts of users; failures from adb 36.
"""

import asyncio
import re
import secrets
import string
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple

from android_bridge.adb import AdbServer
from heed.errors import DeviceError, UsageError
from heed.messages import msg

PAIRING_SERVICE = "_adb-tls-pairing._tcp"
CONNECT_SERVICE = "_adb-tls-connect._tcp"
PAIR_TIMEOUT = 30.0
"""Seconds for the exchange with the phone."""
_LOOK_EVERY = 1.0
"""Seconds between two looks at what is announced; the adb server tells of no change."""

_ADDRESS = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}")
_CODE = re.compile(r"[^\s:]{1,64}")
_GUID = re.compile(r"\[guid=([^\]\s]{1,128})\]")
_AGAIN = re.compile(r" \(\d+\)$")
"""What mDNS appends where a name is taken, as after a restart of the phone's adbd."""
_ALPHABET = string.ascii_letters + string.digits


class AnnouncedService(NamedTuple):
    """One service that a phone announces by mDNS."""

    instance: str
    """The name of this phone or pairing dialog, without mDNS's own numbering."""
    kind: str
    """``PAIRING_SERVICE``, ``CONNECT_SERVICE`` or another."""
    address: str
    """``host:port``."""


class PairingOffer(NamedTuple):
    """A name and a password that the phone reads from a QR code and announces its pairing dialog under."""

    name: str
    password: str

    @property
    def text(self) -> str:
        """The text of the QR code."""
        return f"WIFI:T:ADB;S:{self.name};P:{self.password};;"


def new_offer() -> PairingOffer:
    """Returns an offer that nobody can guess."""
    name, password = ("".join(secrets.choice(_ALPHABET) for _ in range(length)) for length in (10, 12))
    return PairingOffer(f"heed-{name}", password)


async def require_discovery(server: AdbServer) -> None:
    """Raises ``DeviceError`` unless the adb server listens to mDNS."""
    if (await server.request("host:mdns:check")).startswith("ERROR"):
        raise DeviceError(
            msg("This adb server finds no phones in the network (mDNS is off)."),
            msg("Pair by code: `heed pair ADDRESS CODE --connect ADDRESS`, as the phone shows them."),
        )


async def announced(server: AdbServer) -> list[AnnouncedService]:
    """Returns the services that phones announce now."""
    return parse_services(await server.request("host:mdns:services"))


def parse_services(text: str) -> list[AnnouncedService]:
    """Parses the lines ``instance TAB service TAB host:port`` of ``host:mdns:services``."""
    rows = (line.split("\t") for line in text.splitlines())
    return [AnnouncedService(_AGAIN.sub("", row[0]), row[1].rstrip("."), row[2]) for row in rows if len(row) == 3]


async def pairing_address(server: AdbServer, offer: PairingOffer) -> str:
    """Waits until a phone has read the offer, and returns its dialog's address; the caller sets a deadline."""
    async for services in _looking(server):
        for service in services:
            if (service.instance, service.kind) == (offer.name, PAIRING_SERVICE):
                return service.address
    raise AssertionError  # the loop has no end


async def pair(server: AdbServer, address: str, code: str) -> str:
    """Pairs with the phone whose pairing dialog is at ``address``, and returns its guid; empty where adb says none.

    Raises ``UsageError`` for what is no address or code, ``DeviceError`` when the phone refuses or cannot be reached.
    """
    if not _ADDRESS.fullmatch(address):
        raise UsageError(msg("{address!r} is no address.", address=address), msg("It looks like 192.168.1.20:37123."))
    if not _CODE.fullmatch(code):
        raise UsageError(msg("That is no pairing code."), msg("It is the six digits that the phone shows."))
    answer = await _pair_answer(server, f"host:pair:{code}:{address}")
    if not answer.startswith("Successfully paired"):
        reason = answer.removeprefix("Failed: ").rstrip(".")
        raise DeviceError(
            msg("Pairing with {address} failed: {reason}.", address=address, reason=reason),
            msg("The code counts while its dialog is open: open it again and use its new code and address."),
        )
    guid = _GUID.search(answer)
    return guid[1] if guid else ""


async def _pair_answer(server: AdbServer, request: str) -> str:
    """The answer in words: as a block alone, or (adb 36) after a second status."""
    async with server.open(request) as connection:
        try:
            async with asyncio.timeout(PAIR_TIMEOUT):
                head = await connection.read_exactly(4)
                size = await connection.read_exactly(4) if head in (b"OKAY", b"FAIL") else head
                return (await connection.read_exactly(int(size, 16))).decode(errors="replace").strip()
        except (TimeoutError, ValueError) as error:
            raise DeviceError(msg("The adb server did not say whether it paired."), msg("Try again.")) from error


async def connect_paired(server: AdbServer, guid: str) -> str:
    """Waits until a paired phone announces itself, connects and returns its serial; the caller sets a deadline."""
    serial = service_serial(guid)
    async for services in _looking(server):
        for service in services:
            if (service.instance, service.kind) == (guid, CONNECT_SERVICE):
                with suppress(DeviceError):
                    return await connect_service(server, service)
        # A server that connects by itself (ADB_MDNS_AUTO_CONNECT) may have been faster.
        if any(entry.serial == serial and entry.state == "device" for entry in await server.devices()):
            return serial
    raise AssertionError  # the loop has no end


async def connect_service(server: AdbServer, service: AnnouncedService) -> str:
    """Connects to an announced phone and returns its serial: its name, its address where adb is too old for names."""
    name = service_serial(service.instance)
    with suppress(DeviceError):
        await server.connect(name)
        return name
    await server.connect(service.address)
    return service.address


def service_serial(guid: str) -> str:
    """The serial by which adb lists a phone that was connected by its name."""
    return f"{guid}.{CONNECT_SERVICE}"


async def _looking(server: AdbServer) -> AsyncIterator[list[AnnouncedService]]:
    """The announced services, looked at again and again."""
    while True:
        yield await announced(server)
        await asyncio.sleep(_LOOK_EVERY)
