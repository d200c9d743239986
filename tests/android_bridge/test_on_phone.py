"""What heed puts on a phone is listed, and removed."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from agent.loop import control_socket as control
from agent.loop.daemon_requests import StatusRequest
from agent.loop.phone_status import PhoneStatus
from android_bridge import consent_notification
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.on_phone import ItemKind, left_on, remove_from
from android_bridge.screen_helper import JAR
from android_bridge.ui import Ui
from collectors.config import TrajectoryConfig
from tests.agent.console.house import monitored
from tests.agent.console.phone_browser import invited
from virtual_phone import VirtualPhone

PORT = 8746


async def test_a_phone_that_heed_did_not_touch_has_nothing_of_it(device: Device) -> None:
    await device.shell("echo mine > /data/local/tmp/u2.jar; echo mine > /data/local/tmp/other")
    await device.reverse("tcp:7000", "tcp:7000")
    assert await left_on(device, PORT) == ()
    assert await remove_from(device, PORT) == ()
    assert (await device.shell("ls /data/local/tmp")).stdout.split() == ["other", "u2.jar"]
    assert await device.reverses() == ("tcp:7000",)


async def test_everything_that_heed_puts_there_is_listed_and_removed(phone: VirtualPhone, device: Device) -> None:
    ui = Ui(device, timeout=30)
    await ui.hierarchy()
    await device.shell(f"cp {JAR} /data/local/tmp/u2.jar; touch /data/local/tmp/heed-12ab.apk")
    tag = consent_notification.new_tag(3)
    await device.shell(consent_notification.post(tag, "heed asks", "Turn on?", "http://127.0.0.1:8746/#x"))
    await device.reverse(f"tcp:{PORT}", "tcp:9")
    assert {(item.kind, item.name) for item in await left_on(device, PORT)} == {
        (ItemKind.FILE, JAR),
        (ItemKind.FILE, "/data/local/tmp/heed-12ab.apk"),
        (ItemKind.FILE, "/data/local/tmp/u2.jar"),
        (ItemKind.NOTIFICATION, tag),
        (ItemKind.PORT, f"tcp:{PORT}"),
    }
    assert await remove_from(device, PORT) == ()
    assert not (await device.shell("ls /data/local/tmp")).stdout
    assert phone.reverses.listed() == ""
    await ui.close()


@pytest.mark.parametrize("helper", [False, True])
async def test_when_the_daemon_ends_nothing_stays_on_the_phone_even_with_a_question_open(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, helper: bool
) -> None:
    trajectory = TrajectoryConfig(helper=helper)
    async with monitored(tmp_path, adb_server, phone, on_phone=True, trajectory=trajectory) as house:
        if helper:
            await house.until(lambda: phone.local_service("9008"))
        phone.state.battery.set(level=15, charger="none")
        await invited(house)
        device = Device(adb_server, house.serial)
        items = await left_on(device, house.phone_port)
        (status,) = TypeAdapter(list[PhoneStatus]).validate_python(await control.call(StatusRequest()))
        assert status.on_phone == items
        kinds = {item.kind for item in items}
        assert kinds == {ItemKind.NOTIFICATION, ItemKind.PORT} | ({ItemKind.FILE} if helper else set())
    assert phone.state.files.names("/data/local/tmp") == []
    assert phone.reverses.listed() == ""
    assert not [note for note in phone.state.notifications.visible() if (note.tag or "").startswith("heed-")]
