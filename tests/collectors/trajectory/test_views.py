"""The screen's views, through uiautomator2's helper where it runs, and without it where it does not."""

import logging

import pytest

from android_bridge.device import Device
from android_bridge.ui import Ui
from collectors.trajectory.views import Views
from virtual_phone import VirtualPhone


@pytest.fixture(autouse=True)
def home(phone: VirtualPhone) -> None:
    phone.state.apps.home()


async def test_without_a_helper_the_phone_dumps_and_none_is_started(phone: VirtualPhone, device: Device) -> None:
    assert "Maps" in (await Views(device).read()).texts()
    assert phone.local_service("9008") is None


async def test_a_helper_that_runs_is_asked_and_left_running(phone: VirtualPhone, device: Device) -> None:
    other = Ui(device)
    await other.hierarchy()
    started = phone.local_service("9008")
    views = Views(device)
    assert "Maps" in (await views.read()).texts()
    await views.close()
    assert phone.local_service("9008") == started is not None
    await other.close()


async def test_a_helper_that_fails_is_told_once_and_the_phone_dumps_instead(
    phone: VirtualPhone, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    async def hangs_up(stream: object) -> None:
        """Whatever listens there is no helper."""

    views = Views(device)
    with caplog.at_level(logging.INFO, "collectors.trajectory.views"), phone.serving_locally(9008, hangs_up):
        for _ in range(2):
            assert "Maps" in (await views.read()).texts()
    assert sum("without uiautomator2" in record.message for record in caplog.records) == 1
