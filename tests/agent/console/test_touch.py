"""Touches of the owner on the live screen: sent, recorded as the owner's, and refused where nobody may look."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from agent.loop.owner_touch import ScreenTouch
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House

expect.set_options(timeout=60_000)
TAP: dict[str, Any] = {"from_x": 0.5, "from_y": 0.5, "to_x": 0.5, "to_y": 0.5, "milliseconds": 40}


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


@pytest.mark.parametrize(
    ("changes", "command"),
    [
        ({}, "input tap 500 1000"),
        ({"milliseconds": 700}, "input swipe 500 1000 500 1000 700"),
        ({"to_y": 0.1, "milliseconds": 200}, "input swipe 500 1000 500 200 200"),
        ({"from_x": 1.0, "from_y": 1.0, "to_x": 1.0, "to_y": 1.0}, "input tap 999 1999"),
    ],
)
def test_a_touch_is_a_tap_a_long_press_or_a_swipe(changes: dict[str, Any], command: str) -> None:
    assert ScreenTouch(**{**TAP, **changes}).command(1000, 2000) == command


async def touch(client: httpx.AsyncClient, house: House, **changes: Any) -> httpx.Response:
    return await client.post(f"/api/screen/{house.serial}/touch", json={**TAP, **changes})


async def test_a_swipe_up_on_the_page_reaches_the_phone_and_is_the_owners_own(house: House, browser: Browser) -> None:
    state = house.phone.state
    async with opened(browser, house.console.link()) as page:
        screen = page.locator("#screen")
        await expect(screen).to_be_visible()
        box = await screen.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.02
        # Nothing is sent before touching is switched on.
        await page.mouse.click(x, y)
        await page.get_by_role("button", name="Touch the screen").click()
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x, y + box["height"] / 2, steps=5)
        await page.mouse.up()
        await house.until(lambda: state.panel)
        await expect(page.get_by_text("You touched the phone's screen here")).to_be_visible()
    assert house.runtime.stores.touches.count() == 1
    assert not [one for entry in house.runtime.stores.journal.timeline(100) for one in entry.actions]


async def test_the_keyboard_alone_touches_the_screen(house: House, browser: Browser) -> None:
    async with opened(browser, house.console.link()) as page:
        await expect(page.locator("#screen")).to_be_visible()
        await page.get_by_role("button", name="Touch the screen").press("Enter")
        place = page.get_by_role("application")
        await place.focus()
        await place.press("ArrowDown")
        await expect(page.locator("#finger")).to_be_visible()
        await place.press("Enter")
        await house.until(house.runtime.stores.touches.count)


async def test_nothing_is_touched_while_the_screen_may_not_be_shown(house: House) -> None:
    state = house.phone.state
    async with house.signed_in() as client:
        state.power.sleep()
        refused = await touch(client, house)
        assert refused.status_code == 503
        assert "off" in refused.json()["error"]
        state.power.wake()
        if state.power.locked:
            assert "locked" in (await touch(client, house)).json()["error"]
    assert house.runtime.stores.touches.count() == 0


@pytest.mark.parametrize("changes", [{"from_x": 1.01}, {"to_y": -0.1}, {"milliseconds": 60_000}, {"from_x": "$(id)"}])
async def test_a_touch_outside_the_screen_or_without_end_is_refused(house: House, changes: dict[str, Any]) -> None:
    async with house.signed_in() as client:
        assert (await touch(client, house, **changes)).status_code == 422
        assert (await client.post("/api/screen/other/touch", json=TAP)).status_code == 404
    assert house.runtime.stores.touches.count() == 0


async def test_without_a_session_nothing_is_touched(house: House) -> None:
    async with house.client() as client:
        assert (await touch(client, house)).status_code == 401
    assert house.runtime.stores.touches.count() == 0


def test_where_the_owner_touched_is_not_stored(tmp_path: Path) -> None:
    from agent.journal import stores_in
    from tests.agent.make import NOON

    with stores_in(tmp_path / "journal.sqlite3") as stores:
        stores.touches.record("phone", "serial", NOON, "tap")
        columns = [row["name"] for row in stores.journal._db.execute("PRAGMA table_info(owner_touch)")]
    assert columns == ["id", "at", "elapsed", "serial", "phone", "kind"]
