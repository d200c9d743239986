"""The console as a person uses it: a real headless browser, a real daemon, the real adb server, the virtual phone."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from android_bridge.adb import AdbServer
from heed.language import Language
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.agent.console.phone_browser import on_the_phone, tap
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.scenario import FOLDER

expect.set_options(timeout=60_000)
QUIET_WHEN_LOW = """
situations:
  - id: quiet_when_low
    about: {en: "Battery low", zh: "电量低"}
    scenario: Device & System
    confidence: 0.9
    when: [battery_level]
    all:
      - {data: level, at_most: 20, as: level}
    calls:
      - {name: set_do_not_disturb, parameters: {mode: priority, duration_minutes: 60}}
    because: {en: "The battery is at ${level} %", zh: "电量只剩${level}%"}
"""
BOB = ("+86 150 2233 4455", "hi, this is Bob, my new number")


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


def low_battery(house: House) -> None:
    house.phone.state.battery.set(level=15, charger="none")


async def picture(page: Page) -> bytes:
    """The phone's screen as the page shows it."""
    await expect(page.locator("#screen")).to_be_visible()
    return await page.locator("#screen").screenshot()


async def other_picture(page: Page, than: bytes) -> bytes:
    """The phone's screen, once it looks different."""
    async with asyncio.timeout(60):
        while (now := await picture(page)) == than:
            await page.wait_for_timeout(100)
        return now


async def test_a_suggestion_is_allowed_seen_undone_and_the_next_one_rejected(house: House, browser: Browser) -> None:
    state = house.phone.state
    state.apps.open("com.android.settings")
    async with opened(browser, house.console.link()) as page:
        await expect(page.get_by_role("heading", name="All quiet")).to_be_visible()
        assert "#" not in page.url
        before = await picture(page)

        low_battery(house)
        card = page.get_by_role("article", name=re.compile("turn on battery saver"))
        await expect(card.first).to_be_visible()
        low = await other_picture(page, before)
        await page.get_by_role("button", name="Allow once").click()
        done = page.locator(".entry[data-decision=ask]").first
        await expect(done.get_by_role("heading")).to_have_text("Battery saver is on")
        assert state.power.saver
        on = await other_picture(page, low)

        await done.get_by_role("button", name="Undo").click()
        await expect(done.get_by_role("heading")).to_have_text(re.compile(r"Battery saver is on · undone \d\d:\d\d"))
        assert not state.power.saver
        await other_picture(page, on)

        state.messages.receive(*BOB)
        await expect(page.get_by_role("heading", name=re.compile("Bob"), level=2)).to_be_visible()
        await expect(page.locator(".foreign")).to_contain_text("others wrote")
        await expect(page.get_by_role("button", name="Always allow")).to_have_count(0)
        await page.get_by_role("button", name="Not now").click()
        await expect(page.get_by_role("heading", name="All quiet")).to_be_visible()
        contacts = state.to_json()["contacts"]

        state.messages.receive(*BOB)
        await expect(page.get_by_text(re.compile("you said no to this"))).to_be_visible()
        await expect(page.locator(".question")).to_have_count(0)
        assert state.to_json()["contacts"] == contacts


async def test_the_page_works_with_the_keyboard_alone_and_speaks_to_screen_readers(
    house: House, browser: Browser
) -> None:
    async with opened(browser, house.console.link()) as page:
        await expect(page.locator("#screen")).to_be_visible()
        low_battery(house)
        await expect(page.get_by_role("status").first).to_contain_text("heed asks: The battery is at 15 %")
        for _ in range(30):
            await page.keyboard.press("Tab")
            if await page.evaluate("document.activeElement.dataset.answer") == "not_now":
                break
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Not now · in the console")).to_be_visible()
        assert not house.phone.state.power.saver
        for name in ("navigation", "main", "complementary"):
            assert await page.get_by_role(name).count() >= 1
        unnamed = await page.evaluate(
            "[...document.querySelectorAll('button, a, img:not([hidden])')]"
            ".filter(one => !(one.textContent || one.alt || one.getAttribute('aria-label'))).length"
        )
        assert unnamed == 0


async def test_grants_and_cool_downs_are_listed_and_taken_back(house: House, browser: Browser) -> None:
    stores = house.runtime.stores
    async with opened(browser, house.console.link()) as page:
        low_battery(house)
        await page.get_by_role("button", name="Always allow").click()
        await house.until(stores.grants.entries)
        await expect(page.get_by_role("button", name="Never")).to_have_count(0)  # the answered card is gone
        house.phone.state.messages.receive(*BOB)
        await page.get_by_role("button", name="Never").click()
        await page.get_by_role("link", name="Remembered").click()
        await expect(page.get_by_text("never again").first).to_be_visible()
        await page.get_by_role("button", name="Ask me again").click()
        await expect(page.get_by_text("heed always asks")).to_be_visible()
        lift = page.get_by_role("button", name="Allow suggestions")
        for left in reversed(range(await lift.count())):
            await lift.first.click()
            await expect(lift).to_have_count(left)
        await expect(page.get_by_text("No suggestion is in its cool-down.")).to_be_visible()
        assert (stores.grants.entries(), stores.cool_downs.entries()) == ([], [])


async def test_always_is_widened_by_a_named_field_with_the_keyboard_and_listed_with_it(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    rules = tmp_path / "situations.yaml"
    rules.write_text(QUIET_WHEN_LOW, "utf-8")
    async with (
        monitored(
            tmp_path, adb_server, phone, situations=frozenset({"quiet_when_low"}), situation_files=(rules,)
        ) as house,
        opened(browser, house.console.link()) as page,
    ):
        low_battery(house)
        wider = page.get_by_role("group", name="covers exactly these values")
        box = wider.get_by_role("checkbox", name="any duration (not only 1 hour)")
        await expect(box).not_to_be_checked()
        await box.focus()
        await page.keyboard.press("Space")
        await page.get_by_role("button", name="Always allow").focus()
        await page.keyboard.press("Enter")
        await house.until(house.runtime.stores.grants.entries)
        ((granted,),) = [one.scope.steps for one in house.runtime.stores.grants.entries()]
        assert granted.widened == ("duration_minutes",)
        await page.get_by_role("link", name="Remembered").click()
        await expect(page.locator("#view")).to_contain_text("mode: chosen people only; duration: any duration")


async def test_details_show_the_proof_the_frames_and_what_would_be_decided_again(
    house: House, browser: Browser
) -> None:
    async with opened(browser, house.console.link()) as page:
        low_battery(house)
        await page.get_by_role("button", name="Allow once").click()
        entry = page.locator(".entry[data-decision=ask]")
        await expect(entry.get_by_role("button", name="Undo")).to_be_visible()
        await entry.get_by_text("Details").click()
        await expect(entry.get_by_text("cmd power set-mode 1").first).to_be_visible()
        await expect(entry.locator("img.frame").first).to_be_visible()
        await entry.get_by_role("button", name="Decide again").click()
        await expect(entry.get_by_role("status")).to_contain_text("shall I turn on battery saver?")


async def test_markup_in_what_others_wrote_is_shown_as_text_and_secrets_are_marked(
    house: House, browser: Browser
) -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script> your verification code is 482913"
    async with opened(browser, house.console.link()) as page:
        house.phone.state.messages.receive("<b>Mallory</b>", evil)
        await page.locator(".silences").first.click()
        await expect(page.locator(".entry").first).to_contain_text("<img src=x onerror=alert(1)>")
        await page.get_by_role("link", name="What heed sees").click()
        await expect(page.locator("#view")).to_contain_text("<script>alert(2)</script>")
        await expect(page.locator("mark").first).to_have_text("[code]")
        assert "482913" not in await page.content()
        assert await page.locator("#view img[src=x], #view script, #view b").count() == 0


async def test_a_link_signs_one_browser_in_with_its_tabs_and_bookmarks(house: House, browser: Browser) -> None:
    link = house.console.link()
    async with opened(browser, link) as page:
        await expect(page.locator("#screen")).to_be_visible()
        await page.reload()
        await expect(page.locator("#screen")).to_be_visible()
        second = await page.context.new_page()
        await second.goto(f"{house.address}/#/statistics")
        await expect(second.locator("nav a[aria-current]")).to_have_attribute("href", "#/statistics")
        await second.goto(link)
        await expect(second.locator("#screen")).to_be_visible()
        async with opened(browser, link) as other:
            await expect(other.get_by_text("Run “heed console”")).to_be_visible()


async def test_it_fits_a_phones_width_and_speaks_chinese(
    tmp_path: Path, adb_server: AdbServer, browser: Browser
) -> None:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    async with (
        monitored(tmp_path, adb_server, VirtualPhone(state), language=Language.ZH) as house,
        opened(browser, house.console.link(), width=360, height=740) as page,
    ):
        low_battery(house)
        await expect(page.get_by_role("button", name="允许一次")).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == "zh"
        for view in ("statistics", "sees", "habits", "situations", "memory", "settings", "timeline"):
            await page.goto(f"{house.address}/#/{view}")
            await expect(page.locator("nav a[aria-current]")).to_have_attribute("href", f"#/{view}")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_phones_own_page_answers_undoes_nothing_unasked_and_then_is_over(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, on_the_phone(house):
        low_battery(house)
        address = await tap(house)
        async with opened(browser, address, width=360, height=740) as page:
            await expect(page.get_by_role("heading", name=re.compile("battery saver"))).to_be_visible()
            await page.reload()
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            await page.get_by_role("button", name="Allow once").click()
            await expect(page.get_by_role("heading", name="Allow once · on the phone")).to_be_visible()
            await house.until(lambda: phone.state.power.saver)
        async with house.signed_in() as client:
            await client.post("/api/actions/1/undo", json={})
        assert not phone.state.power.saver

        phone.state.messages.receive(*BOB)
        async with opened(browser, await tap(house), width=360, height=740) as page:
            await page.get_by_role("button", name="Not now").click()
            await expect(page.get_by_text("You can close this page.")).to_be_visible()
        phone.state.messages.receive(*BOB)
        await house.until(lambda: "cool_down" in house.decisions())


async def test_a_habit_counts_from_the_moment_it_is_switched_on_and_not_before(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    log = FOLDER / "demo.jsonl"
    async with (
        monitored(tmp_path, adb_server, phone, log=log, situations=frozenset()) as house,
        opened(browser, house.console.link()) as page,
    ):
        await page.get_by_role("link", name="Habits").click()
        on = page.get_by_role("switch", checked=True)
        await expect(on.first).to_be_visible()
        for left in reversed(range(await on.count())):
            await on.first.click()
            await expect(on).to_have_count(left)
        low_battery(house)
        await house.decided(1)
        assert house.decisions()[-1] == "no_recommendation"
        on_a_low_battery = (
            page.get_by_role("article").filter(has_text="turn on battery saver").filter(has_text="Done 9")
        )
        await on_a_low_battery.get_by_role("switch").click()
        await expect(on).to_have_count(1)
        house.phone.state.battery.set(level=14, charger="none")
        await expect(page.get_by_role("button", name="Allow once")).to_be_visible()


async def test_a_situation_is_switched_with_the_keyboard_alone_and_the_focus_stays(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    async with (
        monitored(tmp_path, adb_server, phone, situations=frozenset()) as house,
        opened(browser, house.console.link()) as page,
    ):
        await page.get_by_role("link", name="Situations").press("Enter")
        switch = page.get_by_role("switch", name="Battery low")
        await expect(switch).not_to_be_checked()
        await switch.press("Enter")
        await expect(switch).to_be_checked()
        await expect(switch).to_be_focused()
        low_battery(house)
        await expect(page.get_by_role("button", name="Allow once")).to_be_visible()
