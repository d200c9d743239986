"""The whole link against the virtual phone, through the real adb server: commands, readers, events, faults."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from android_bridge.adb import AdbServer
from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.events import PhoneEvent, PhoneEvents, phone_events
from android_bridge.facts import (
    activities,
    alarms,
    audio,
    battery,
    clock,
    content,
    display,
    location,
    media,
    memory,
    network,
    notifications,
    packages,
    power,
    properties,
    settings,
    telephony,
)
from android_bridge.facts.reader import Reader
from heed.errors import DeviceError, DeviceLostError, UsageError
from tests.phones import START, connected_device
from virtual_phone import VirtualPhone
from virtual_phone.adbd.transport import AdbStream

READERS: list[Reader[Any]] = [
    activities.ACTIVITIES,
    alarms.NEXT_ALARM,
    audio.AUDIO,
    battery.BATTERY,
    clock.CLOCK,
    display.SCREEN_SIZE,
    display.NIGHT_MODE,
    display.DISPLAYS,
    location.LOCATION,
    media.MEDIA_SESSIONS,
    memory.STORAGE,
    memory.MEMORY,
    network.WIFI,
    network.CONNECTIVITY,
    network.AIRPLANE_MODE,
    network.MOBILE_DATA,
    notifications.NOTIFICATIONS,
    notifications.DO_NOT_DISTURB,
    notifications.DO_NOT_DISTURB_DUMP,
    packages.PACKAGES,
    packages.INSTALLED_PACKAGES,
    packages.package("com.android.settings"),
    power.POWER,
    properties.PROPERTIES,
    settings.settings_table("global"),
    settings.setting("system", "screen_brightness"),
    telephony.TELEPHONY,
    telephony.CALLS,
    content.rows("content://sms/inbox", ["address", "date", "body"]),
    content.rows("content://com.android.contacts/data/phones", ["data1", "display_name"]),
    content.rows("content://media/external/images/media", ["date_added", "_display_name"]),
]  # fmt: skip


async def test_every_reader_reads_the_phone_in_one_round_trip(device: Device) -> None:
    values = await device.read_many(READERS)
    failed = {reader.name: value for reader, value in zip(READERS, values, strict=True) if isinstance(value, Exception)}
    assert failed == {}


async def test_what_is_read_is_what_the_phone_holds(device: Device, phone: VirtualPhone) -> None:
    phone.state.battery.set(level=15, plugged=True)
    phone.state.messages.receive("+15550100", "hi, this is Bob,\nRow: 0 _id=1, my new number")
    phone.state.apps.open("com.android.settings")
    assert (await device.read(battery.BATTERY)).level == 15
    assert (await device.read(battery.BATTERY)).powered
    assert await device.read(clock.CLOCK) == START
    screen = await device.read(activities.ACTIVITIES)
    assert screen.foreground is not None
    assert screen.foreground.package == "com.android.settings"
    sms = await device.read(content.rows("content://sms/inbox", ["address", "body"], sort="date DESC"))
    assert sms.items[0]["body"] == "hi, this is Bob,\nRow: 0 _id=1, my new number"
    posted = await device.read(notifications.NOTIFICATIONS)
    assert [item.package for item in posted.items if "Bob" in (item.text or "")] != []


async def test_any_text_survives_the_phones_shell(device: Device) -> None:
    text = 'it\'s; "$HOME" `id` $(id) \\ 你好 🙂 &&\nsecond line'
    assert (await device.shell(f"echo {quote(text)}")).stdout == f"{text}\n"
    results = await device.batch([f"echo {quote(text)}", "exit 3", "nonsense", "echo end"])
    assert [result.exit_code for result in results] == [0, 3, 127, 0]
    assert [result.stdout for result in results] == [f"{text}\n", "", "", "end\n"]


async def test_files_go_to_the_phone_and_come_back(device: Device) -> None:
    data = bytes(range(256)) * 500
    await device.push(data, "/sdcard/Download/heed test.bin")
    assert await device.pull("/sdcard/Download/heed test.bin") == data
    with pytest.raises(DeviceError, match="could not copy from"):
        await device.pull("/sdcard/no such file")


async def test_the_screen_comes_as_a_picture_and_as_pixels(device: Device) -> None:
    size = await device.read(display.SCREEN_SIZE)
    shot, frame = await device.screenshot(), await device.frame()
    assert (shot.width, shot.height) == (frame.width, frame.height) == (size.width, size.height)
    with Image.open(io.BytesIO(shot.png)) as picture:
        assert picture.convert("RGBA").tobytes() == frame.rgba


async def test_ports_lead_to_the_phone_and_back(device: Device, phone: VirtualPhone) -> None:
    async def shout(stream: AdbStream) -> None:
        await stream.write((await stream.read()).upper())

    with phone.serving_locally(7000, shout):
        port = await device.forward("tcp:7000")
        assert await _say("hello", port) == "HELLO"
        await device.remove_forward(port)
        with pytest.raises(ConnectionError):
            await _say("hello", port)
    with pytest.raises(DeviceError, match="not found"):
        await device.remove_forward(port)
    await device.reverse("tcp:8765", "tcp:9")
    await device.remove_reverse("tcp:8765")
    with pytest.raises(DeviceError):
        await device.remove_reverse("tcp:8765")


async def _say(text: str, port: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text.encode())
    answer = await reader.read()
    writer.close()
    return answer.decode()


async def test_an_app_that_android_does_not_install_is_refused_with_its_reason(device: Device, tmp_path: Path) -> None:
    package = tmp_path / "broken.apk"
    package.write_bytes(b"no apk")
    with pytest.raises(DeviceError, match=r"did not install broken\.apk: "):
        await device.install(package)
    with pytest.raises(UsageError, match="There is no file"):
        await device.install(tmp_path / "missing.apk")
    assert "heed-" not in (await device.shell("ls /data/local/tmp")).stdout


async def test_a_phone_that_asks_its_person_first_is_unauthorized_until_they_say_yes(
    phone: VirtualPhone, adb_server: AdbServer
) -> None:
    phone.faults.authorized = False
    async with phone.listening() as port:
        address = f"127.0.0.1:{port}"
        with contextlib.suppress(DeviceError):
            await adb_server.connect(address)  # adb calls it a failure to connect and lists the phone nevertheless
        await _listed(adb_server, address, "unauthorized")
        with pytest.raises(DeviceError, match=r"unauthorized\. Unlock"):
            await Device(adb_server, address).shell("true")
        phone.faults.authorized = True
        await phone.unplug()
        await _listed(adb_server, address, "device")
        assert (await Device(adb_server, address).shell("echo yes")).stdout == "yes\n"
        await adb_server.disconnect(address)


async def _listed(server: AdbServer, address: str, state: str) -> None:
    async with asyncio.timeout(30), aclosing(server.track()) as changes:
        async for entries in changes:
            if (address, state) in entries:
                return


async def take(events: AsyncIterator[PhoneEvent], *kinds: str) -> PhoneEvent:
    """The next event of one of these kinds."""
    async with asyncio.timeout(20):
        async for event in events:
            if event.kind in kinds:
                return event
    raise AssertionError("the stream ended")


@asynccontextmanager
async def listening(device: Device, phone: VirtualPhone) -> AsyncIterator[AsyncIterator[PhoneEvent]]:
    """Events of a phone that has logged one of each, so that nothing is polled; listening has begun."""
    phone.state.battery.set(level=50)
    async with aclosing(phone_events(device, poll_seconds=3600)) as events:
        ready = asyncio.ensure_future(anext(events))
        level = 49
        while not ready.done():
            # Until the stream is open nothing is told: change something until it is.
            phone.state.battery.set(level=level)
            level -= 1
            await asyncio.wait([ready], timeout=0.2)
        yield events


async def test_the_phones_day_comes_as_events(device: Device, phone: VirtualPhone) -> None:
    async with listening(device, phone) as events:
        phone.state.battery.set(plugged=True)
        charger = await take(events, "charger")
        assert getattr(charger, "plugged", ()) != ()
        phone.state.apps.open("com.android.settings")
        app = await take(events, "app_foreground")
        assert getattr(app, "package", "") == "com.android.settings"
        phone.state.messages.receive("+15550100", "hello")
        posted = await take(events, "notification_posted")
        assert getattr(posted, "package", "") == "com.google.android.apps.messaging"
        assert posted.at.astimezone(START.tzinfo).replace(microsecond=0) >= START
        phone.state.power.sleep()
        assert getattr(await take(events, "screen"), "state", "") == "off"
        assert not posted.polled


async def test_what_happens_while_the_cable_is_out_is_told_when_it_is_back(
    phone: VirtualPhone, adb_server: AdbServer
) -> None:
    phone.state.battery.set(level=50)
    async with connected_device(phone, adb_server) as device:
        listener = PhoneEvents(device, poll_seconds=3600)
        async with aclosing(listener.listen()) as events:
            waiting = asyncio.ensure_future(anext(events))
            while not waiting.done():
                phone.state.battery.set(level=phone.state.battery.level - 1)
                await asyncio.wait([waiting], timeout=0.2)
            last = waiting.result()
            await phone.unplug()
            with pytest.raises(DeviceError):
                async with asyncio.timeout(20):
                    async for event in events:
                        last = event
        phone.state.battery.set(level=7)
        await _until_back(device)
        async with aclosing(listener.listen()) as events:
            told = await take(events, "battery_level")
    assert getattr(last, "level", 0) > 7
    assert getattr(told, "level", 0) == 7


async def _until_back(device: Device) -> None:
    """Wait until the adb server has connected to the phone again (about six seconds)."""
    async with asyncio.timeout(30):
        while True:
            try:
                await device.shell("true")
            except DeviceError:
                await asyncio.sleep(0.1)
            else:
                return


async def test_a_frozen_phone_costs_its_deadline_and_works_again_when_it_thaws(
    device: Device, phone: VirtualPhone
) -> None:
    phone.faults.freeze()
    with pytest.raises(DeviceError, match="did not"):
        await device.shell("echo hello", timeout=0.3)
    phone.faults.thaw()
    assert (await device.shell("echo hello")).stdout == "hello\n"


@pytest.mark.parametrize("size", [0, 24, 30, 60])
async def test_a_phone_that_drops_inside_an_answer_is_lost_and_comes_back(
    device: Device, phone: VirtualPhone, size: int
) -> None:
    phone.faults.drop_after(size)
    with pytest.raises(DeviceError):
        await device.shell("echo a long enough answer to be cut in the middle of it; getprop")
    await _until_back(device)
    assert (await device.shell("echo hello")).stdout == "hello\n"


async def test_two_phones_at_once_never_mix(phone: VirtualPhone, adb_server: AdbServer) -> None:
    from virtual_phone import PhoneState

    other = VirtualPhone(PhoneState.standard(now=datetime(2026, 3, 1, 8, 0, tzinfo=START.tzinfo)))
    phone.state.battery.set(level=11)
    other.state.battery.set(level=77)
    async with connected_device(phone, adb_server) as first, connected_device(other, adb_server) as second:
        readings = await asyncio.gather(*(device.read(battery.BATTERY) for device in [first, second] * 10))
    assert [reading.level for reading in readings] == [11, 77] * 10


async def test_a_lost_phone_is_a_device_error_for_those_who_do_not_care_why() -> None:
    assert issubclass(DeviceLostError, DeviceError)
