"""A private adb server and virtual phones for tests; imported by ``tests/conftest.py``."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import pytest_asyncio

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from android_bridge.shell import ShellResult
from heed.errors import DeviceError
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.phone import until_ready
from virtual_phone.scenario.document import FOLDER
from virtual_phone.shell.io import Collected, FromBytes, Streams

START = datetime(2026, 2, 6, 14, 0, tzinfo=timezone(timedelta(hours=8)))
"""A Friday afternoon in Shanghai."""
WORDS = FOLDER / "situations" / "words.yaml"
"""Situations of a person's own that match the words of messages, such as ``new_number``."""


def free_port() -> int:
    """A port that nobody listens on, outside the range that adb servers scan."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    return port if not 5555 <= port <= 5585 else free_port()


@pytest.fixture(scope="session")
def adb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    """The real adb server on a private port with a home of its own, shared by the whole run."""
    home: Path = tmp_path_factory.mktemp("adb-home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        # Without these, the server would look for emulators and phones of the tester's network.
        patch.setenv("ADB_LOCAL_TRANSPORT_MAX_PORT", "5554")
        patch.setenv("ADB_MDNS", "0")
        # Nor for phones on a cable, which takes it three seconds.
        patch.setenv("ADB_USB", "0")
        server = AdbServer(BridgeConfig(port=free_port()))
        asyncio.run(server.ensure_running())
        yield server
        asyncio.run(server.kill())


async def reconnect(server: AdbServer, serial: str) -> None:
    """Plug a network phone in again, and wait until the server lists it as ready.

    A server that is just connecting again by itself answers "already connected" and may then give up; so this is
    tried until it holds.
    """
    attempts = 12
    for attempt in range(attempts):
        # A server that was started anew knows no network phone.
        with contextlib.suppress(DeviceError):
            await server.disconnect(serial)
        try:
            await server.connect(serial)
            await until_ready(server, serial, 5)
        except DeviceError:
            if attempt == attempts - 1:
                raise
        else:
            return


@pytest.fixture
def phone() -> VirtualPhone:
    """The standard phone on a Friday at 14:00; its clock stands still unless the test moves it."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.clock.jump(START)
    return VirtualPhone(state)


@pytest_asyncio.fixture
async def device(phone: VirtualPhone, adb_server: AdbServer) -> AsyncIterator[Device]:
    """``phone`` as the private adb server sees it."""
    async with connected_device(phone, adb_server) as connected:
        yield connected


@asynccontextmanager
async def connected_device(phone: VirtualPhone, server: AdbServer, *, emulated: bool = False) -> AsyncIterator[Device]:
    """``phone`` as ``server`` sees it: a network phone, or an emulator."""
    async with phone.emulated(server) if emulated else phone.connected(server) as serial:
        yield Device(server, serial)


async def run(phone: VirtualPhone, line: str, stdin: bytes = b"") -> ShellResult:
    """One shell line on the phone itself, without adb in between."""
    output, errors = Collected(), Collected()
    phone.state.catch_up()
    status = await phone.shell().run(line, Streams(FromBytes(stdin), output, errors))
    text = [bytes(collected.data).decode(errors="replace") for collected in (output, errors)]
    return ShellResult(stdout=text[0], stderr=text[1], exit_code=status)
