"""The adb server's client, against a real server and against one that misbehaves on demand."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_bridge import adb
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.config import BridgeConfig
from heed.errors import DeviceError, DeviceLostError, HeedError, NoDeviceError, UsageError
from tests.android_bridge import wire
from tests.proof import examples


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
async def real(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[AdbServer]:
    """A real adb server of our own, not running yet; it looks for no USB devices, which takes adb three seconds."""
    monkeypatch.setenv("ADB_USB", "0")
    monkeypatch.setenv("HOME", str(tmp_path))
    server = AdbServer(BridgeConfig(port=free_port()))
    yield server
    await server.kill()


async def test_the_server_is_started_when_none_runs_and_left_alone_when_one_does(real: AdbServer) -> None:
    with pytest.raises(NoDeviceError, match="No adb server answers"):
        await real.devices()
    await real.ensure_running()
    await real.ensure_running()
    assert await real.devices() == []


async def test_phones_are_watched_although_the_server_dies(real: AdbServer) -> None:
    changes = real.watch()
    assert await anext(changes) == []
    await real.kill()
    assert await anext(changes) == []
    assert await anext(changes) == []
    await changes.aclose()
    assert await real.request("host:version")


async def test_a_network_phone_that_refuses_is_an_error_although_adb_says_okay(real: AdbServer) -> None:
    await real.ensure_running()
    with pytest.raises(DeviceError, match="cannot connect"):
        await real.connect(f"127.0.0.1:{free_port()}")


async def test_no_adb_to_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADBUTILS_ADB_PATH", "/nonexistent/adb")
    with pytest.raises(NoDeviceError, match="Install Android's platform tools"):
        await AdbServer(BridgeConfig(port=free_port())).ensure_running()


async def test_arrivals_and_departures_come_as_a_stream() -> None:
    async with wire.wire_server() as server:
        changes = wire.client(server).track()
        assert await anext(changes) == []
        server.phones["a"] = lambda *_: asyncio.sleep(0)
        server.changed.set()
        assert await anext(changes) == [DeviceEntry("a", "device")]
        await changes.aclose()


async def test_another_program_on_the_port_is_not_taken_for_adb() -> None:
    async def chatter(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    other = await asyncio.start_server(chatter, "127.0.0.1", 0)
    async with other:
        server = AdbServer(BridgeConfig(port=other.sockets[0].getsockname()[1]))
        with pytest.raises(DeviceError, match="not an adb server"):
            await server.ensure_running()


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    mute = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with mute:
        server = AdbServer(BridgeConfig(port=mute.sockets[0].getsockname()[1]))
        with pytest.raises(DeviceError, match="did not answer in time"):
            await server.request("host:version", timeout=0.05)


async def test_a_request_that_adb_cannot_count_is_refused_before_it_is_sent() -> None:
    async with wire.wire_server() as server:
        with pytest.raises(UsageError, match="too long"):
            await wire.client(server).request("x" * (adb.MAX_REQUEST + 1))


async def test_what_a_caller_does_wrong_inside_a_connection_stays_its_own_error() -> None:
    async with wire.wire_server() as server:
        with pytest.raises(FileNotFoundError):
            async with wire.client(server).open("host:version"):
                raise FileNotFoundError
        with pytest.raises(TimeoutError):
            async with wire.client(server).open("host:version"):
                raise TimeoutError


async def test_a_connection_that_breaks_later_is_a_lost_phone() -> None:
    async with wire.wire_server() as server:
        with pytest.raises(DeviceLostError):
            async with wire.client(server).open("host:version") as connection:
                await connection.read_exactly(1000)


@settings(max_examples=examples(40, 2000))
@given(st.binary(max_size=40))
def test_garbage_for_an_answer_is_always_an_error_of_ours(answer: bytes) -> None:
    async def talk() -> None:
        async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer)
            writer.close()

        async with await asyncio.start_server(reply, "127.0.0.1", 0) as server:
            client = AdbServer(BridgeConfig(port=server.sockets[0].getsockname()[1]))
            try:
                await client.devices()
            except HeedError:
                return
            assert answer.startswith(b"OKAY")

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("state", "remedy"), [("unauthorized", "Unlock"), ("offline", "Reconnect"), ("not found", "Connect")]
)
async def test_a_refusal_of_the_server_comes_with_its_remedy(state: str, remedy: str) -> None:
    async def refuse(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire.fail(writer, f"device {state}.\nThis adb server's $ADB_VENDOR_KEYS is not set")

    async with wire.wire_server(refuse) as server:
        with pytest.raises(DeviceError, match=f"device {state}. {remedy}"):
            await wire.device(server).shell("true")
