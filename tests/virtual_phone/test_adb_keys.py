"""A computer that the phone does not know waits for the owner's answer, as on a phone."""

import asyncio
import struct

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.errors import DeviceError
from tests.phones import START
from virtual_phone import LocalAdbServer, PhoneState, VirtualPhone
from virtual_phone.adbd import packets
from virtual_phone.adbd.keys import is_signed
from virtual_phone.adbd.packets import HEADER
from virtual_phone.state.adb_keys import DIALOGUE


async def until(server: LocalAdbServer, serial: str, wanted: str) -> None:
    """Wait until adb lists the phone in this state."""
    async with asyncio.timeout(20):
        async for entries in server.track():
            if (serial, wanted) in entries:
                return


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_stranger_waits_for_the_dialogue(phone: VirtualPhone, device: Device, allowed: bool) -> None:
    with LocalAdbServer.private() as stranger:
        with pytest.raises(DeviceError, match="authenticate"):
            await stranger.connect(device.serial)
        await until(stranger, device.serial, "unauthorized")
        async with asyncio.timeout(20):
            while not phone.state.adb_keys.waiting:
                await phone.state.until_changed()
        assert phone.state.apps.foreground.component == DIALOGUE
        words = " ".join(node.text for node in phone.screen.active_window().root.walk())
        assert "RSA key fingerprint" in words
        known = len(phone.state.adb_keys.trusted)
        button = next(
            node for node in phone.screen.active_window().root.walk() if node.text == ("Allow" if allowed else "Cancel")
        )
        assert button.tap is not None
        button.tap(phone.state)
        assert len(phone.state.adb_keys.trusted) == known + allowed
        await until(stranger, device.serial, "device" if allowed else "unauthorized")
        await stranger.disconnect(device.serial)
    assert (await device.shell("echo known")).stdout == "known\n"


async def test_a_client_without_a_key_is_not_connected(phone: VirtualPhone) -> None:
    async with phone.listening() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for word in (packets.CNXN, packets.OPEN):
            payload = b"host::\0"
            header = packets.pack(word, packets.VERSION_SKIP_CHECKSUM, 4096, payload, checksum=True)
            writer.write(header + payload)
        async with asyncio.timeout(10):
            answer = await reader.read()
        writer.close()
    command, kind, _, length = struct.unpack_from("<4I", answer)
    assert (command, kind, length) == (packets.AUTH, packets.AUTH_TOKEN, 20)
    assert len(answer) == HEADER.size + 20, "nothing but the challenge"


async def test_a_build_without_adb_authentication_asks_for_no_key(adb_server: AdbServer) -> None:
    state = PhoneState.standard(START)
    state.identity.properties["ro.adb.secure"] = "0"
    phone = VirtualPhone(state)
    phone.state.adb_keys.trusted = []
    async with phone.listening() as port:
        with LocalAdbServer.private() as stranger:
            await stranger.connect(f"127.0.0.1:{port}")
            await until(stranger, f"127.0.0.1:{port}", "device")
            await stranger.disconnect(f"127.0.0.1:{port}")
    assert phone.state.adb_keys.trusted == []


@pytest.mark.parametrize("key", ["", "AAAA", "not base64", "QAAAAA" + "A" * 690])
def test_a_broken_key_has_signed_nothing(key: str) -> None:
    assert not is_signed(b"t" * 20, b"s" * 256, [key])
