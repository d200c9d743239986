"""A virtual phone in a background thread, behind ``LocalAdbServer``, for callers without asyncio."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator

import adbutils
import pytest

from heed.errors import DeviceError, NoDeviceError
from tests.phones import START, free_port
from virtual_phone import LocalAdbServer, PhoneState, RunningPhone, VirtualPhone


@pytest.fixture(scope="module")
def local_server() -> Iterator[LocalAdbServer]:
    with LocalAdbServer.private() as server:
        yield server


def test_adbutils_sees_the_state_that_the_test_sets(local_server: LocalAdbServer) -> None:
    with RunningPhone(PhoneState.standard(START), server=local_server) as phone:
        phone.do(lambda state: state.battery.set(level=15))
        device = local_server.device(phone.serial)
        assert "  level: 15\n" in device.shell("dumpsys battery")
        device.shell("settings put system screen_brightness 9")
        assert phone.do(lambda state: state.settings.get("system", "screen_brightness")) == "9"


def test_two_phones_run_at_once(local_server: LocalAdbServer) -> None:
    with RunningPhone(server=local_server) as one, RunningPhone(server=local_server) as other:
        assert one.serial != other.serial
        for phone in (one, other):
            assert local_server.device(phone.serial).shell("echo up") == "up"


def test_a_phone_is_gone_from_adb_after_its_block(local_server: LocalAdbServer) -> None:
    with RunningPhone(server=local_server) as phone:
        serial = phone.serial
    assert phone.serial == ""
    with pytest.raises(adbutils.AdbError):
        local_server.device(serial).shell("echo up")


def test_an_error_in_the_phones_thread_is_raised_in_the_callers() -> None:
    with RunningPhone() as phone:
        with pytest.raises(ValueError, match="backwards"):
            phone.do(lambda state: state.clock.speed(-1))
        assert phone.call(lambda: phone.call(int, "7")) == 7


def test_a_phone_that_is_not_running_says_so() -> None:
    phone = RunningPhone()
    with pytest.raises(RuntimeError, match="not running"):
        phone.do(lambda state: state.battery.level)
    with phone:
        assert phone.do(lambda state: state.battery.level) == 80
    with pytest.raises(RuntimeError, match="not running"):
        phone.do(lambda state: state.battery.level)


def test_a_fault_reaches_the_client(local_server: LocalAdbServer) -> None:
    with RunningPhone(server=local_server) as phone:
        phone.faults.refuses_settings = True
        assert "SecurityException" in local_server.device(phone.serial).shell("settings put system font_scale 2")


def test_a_phone_without_an_adb_server_fails_on_entering() -> None:
    nobody = LocalAdbServer(port=free_port())
    with pytest.raises(NoDeviceError, match="No adb server answers"), RunningPhone(server=nobody):
        pass


async def test_an_emulator_is_registered(local_server: LocalAdbServer) -> None:
    async with VirtualPhone(PhoneState.standard(START)).emulated(local_server) as serial:
        device = local_server.device(serial)
        assert await asyncio.to_thread(device.shell, "echo up") == "up"


async def test_a_refused_connection_is_an_error(local_server: LocalAdbServer) -> None:
    with pytest.raises(DeviceError, match="adb cannot connect"):
        await local_server.connect(f"127.0.0.1:{free_port()}")


async def test_a_server_that_never_answers_misses_its_deadline() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listener:
        server = LocalAdbServer(port=listener.sockets[0].getsockname()[1], timeout=0.3)
        with pytest.raises(DeviceError, match=r"in time|timeout"):
            await server.connect("127.0.0.1:1")


def test_a_private_server_ends_with_its_block() -> None:
    with LocalAdbServer.private() as server:
        assert asyncio.run(_listed(server)) == []
    with pytest.raises(NoDeviceError):
        asyncio.run(server.disconnect("127.0.0.1:1"))


async def _listed(server: LocalAdbServer) -> list[tuple[str, str]]:
    changes = server.track()
    try:
        return list(await anext(changes))
    finally:
        await changes.aclose()


def test_the_adb_binary_reaches_it_too(local_server: LocalAdbServer) -> None:
    with RunningPhone(server=local_server) as phone:
        command = (
            adbutils.adb_path(),
            "-P",
            str(local_server.port),
            "-s",
            phone.serial,
            "shell",
            "getprop",
            "ro.serialno",
        )
        assert subprocess.run(command, capture_output=True, check=True, timeout=30).stdout == b"vphone-1\n"


def test_it_runs_as_an_emulator_whose_console_answers(local_server: LocalAdbServer) -> None:
    with RunningPhone(server=local_server, emulator=True) as phone:
        assert phone.serial.startswith("emulator-")
        assert local_server.device(phone.serial).shell("echo here") == "here"
        with socket.create_connection(("127.0.0.1", int(phone.serial.removeprefix("emulator-"))), timeout=20) as line:
            assert b"Android Console" in line.recv(100)
