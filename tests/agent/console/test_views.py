"""The console's views over a day: search, looking now, forgetting, statistics, settings, and one time zone."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House

expect.set_options(timeout=60_000)


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


def low_battery(house: House) -> None:
    house.phone.state.battery.set(level=15, charger="none")


async def test_a_moment_is_forgotten_with_its_pictures_while_heed_runs(house: House) -> None:
    async with house.signed_in() as client:
        low_battery(house)
        question = await house.question(client)
        refused = await client.post("/api/journal/1/forget", json={})
        assert "asking about this now" in refused.json()["error"]
        body = {"plan_hash": question["plan_hash"], "answer": "not_now"}
        (await client.post(f"/api/questions/{question['plan_id']}", json=body)).raise_for_status()
        await house.decided(2)  # the battery, and the phone's own notification about it: the same screen, one picture
        frames = house.runtime.stores.journal.context(1).frames
        assert all(Path(frame.path).exists() for frame in frames)
        (await client.post("/api/journal/1/forget", json={})).raise_for_status()
        rows = (await client.get("/api/journal")).json()["rows"]
        assert [row for row in rows if row["kind"] == "entry"] == []
        (await client.post("/api/journal/2/forget", json={})).raise_for_status()
        assert not any(Path(frame.path).exists() for frame in frames)
        assert (await client.post("/api/journal/999/forget", json={})).is_client_error


async def test_it_takes_two_presses_to_forget_and_the_search_finds_what_is_left(house: House, browser: Browser) -> None:
    async with opened(browser, house.console.link()) as page:
        low_battery(house)
        await page.get_by_role("button", name="Not now").click()
        house.phone.state.messages.receive("+86 150 2233 4455", "the parcel is at the door")
        await house.decided(2)
        search = page.get_by_role("searchbox")
        await search.fill("PARCEL")
        await expect(page.locator(".entry")).to_have_count(1)
        await expect(page.locator(".entry")).to_contain_text("the parcel is at the door")
        await search.fill("no such words")
        await expect(page.get_by_text("Nothing in the timeline contains this.")).to_be_visible()
        await search.fill("")
        asked = page.locator(".entry[data-decision=ask]")
        await asked.get_by_text("Details").click()
        await asked.get_by_role("button", name="Forget this").click()
        drawn = await asked.element_handle()
        house.phone.state.messages.receive("+86 150 2233 4455", "it was left with the neighbour")
        await drawn.wait_for_element_state("hidden")  # the timeline was drawn anew
        await asked.get_by_role("button", name="Delete it for good").click()
        await expect(asked).to_have_count(0)
        await expect(page.locator(".silences")).to_have_count(1)


async def test_looking_now_asks_or_says_that_there_is_nothing(house: House, browser: Browser) -> None:
    async with opened(browser, house.console.link()) as page:
        look = page.get_by_role("button", name="Look now")
        await look.press("Enter")
        await expect(page.get_by_text("heed has just looked and has nothing to ask.").first).to_be_visible()
        await expect(look).to_be_enabled()


async def test_statistics_count_what_became_of_suggestions_as_plots_and_as_numbers(
    house: House, browser: Browser
) -> None:
    async with house.signed_in() as client:
        low_battery(house)
        await house.answer(client, "once")
        await house.until(lambda: house.phone.state.power.saver)
        counts = (await client.get("/api/statistics")).json()
        assert counts["total"]["accepted"] == 1
        assert len(counts["weeks"]) == 12
        hour = house.phone.state.clock.wall().hour
        assert counts["hours"][hour]["accepted"] == 1
        assert [one["name"] for one in counts["subjects"]] == ["Battery low, away from a charger"]
    async with opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Statistics").click()
        week = page.get_by_role("region", name="By week")
        await expect(week.locator("rect[data-ending=accepted]")).to_have_count(1)
        await week.get_by_text("Numbers").click()
        await expect(week.get_by_role("row").last).to_contain_text("1")


async def test_every_time_is_in_the_phones_zone(house: House) -> None:
    offset = house.phone.state.clock.wall().utcoffset()
    async with house.signed_in() as client:
        low_battery(house)
        await house.answer(client, "always")
        await house.until(lambda: house.phone.state.power.saver)
        (await client.post("/api/actions/1/undo", json={})).raise_for_status()
        house.phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")
        await house.answer(client, "not_now")
        await house.until(house.runtime.stores.cool_downs.entries)
        rows = (await client.get("/api/journal")).json()["rows"]
        remembered = (await client.get("/api/memory")).json()
    times = [row["at"] for row in rows] + [one["since"] for one in remembered["grants"]]
    times += [one["until"] for one in remembered["cool_downs"] if one["until"]]
    times += [action["undone_at"] for row in rows for action in row.get("actions", ()) if action["undone_at"]]
    assert len(times) >= 5
    assert {datetime.fromisoformat(time).utcoffset() for time in times} == {offset}


async def test_settings_name_the_file_and_mark_what_differs_from_the_default(house: House) -> None:
    async with house.signed_in() as client:
        settings = (await client.get("/api/settings")).json()
    assert settings["file"].endswith("config.toml")
    fields = {(part["name"], one["name"]): one for part in settings["sections"] for one in part["settings"]}
    assert fields["console", "phone"]["is_set"]
    assert not fields["policy", "per_day"]["is_set"]
