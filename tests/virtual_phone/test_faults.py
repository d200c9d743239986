"""A phone with faults: the caller's errors, and recovery when the fault is gone."""

import asyncio
import contextlib
import os

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.display import NIGHT_MODE
from android_bridge.facts.reader import UnreadableError
from android_bridge.ui import Key, Ui
from heed.errors import DeviceError, DeviceLostError, NoDeviceError
from tests.phones import START
from tests.proof import examples
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.adbd import packets
from virtual_phone.adbd.transport import AdbConnection


async def until(server: AdbServer, serial: str, state: str) -> None:
    """Wait until the adb server says ``state``."""
    async with asyncio.timeout(30):
        async for entries in server.track():
            if (serial, state) in entries:
                return


async def test_calls_to_a_frozen_phone_end_at_their_deadline(phone: VirtualPhone, device: Device) -> None:
    phone.faults.freeze()
    with pytest.raises(DeviceError, match="did not"):
        await device.shell("echo hi", timeout=0.5)
    assert (device.serial, "device") in await device.server.devices()
    phone.faults.thaw()
    assert (await device.shell("echo back")).stdout == "back\n"


async def test_an_unplugged_phone_is_lost_and_comes_back(phone: VirtualPhone, device: Device) -> None:
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(_lost(device))
        await phone.state.until_changed()
        await phone.unplug()
    assert waiting.result()
    await until(device.server, device.serial, "device")
    assert (await device.shell("echo back")).stdout == "back\n"


async def _lost(device: Device) -> bool:
    with pytest.raises(DeviceLostError):
        await device.shell("settings put system started 1; sleep 20")
    return True


async def test_a_connection_cut_in_the_middle_of_an_answer_is_a_lost_phone(phone: VirtualPhone, device: Device) -> None:
    phone.faults.drop_after(20_000)
    with pytest.raises((DeviceLostError, NoDeviceError)):
        await device.shell("for i in 1 2 3 4 5 6 7 8 9; do getprop; settings list global; dumpsys power; done")
    await until(device.server, device.serial, "device")
    assert (await device.shell("echo back")).stdout == "back\n"


async def test_a_phone_that_never_accepted_this_computer_is_unauthorized(
    phone: VirtualPhone, adb_server: AdbServer
) -> None:
    phone.faults.authorized = False
    async with phone.listening() as port:
        serial = f"127.0.0.1:{port}"
        with pytest.raises(DeviceError):
            await adb_server.connect(serial)
        await until(adb_server, serial, "unauthorized")
        with pytest.raises(DeviceError, match="unauthorized"):
            await Device(adb_server, serial).shell("echo hi")
        await adb_server.disconnect(serial)


async def test_a_phone_that_does_not_answer_is_offline(phone: VirtualPhone, adb_server: AdbServer) -> None:
    phone.faults.offline = True
    async with phone.listening() as port:
        serial = f"127.0.0.1:{port}"
        with pytest.raises(DeviceError):
            await adb_server.connect(serial, timeout=1)
        await until(adb_server, serial, "offline")
        await adb_server.disconnect(serial)


async def test_an_unauthorized_phone_serves_as_soon_as_the_owner_accepts(
    phone: VirtualPhone, adb_server: AdbServer
) -> None:
    phone.faults.authorized = False
    async with phone.listening() as port:
        serial = f"127.0.0.1:{port}"
        with pytest.raises(DeviceError):
            await adb_server.connect(serial)
        phone.faults.authorized = True
        await phone.unplug()
        await until(adb_server, serial, "device")
        assert (await Device(adb_server, serial).shell("echo hi")).stdout == "hi\n"
        await adb_server.disconnect(serial)


async def test_an_offline_phone_refuses_at_once_and_serves_when_it_answers_again(
    phone: VirtualPhone, device: Device
) -> None:
    phone.faults.offline = True
    await phone.unplug()
    await until(device.server, device.serial, "offline")
    with pytest.raises(DeviceError):
        await device.shell("echo hi", timeout=30)
    phone.faults.offline = False
    await phone.unplug()
    await until(device.server, device.serial, "device")
    assert (await device.shell("echo back")).stdout == "back\n"


async def test_a_slow_connection_fails_large_outputs_only(phone: VirtualPhone, device: Device) -> None:
    phone.faults.bytes_per_second = 20_000
    assert (await device.shell("echo small", timeout=30)).stdout == "small\n"
    with pytest.raises(DeviceError, match="did not"):
        await device.shell("cat /dev/zero | head -c 1000000", timeout=0.5)
    phone.faults.bytes_per_second = None
    assert len((await device.shell("cat /dev/zero | head -c 1000000")).stdout) == 1_000_000


async def test_garbled_output_is_an_unreadable_error(phone: VirtualPhone, device: Device) -> None:
    phone.faults.garbled = {"dumpsys", "settings"}
    with pytest.raises(UnreadableError):
        await device.read(BATTERY)
    unread, night = await device.read_many([BATTERY, NIGHT_MODE])
    assert (type(unread), getattr(night, "value", night)) == (UnreadableError, "no")
    phone.faults.garbled.clear()
    assert (await device.read(BATTERY)).level == 80


async def test_a_full_phone_refuses_files_until_there_is_space(phone: VirtualPhone, device: Device) -> None:
    files = phone.state.files
    room, files.capacity = files.capacity, files.capacity - files.free
    with pytest.raises(DeviceError, match="Is its storage full"):
        await device.push(bytes(100_000), "/sdcard/a.bin")
    refused = await device.shell("echo hello > /sdcard/a.txt")
    assert "No space left on device" in refused.stderr
    assert refused.exit_code
    assert "0 100% /data" in (await device.shell("df /data")).stdout
    files.capacity = room
    await device.push(bytes(100_000), "/sdcard/a.bin")
    assert await device.pull("/sdcard/a.bin") == bytes(100_000)


async def test_a_rom_that_refuses_input_reports_it_to_adb_and_to_uiautomator2(
    phone: VirtualPhone, device: Device
) -> None:
    phone.faults.refuses_input = True
    before = phone.state.to_json()
    refused = await device.shell("input tap 540 2000; input keyevent 3")
    assert "INJECT_EVENTS" in refused.stderr
    assert refused.rejected.startswith("java.lang.SecurityException: Injecting input events")
    ui = Ui(device, timeout=30)
    with pytest.raises(DeviceError, match=r"SecurityException.*allow input over USB debugging"):
        await ui.tap(540, 2000)
    assert phone.state.to_json()["apps"] == before["apps"]
    phone.faults.refuses_input = False
    await ui.press(Key.VOLUME_UP)
    await ui.close()
    assert not (await device.shell("input keyevent KEYCODE_HOME")).rejected


async def test_a_rom_that_refuses_settings_still_lets_them_be_read(phone: VirtualPhone, device: Device) -> None:
    phone.faults.refuses_settings = True
    refused = await device.shell("settings put system screen_brightness 7")
    assert refused.rejected.startswith("java.lang.SecurityException: Permission denial: writing to settings")
    assert "WRITE_SECURE_SETTINGS" in refused.stderr
    assert (await device.shell("settings get system screen_brightness")).stdout == "102\n"
    phone.faults.refuses_settings = False
    assert not (await device.shell("settings put system screen_brightness 7")).rejected
    assert (await device.shell("settings get system screen_brightness")).stdout == "7\n"


def hostile(number: int) -> bytes:
    """One packet that the adb server never sends."""
    kinds = (packets.OPEN, packets.WRTE, packets.OKAY, packets.CLSE, packets.AUTH, packets.CNXN, packets.STLS, 0)
    payload = os.urandom(number % 97) if number % 3 else b"shell:echo x\0"
    command = kinds[number % len(kinds)]
    return packets.pack(command, number * 7919 % 2**32, number % 11, payload, checksum=False) + payload


async def test_hostile_packets_leave_the_phone_serving(
    phone: VirtualPhone, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.state.identity.properties["ro.adb.secure"] = "0"
    handled = 0
    handle = AdbConnection._packet

    async def counted(connection: AdbConnection, header: packets.PacketHeader, payload: bytes) -> None:
        nonlocal handled
        handled += 1
        await handle(connection, header, payload)

    monkeypatch.setattr(AdbConnection, "_packet", counted)
    wanted, sent = examples(2000, 100_000), 0
    # A packet too bad to go on ends its connection: what it did not get to read does not count.
    while handled < wanted:
        before = handled
        await _send_hostile(phone.port, range(sent, sent + 500))
        sent += 500
        assert handled > before
    assert (await device.shell("echo unharmed")).stdout == "unharmed\n"


async def _send_hostile(port: int, numbers: range) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    hello = packets.pack(packets.CNXN, packets.VERSION_SKIP_CHECKSUM, 4096, b"host::", checksum=True) + b"host::"
    writer.write(hello + b"".join(hostile(number) for number in numbers) + os.urandom(24))
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            while await reader.read(65536):
                pass
    writer.close()


async def test_a_peer_that_does_not_wait_for_its_acknowledgement_is_cut_off(phone: VirtualPhone) -> None:
    async with phone.listening() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(packets.pack(packets.CNXN, packets.VERSION_SKIP_CHECKSUM, 4096, b"", checksum=True))
        writer.write(packets.pack(packets.OPEN, 1, 0, b"shell:sleep 60\0", checksum=False) + b"shell:sleep 60\0")
        data = b"x" * 1000
        for _ in range(20):
            writer.write(packets.pack(packets.WRTE, 1, 1, data, checksum=False) + data)
        async with asyncio.timeout(20):
            while await reader.read(65536):
                pass
        writer.close()


async def test_a_clock_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        PhoneState.standard(START.replace(tzinfo=None))
