"""The console draws a view anew without losing a press and without showing what is out of date."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House
from tests.phones import START

expect.set_options(timeout=60_000)

PRESSED = "#situation-new_number"
CHANGED = "#situation-low_battery"

Act = Callable[[Page], Awaitable[None]]


@pytest_asyncio.fixture
async def page(house: House) -> AsyncIterator[Page]:
    """The switches of the situations. The clock of the page stands still, so that no slow machine ends a press."""
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Situations").click()
        for drawn in (PRESSED, "#quiet", "#look button"):
            await expect(page.locator(drawn)).to_be_visible()
        await page.clock.install(time=START)
        await page.clock.pause_at(START + timedelta(hours=1))
        yield page


async def is_on(page: Page, switch: str, on: bool) -> None:
    await expect(page.locator(switch)).to_have_attribute("aria-checked", str(on).lower())


async def switched_off_elsewhere(house: House) -> None:
    """Another client switches a situation off, and the page has had time to draw it."""
    async with house.signed_in() as client:
        (await client.post("/api/situations/low_battery", json={"on": False})).raise_for_status()
    await asyncio.sleep(0.5)


async def pointer_down(page: Page) -> None:
    await page.locator(PRESSED).hover()
    await page.mouse.down()


async def pointer_up(page: Page) -> None:
    await page.mouse.up()


async def key_down(page: Page) -> None:
    await page.locator(PRESSED).focus()
    await page.keyboard.down("Space")


async def key_up(page: Page) -> None:
    await page.keyboard.up("Space")


@pytest.mark.parametrize(("press", "release"), [(pointer_down, pointer_up), (key_down, key_up)])
async def test_a_press_counts_when_something_else_changes_before_its_release(
    house: House, page: Page, press: Act, release: Act
) -> None:
    await press(page)
    await switched_off_elsewhere(house)
    await is_on(page, CHANGED, True)
    await release(page)
    await page.clock.resume()
    await is_on(page, PRESSED, False)
    await is_on(page, CHANGED, False)


async def test_a_press_without_an_end_holds_the_page_for_some_seconds_only(house: House, page: Page) -> None:
    await pointer_down(page)
    await switched_off_elsewhere(house)
    await is_on(page, CHANGED, True)
    await page.clock.fast_forward(10_000)
    await is_on(page, CHANGED, False)


async def test_what_was_read_late_does_not_replace_what_was_read_after_it(house: House, page: Page) -> None:
    is_late = asyncio.Event()

    async def late(route: Route) -> None:
        await is_late.wait()
        await route.continue_()

    await page.get_by_role("link", name="Timeline").click()
    await page.clock.resume()
    await expect(page.locator(PRESSED)).to_have_count(0)
    await page.route("**/api/taught", late, times=1)
    async with page.expect_response(lambda answer: "/api/learnt" in answer.url):
        await page.get_by_role("link", name="Situations").click()
    await switched_off_elsewhere(house)
    await is_on(page, CHANGED, False)
    is_late.set()
    await asyncio.sleep(0.5)
    await is_on(page, CHANGED, False)
