"""The screen's views, through uiautomator2's helper where it runs, and without it where it does not."""

import asyncio
import logging

import pytest

from android_bridge.device import Device
from collectors.trajectory.views import Views
from tests.android_bridge.uiautomator import FalseScreen
from virtual_phone import VirtualPhone


@pytest.fixture(autouse=True)
def home(phone: VirtualPhone) -> None:
    phone.state.apps.home()


async def test_without_a_helper_the_phone_dumps_and_none_is_started(phone: VirtualPhone, device: Device) -> None:
    assert "Maps" in (await Views(device).read()).texts()
    assert phone.local_service("9008") is None


async def test_a_helper_that_another_program_started_is_not_asked(phone: VirtualPhone, device: Device) -> None:
    screen = FalseScreen()
    for uses_helper in (False, True):
        views = Views(device, uses_helper=uses_helper)
        with phone.serving_locally(9008, screen.serve):
            assert "Maps" in (await views.read()).texts()
            await views.close()
    assert screen.connections == 0


async def test_an_allowed_helper_is_removed_from_the_phone_when_it_is_no_longer_used(
    phone: VirtualPhone, device: Device
) -> None:
    views = Views(device, uses_helper=True)
    assert "Maps" in (await views.read()).texts()
    assert phone.local_service("9008") is not None
    await views.close()
    assert not (await device.shell("ls /data/local/tmp")).stdout
    async with asyncio.timeout(60):
        # The phone learns of the closed line a moment later than we do.
        while phone.local_service("9008") is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_helper_that_is_refused_is_told_once_and_the_phone_dumps_instead(
    phone: VirtualPhone, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    views = Views(device, uses_helper=True)
    with caplog.at_level(logging.INFO, "collectors.trajectory.views"), phone.serving_locally(9008, FalseScreen().serve):
        for _ in range(2):
            assert "Maps" in (await views.read()).texts()
    told = [record.message for record in caplog.records if "without uiautomator2" in record.message]
    assert len(told) == 1
    assert "A program that heed did not start listens on port 9008" in told[0]
    assert "user 10199" in told[0]
