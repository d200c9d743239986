"""Deleting for good what names an app, on the page of ``heed run``: the daemon ends for it and begins anew."""

import asyncio
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from agent.demo import play_day
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ForgetRequest
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.errors import PersonError
from tests.agent.command import TIMEOUT, monitors
from tests.agent.console.browser import browsing, opened
from tests.agent.console.test_commands import running, sign_in
from tests.agent.test_forget import APP, LABEL, NAME, NEW, NUMBER, appearances, plant, plant_innocent

expect.set_options(timeout=60_000)


async def test_a_form_deletes_an_app_and_the_page_goes_on_with_what_was_deleted(
    heed_home: Path, adb_server: AdbServer, device: Device
) -> None:
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    plant_innocent(NEW)
    async with browsing() as browser, running(adb_server.port) as (process, said):
        async with opened(browser, said[1].removeprefix("Console: ").strip()) as page:
            await page.get_by_role("link", name="Remembered").click()
            await page.get_by_label("Name, package or phone number").fill(LABEL)
            await page.get_by_role("button", name="Delete", exact=True).click()
            assert appearances(heed_home, NAME)  # the first press asks
            await page.get_by_role("button", name="Delete it for good").click()
            await expect(page.get_by_role("heading", name="Deleted last")).to_be_visible()
            await expect(page.get_by_text("journal.sqlite3:")).to_contain_text("0 left")
        assert process.returncode is None
        async with asyncio.timeout(TIMEOUT):
            while not await monitors():  # noqa: ASYNC110 - the phone is monitored again
                await asyncio.sleep(0.05)
        # The phone's apps are read again, and only they name it.
        assert not appearances(heed_home, f"Write to {NAME} in {LABEL}?") and not appearances(
            heed_home, f"{NAME} and {LABEL}"
        )
        assert appearances(heed_home, "bread") and appearances(heed_home, "Set an alarm?")


async def test_one_of_app_and_person_has_to_be_named(adb_server: AdbServer, device: Device) -> None:
    async with running(adb_server.port, "--no-console"):
        for wanted in (ForgetRequest(), ForgetRequest(app="WeChat", person="Ann"), ForgetRequest(app=" ")):
            with pytest.raises(PersonError, match="Name an app or a person"):
                await control.call(wanted)
        assert await monitors()


async def test_a_demo_deletes_nothing(tmp_path: Path) -> None:
    links: list[str] = []
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        async for _ in play_day(tmp_path, show_console=links.append):
            await sign_in(client, links[0])
            refused = await client.post("/api/memory/forget", json={"app": "WeChat"})
            assert "A demo keeps nothing" in refused.json()["error"]
            break
