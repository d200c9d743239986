"""Details by which a virtual phone could be told from a real one."""

import asyncio
import logging
from contextlib import aclosing

import pytest
from PIL import ImageStat

from android_bridge.device import Device
from android_bridge.events import PhoneEvents
from android_bridge.events.model import AlarmRang
from android_bridge.facts.display import DISPLAYS
from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.state.well_known import LAUNCHER_APP


async def test_a_booted_phone_has_logged_every_tag_that_heed_reads(
    device: Device, phone: VirtualPhone, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with asyncio.timeout(20), aclosing(PhoneEvents(device).listen()) as events:
            waiting = asyncio.ensure_future(anext(events))
            await phone.state.log.followed()
            phone.state.alarms.add(14, 5, label="Call")
            phone.state.clock.advance(600)
            told = [await waiting, await anext(events)]
    assert not [record for record in caplog.records if "has not logged" in record.getMessage()]
    assert isinstance(told[1], AlarmRang)


async def test_the_display_reports_its_physical_id(device: Device) -> None:
    assert (await device.read(DISPLAYS)).physical_ids == ("4619827259835644672",)


@pytest.mark.parametrize(
    ("path", "mount"),
    [("/data/local/tmp", "/data"), ("/sdcard", "/storage/emulated"), ("/storage/emulated/0", "/storage/emulated"),
     ("/system", "/")],
)  # fmt: skip
async def test_df_of_a_path_prints_its_file_system_only(phone: VirtualPhone, path: str, mount: str) -> None:
    lines = (await run(phone, f"df {path}")).stdout.splitlines()
    assert [line.split()[-1] for line in lines] == ["on", mount]


async def test_opening_the_launcher_goes_home(phone: VirtualPhone) -> None:
    phone.state.open_app("com.whatsapp")
    assert phone.state.open_app(LAUNCHER_APP)
    assert phone.state.apps.foreground.package == LAUNCHER_APP


async def test_a_protected_window_is_black_in_every_picture_and_the_bars_are_not(phone: VirtualPhone) -> None:
    phone.state.open_app("com.eg.android.AlipayGphone")
    spec = phone.state.apps.spec(phone.state.apps.foreground.component)
    assert spec is not None
    spec.secure = True
    phone.state.changed()
    picture = phone.screen.image()
    inside = picture.crop((0, 130, picture.width, picture.height - 70))
    assert ImageStat.Stat(inside).sum == [0, 0, 0]
    assert ImageStat.Stat(picture).sum != [0, 0, 0]
    assert "com.eg.android.AlipayGphone" in (await run(phone, "uiautomator dump /dev/tty")).stdout
