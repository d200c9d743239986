"""On a small screen, no answer can be given before all that will happen was on the screen."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from agent.consent.request import Answer, ConsentRequest, Reply, StepView
from android_bridge.adb import AdbServer
from function_pool.risk import Risk
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.agent.console.phone_browser import on_the_phone, tap
from virtual_phone import VirtualPhone

expect.set_options(timeout=60_000)
SIZES = [(320, 480), (390, 844)]
LAST = "Transfers 500 to Mallory"


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


@pytest_asyncio.fixture
async def house(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> AsyncIterator[House]:
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, on_the_phone(house):
        yield house


def request(serial: str, *, steps: int = 4, words: int = 40, undo: bool = True) -> ConsentRequest:
    """A question about harmless steps with long effects, of which the last one is another."""
    effects = [f"Turns on lamp {number} " + "in the living room " * words for number in range(steps - 1)]
    views = [
        StepView(
            function="f", parameters={}, third_party={}, effects=(effect,), undo=("Turns it off",) if undo else (),
            commands=(), risk=Risk.R1,
        )
        for effect in [*effects, LAST]
    ]  # fmt: skip
    return ConsentRequest(
        plan_id=77, plan_hash="h" * 64, serial=serial, sentence="Shall I turn on the light?", why="", evidence=(),
        steps=tuple(views), risk=Risk.R1, may_always=True,
    )  # fmt: skip


@asynccontextmanager
async def asked(house: House, channel: int, question: ConsentRequest) -> AsyncIterator[asyncio.Task[Answer | Reply]]:
    """The question on the console (0) or on the phone (1)."""
    asking = asyncio.create_task(house.console.channels[channel].ask(question))
    yield asking
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asking


async def enabled(page: Page) -> int:
    return await page.locator(".answers button:enabled").count()


async def pushed(page: Page) -> None:
    """Everything that a hasty person or a script tries."""
    for name in ("Allow once", "Always allow", "Not now", "Never"):
        await page.get_by_role("button", name=name).dispatch_event("click")
        await page.get_by_role("button", name=name).evaluate("button => button.click()")
    await page.keyboard.press("Enter")


async def read_all(page: Page) -> None:
    """Scroll as a person does, until the end."""
    await expect(page.get_by_text("Read to the end of what will happen")).to_have_count(1)
    for _ in range(80):
        if await enabled(page):
            return
        await page.mouse.wheel(0, 120)
        await page.wait_for_timeout(50)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("channel", [0, 1], ids=["console", "phone"])
async def test_no_button_works_before_every_effect_was_on_the_screen(
    house: House, browser: Browser, channel: int, width: int, height: int
) -> None:
    async with asked(house, channel, request(house.serial)) as asking:
        address = house.console.link() if channel == 0 else await tap(house)
        async with opened(browser, address, width=width, height=height) as page:
            await expect(page.get_by_role("heading", name="Shall I turn on the light?")).to_be_visible()
            await expect(page.locator(".answers button")).to_have_count(4)
            await page.wait_for_timeout(300)
            assert await enabled(page) == 0
            await pushed(page)
            assert not asking.done()
            # The end alone is not all.
            await page.get_by_text(LAST).scroll_into_view_if_needed()
            await page.wait_for_timeout(300)
            await pushed(page)
            assert not asking.done()
            await page.evaluate("scrollTo(0, 0)")
            await page.mouse.move(width / 2, height / 2)
            await read_all(page)
            await page.get_by_role("button", name="Allow once").click()
            assert answer_of(await asyncio.wait_for(asking, 60)) is Answer.ONCE


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_the_keyboard_alone_leads_through_every_effect(
    house: House, browser: Browser, width: int, height: int
) -> None:
    async with (
        asked(house, 1, request(house.serial)) as asking,
        opened(browser, await tap(house), width=width, height=height) as page,
    ):
        more = page.get_by_role("button", name="Show what follows")
        await expect(more).to_be_visible()
        said = ""
        for _ in range(12):
            if await enabled(page):
                break
            await more.press("Enter")
            # What has the focus is what a screen reader says.
            said += await page.evaluate("document.activeElement.textContent")
            await page.wait_for_timeout(200)
        assert "Turns on lamp 1" in said
        await expect(more).to_have_count(0)
        await page.get_by_role("button", name="Not now").press("Enter")
        assert answer_of(await asyncio.wait_for(asking, 60)) is Answer.NOT_NOW


def answer_of(reply: Answer | Reply) -> Answer:
    return reply.answer if isinstance(reply, Reply) else reply


@pytest.mark.parametrize("undo", [True, False])
async def test_a_question_that_is_on_the_screen_as_a_whole_can_be_answered_at_once(
    house: House, browser: Browser, undo: bool
) -> None:
    question = request(house.serial, steps=2, words=1, undo=undo)
    async with (
        asked(house, 1, question) as asking,
        opened(browser, await tap(house), width=390, height=844) as page,
    ):
        await page.get_by_role("button", name="Allow once").click()
        assert answer_of(await asyncio.wait_for(asking, 60)) is Answer.ONCE


async def test_after_an_answer_that_failed_the_buttons_work_again(house: House, browser: Browser) -> None:
    async with (
        asked(house, 1, request(house.serial, steps=2, words=1)) as asking,
        opened(browser, await tap(house), width=390, height=844) as page,
    ):
        await page.route("**/consent/answer", lambda route: route.abort(), times=1)
        await page.get_by_role("button", name="Allow once").click()
        await expect(page.get_by_role("alert")).not_to_be_empty()
        await page.get_by_role("button", name="Never").click()
        assert answer_of(await asyncio.wait_for(asking, 60)) is Answer.NEVER
