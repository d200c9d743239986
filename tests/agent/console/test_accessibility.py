"""axe-core finds nothing on any page of the console, in both languages, light and dark, at three widths."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from android_bridge.adb import AdbServer
from heed.language import Language
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.agent.console.phone_browser import on_the_phone, tap
from virtual_phone import VirtualPhone

expect.set_options(timeout=60_000)
VIEWS = ("timeline", "statistics", "habits", "situations", "memory", "sees", "settings")
WIDTHS = (390, 768, 1280)
LOOKS: tuple[tuple[Language, Any], ...] = ((Language.EN, "light"), (Language.ZH, "dark"))


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


async def faults(page: Page) -> list[str]:
    """What axe finds on the page, one line each."""
    found = await Axe().run(page)
    return [f"{one['id']}: {node['html'][:120]}" for one in found.response["violations"] for node in one["nodes"]]


async def open_everything(page: Page) -> None:
    """Open every part that opens, and wait until it is read."""
    while await (closed := page.locator("#view details:not([open]) > summary")).count():
        await closed.first.click()
    await page.wait_for_timeout(300)


async def lived(house: House) -> None:
    """A phone on which something was allowed, something was silent, and something is being asked."""
    async with house.signed_in() as client:
        house.phone.state.battery.set(level=15, charger="none")
        await house.answer(client, "always")
        await house.until(lambda: house.phone.state.power.saver)
        house.phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")
        await house.question(client)


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
async def test_axe_finds_nothing_on_any_page(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser, language: Language, scheme: Any
) -> None:
    async with monitored(tmp_path, adb_server, phone, language=language) as house:
        await lived(house)
        async with opened(browser, house.console.link()) as page:
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            await expect(page.locator("#screen")).to_be_visible()
            for view in VIEWS:
                await page.goto(f"{house.address}/#/{view}")
                await expect(page.locator("nav a[aria-current]")).to_have_attribute("href", f"#/{view}")
                await expect(page.locator("#view > .view > *").first).to_be_visible()
                await open_everything(page)
                for width in WIDTHS:
                    await page.set_viewport_size({"width": width, "height": 900})
                    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (view, width)
                    assert await faults(page) == [], (view, width)


async def test_axe_finds_nothing_on_the_phones_page_nor_on_that_of_a_stranger(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, on_the_phone(house):
        async with opened(browser, house.address) as page:
            await expect(page.get_by_role("heading", name="This page needs a link")).to_be_visible()
            assert await faults(page) == []
        phone.state.battery.set(level=15, charger="none")
        async with opened(browser, await tap(house), width=390, height=844) as page:
            await expect(page.get_by_role("button", name="Allow once")).to_be_visible()
            # The card has arrived.
            await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
            assert await faults(page) == []
