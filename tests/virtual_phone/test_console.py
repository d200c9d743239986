"""A virtual phone that plays an emulator: the unmodified ``adb emu``, and snapshots."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import adbutils
import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.phones import START, connected_device, run
from virtual_phone import PhoneState, VirtualPhone

Emu = Callable[..., Awaitable[str]]


@pytest.fixture
async def emulator(phone: VirtualPhone, adb_server: AdbServer) -> AsyncIterator[Device]:
    async with connected_device(phone, adb_server, emulated=True) as device:
        yield device


@pytest.fixture
def emu(emulator: Device) -> Emu:
    """Runs ``adb emu`` on the emulator."""

    async def command(*words: str) -> str:
        process = await asyncio.create_subprocess_exec(
            adbutils.adb_path(), "-P", str(emulator.server.port), "-s", emulator.serial, "emu", *words,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        async with asyncio.timeout(20):
            return (await process.communicate())[0].decode()

    return command


async def test_adb_lists_it_as_an_emulator_and_drops_it_at_once(phone: VirtualPhone, adb_server: AdbServer) -> None:
    async with connected_device(phone, adb_server, emulated=True) as device:
        assert device.serial.startswith("emulator-")
        assert (await device.shell("echo hi")).stdout == "hi\n"
    async with asyncio.timeout(60), contextlib.aclosing(adb_server.track()) as lists:
        async for entries in lists:
            if device.serial not in dict(entries):
                break


async def test_messages_places_power_and_calls_come_from_the_console(phone: VirtualPhone, emu: Emu) -> None:
    state = phone.state
    assert "OK" in await emu("sms", "send", "+8613800138000", '会议改到三点, it\'s "fixed"')
    assert state.messages.stored[-1].body == '会议改到三点, it\'s "fixed"'
    await emu("geo", "fix", "121.4737", "31.2304")
    assert (state.location.latitude, state.location.longitude) == (31.2304, 121.4737)
    await emu("power", "capacity", "12")
    await emu("power", "ac", "on")
    assert (state.battery.level, state.battery.charger) == (12, "ac")
    assert "capacity: 12" in await emu("power", "display")
    await emu("power", "ac", "off")
    assert not state.battery.plugged
    await emu("gsm", "call", "10086")
    assert state.calls.number_state == 1
    await emu("gsm", "accept", "10086")
    assert state.calls.number_state == 2
    await emu("gsm", "cancel", "10086")
    assert state.calls.number_state == 0


@pytest.mark.parametrize(
    "words",
    [["sms", "send", "123"], ["geo", "fix", "181", "0"], ["geo", "fix", "x", "y"], ["power", "capacity", "101"],
     ["power", "ac", "maybe"], ["gsm", "call"], ["avd", "snapshot", "load", "none"], ["no", "such"]],
)  # fmt: skip
async def test_invalid_commands_are_refused_and_change_nothing(phone: VirtualPhone, emu: Emu, words: list[str]) -> None:
    before = phone.state.to_json()
    assert "KO: " in await emu(*words)
    assert phone.state.to_json() == before


async def test_a_snapshot_restores_everything(phone: VirtualPhone, emulator: Device, emu: Emu) -> None:
    await emulator.push(b"kept", "/sdcard/kept.txt")
    before = phone.state.to_json()
    await emu("avd", "snapshot", "save", "clean")
    assert "clean" in await emu("avd", "snapshot", "list")
    for line in CHANGES:
        await emulator.shell(line)
    await emu("sms", "send", "10086", "hello")
    phone.state.clock.advance(86400)
    assert phone.state.to_json() != before
    await emu("avd", "snapshot", "load", "clean")
    assert phone.state.to_json() == before
    assert await emulator.pull("/sdcard/kept.txt") == b"kept"
    # A snapshot can be loaded again after what changed it.
    await emulator.shell("settings put system screen_brightness 9; rm /sdcard/kept.txt")
    await emu("avd", "snapshot", "load", "clean")
    assert phone.state.to_json() == before


CHANGES = (
    "settings put system screen_brightness 3", "svc wifi disable", "cmd power set-mode 1", "input keyevent 26",
    "am start -a android.intent.action.VIEW -d https://example.org", "input tap 540 1200", "rm -r /sdcard/DCIM",
    "echo x > /sdcard/new.txt", "cmd notification post -t T tag text", "pm uninstall com.whatsapp",
    "am start -a android.intent.action.SET_ALARM --ei android.intent.extra.alarm.HOUR 6 "
    "--ei android.intent.extra.alarm.MINUTES 5 --ez android.intent.extra.alarm.SKIP_UI true",
    "content delete --uri content://sms", "cmd uimode night yes", "dumpsys battery set level 3",
)  # fmt: skip


@given(lines=st.lists(st.sampled_from(CHANGES), max_size=5))
def test_a_snapshot_undoes_any_change(lines: list[str]) -> None:
    async def play() -> None:
        state = PhoneState.standard(now=START)
        state.clock.freeze()
        phone, before, snapshot = VirtualPhone(state), state.to_json(), state.snapshot()
        for line in lines:
            await run(phone, line)
        state.restore(snapshot)
        assert state.to_json() == before

    asyncio.run(play())


async def test_endless_lines_and_lost_peers_do_not_stop_the_console(
    phone: VirtualPhone, emulator: Device, emu: Emu
) -> None:
    port = int(emulator.serial.partition("-")[2])
    for data in (b"x" * 200_000, b"\xff\xfe\n", b"sms send"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        with contextlib.suppress(ConnectionError):
            writer.write_eof()
            async with asyncio.timeout(60):
                while await reader.read(65536):
                    pass
        writer.close()
    assert "I am alive" in await emu("ping")


def test_help_names_every_command(phone: VirtualPhone) -> None:
    said: Any = phone.console.run("help")
    assert "sms send" in said
    assert "avd snapshot load" in said
