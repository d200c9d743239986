"""A phone that fails: what the caller sees, and that all is well when the fault is gone."""

import asyncio
import os

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.virtual import PhoneState, VirtualPhone
from android_bridge.virtual.adbd import packets
from heed.errors import DeviceError, DeviceLostError, NoDeviceError
from tests.phones import START
from tests.proof import examples


async def until(server: AdbServer, serial: str, state: str) -> None:
    """Wait until the adb server says ``state``."""
    async with asyncio.timeout(30):
        async for entries in server.track():
            if (serial, state) in entries:
                return


async def test_a_frozen_phone_hangs_its_callers_until_their_deadline(phone: VirtualPhone, device: Device) -> None:
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


async def test_a_line_cut_in_the_middle_of_an_answer_is_a_lost_phone(phone: VirtualPhone, device: Device) -> None:
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


async def test_a_phone_that_says_nothing_is_offline(phone: VirtualPhone, adb_server: AdbServer) -> None:
    phone.faults.offline = True
    async with phone.listening() as port:
        serial = f"127.0.0.1:{port}"
        with pytest.raises(DeviceError):
            await adb_server.connect(serial, timeout=1)
        await until(adb_server, serial, "offline")
        await adb_server.disconnect(serial)


def hostile(number: int) -> bytes:
    """One packet that no honest adb sends."""
    kinds = (packets.OPEN, packets.WRTE, packets.OKAY, packets.CLSE, packets.AUTH, packets.CNXN, packets.STLS, 0)
    payload = os.urandom(number % 97) if number % 3 else b"shell:echo x\0"
    command = kinds[number % len(kinds)]
    return packets.pack(command, number * 7919 % 2**32, number % 11, payload, checksum=False) + payload


async def test_hostile_packets_leave_the_phone_serving(phone: VirtualPhone, device: Device) -> None:
    for start in range(0, examples(2000, 100_000), 500):
        reader, writer = await asyncio.open_connection("127.0.0.1", phone.port)
        writer.write(
            packets.pack(packets.CNXN, packets.VERSION_SKIP_CHECKSUM, 4096, b"host::", checksum=True) + b"host::"
        )
        writer.write(b"".join(hostile(number) for number in range(start, start + 500)))
        writer.write(os.urandom(24))
        async with asyncio.timeout(20):
            while await reader.read(65536):
                pass
        writer.close()
    assert (await device.shell("echo unharmed")).stdout == "unharmed\n"


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
