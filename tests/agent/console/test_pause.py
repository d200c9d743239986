"""A pause from the console and from the phone's own page: nothing is suggested, a notice shows, calls work."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from agent.loop.pausing import DaemonPause
from android_bridge.adb import AdbServer
from function_pool.call import FunctionCall
from heed.language import Language
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.agent.console.phone_browser import SHELL, on_the_phone, tap
from virtual_phone import VirtualPhone


def notices(house: House) -> list[str]:
    """The texts of heed's notifications that the phone shows."""
    visible = house.phone.state.notifications.visible()
    return [note.text for note in visible if note.package == SHELL and (note.tag or "").startswith("heed-")]


async def test_while_it_is_paused_nothing_is_suggested_and_the_phone_says_so(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, house.signed_in() as client:
        paused = (await client.post("/api/pause", json={})).json()
        assert paused["text"] == "heed is paused until you resume it."
        await house.until(lambda: notices(house) == ["heed is paused until you resume it."])
        house.phone.state.battery.set(level=15, charger="none")
        await house.decided(1)
        assert house.decisions() == ["paused"]
        assert (await client.get("/api/pause")).json()["paused"]

        (await client.post("/api/pause", json={"minutes": 60})).raise_for_status()
        await house.until(lambda: len(notices(house)) == 1 and re.search(r"until \d\d:\d\d", notices(house)[0]))

        assert not (await client.post("/api/resume")).json()["paused"]
        await house.until(lambda: notices(house) == [])
        house.phone.state.battery.set(level=14, charger="none")
        await house.answer(client, "not_now")


async def test_a_channels_switch_pauses_the_daemon_and_shows_what_was_paused_elsewhere(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with monitored(tmp_path, adb_server, phone) as house, house.signed_in() as client:
        switch = DaemonPause(house.runtime.stores, house.runtime.clock, house.daemon.answer)
        await switch.pause()
        assert switch.paused and (await client.get("/api/pause")).json()["paused"]
        house.phone.state.battery.set(level=15, charger="none")
        await house.decided(1)
        assert house.decisions() == ["paused"]
        (await client.post("/api/resume")).raise_for_status()
        assert not switch.paused
        (await client.post("/api/pause", json={})).raise_for_status()
        assert switch.paused
        await switch.resume()
        assert not (await client.get("/api/pause")).json()["paused"]


async def test_what_the_owner_asks_for_is_done_while_heed_is_paused(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with monitored(tmp_path, adb_server, phone) as house, house.signed_in() as client:
        (await client.post("/api/pause", json={})).raise_for_status()
        runtime = house.runtime
        agent = runtime.phone(house.serial, await runtime.identify(house.serial)).agent
        plan = await agent.plan(FunctionCall(name="set_power_saving_mode", parameters={"enabled": True}))
        await agent.carry_out(plan, consented=True)
        assert phone.state.power.saver


async def test_a_pause_lasts_over_a_restart_and_its_notice_is_there_once(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, house.signed_in() as client:
        (await client.post("/api/pause", json={"until_tomorrow": True})).raise_for_status()
        await house.until(lambda: len(notices(house)) == 1)
    assert notices(house) == [], "a daemon that has ended leaves no notice"
    async with monitored(tmp_path, adb_server, phone, on_phone=True, language=Language.ZH) as house:
        await house.until(lambda: len(notices(house)) == 1)
        assert "暂停" in notices(house)[0]


@pytest.mark.parametrize("length", [{"minutes": 0}, {"minutes": 1e9}, {"minutes": "soon"}])
async def test_a_length_that_is_none_is_refused(house: House, length: dict[str, object]) -> None:
    async with house.signed_in() as client:
        assert (await client.post("/api/pause", json=length)).is_client_error
        assert not (await client.get("/api/pause")).json()["paused"]


async def test_the_page_on_the_phone_pauses_too(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> None:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, on_the_phone(house):
        house.phone.state.battery.set(level=15, charger="none")
        page, _, token = (await tap(house)).partition("/#")
        headers = {"Origin": page, "X-Heed-Token": token}
        async with httpx.AsyncClient(base_url=page, headers=headers, trust_env=False, timeout=30) as browser:
            assert "paused until" in (await browser.post("/consent/pause", json={})).json()["text"]
            refused = await browser.post("/consent/pause", json={}, headers={"X-Heed-Token": "guessed"})
            assert refused.status_code == 409
        assert house.runtime.stores.pauses.current(house.phone.state.clock.wall()) is not None


async def test_the_header_shows_the_pause_and_ends_it(house: House) -> None:
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_text("Pause heed").click()
        await page.get_by_role("button", name="For an hour").click()
        await expect(page.get_by_text(re.compile(r"heed is paused until \d\d:\d\d"))).to_be_visible()
        await page.get_by_role("button", name="Resume heed").click()
        await expect(page.get_by_text("Pause heed")).to_be_visible()
        assert house.runtime.stores.pauses.current(house.phone.state.clock.wall()) is None
