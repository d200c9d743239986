"""Runs on an app's screen as the owner sees them: the second question with its picture, and the steps of a model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import expect

from agent.consent.request import Answer
from agent.journal import TimelineEntry
from android_bridge.adb import AdbServer
from executors.config import ExecutorsConfig, LastButtonRule, ModelStepsConfig
from models.config import OpenAIConfig
from tests.agent.command import heed
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.executors.proposals.scripted import FINISH, ScriptedModel, tap
from virtual_phone import VirtualPhone

ASKING = ExecutorsConfig(last_button=LastButtonRule.ASK)
TEXT = "send a text message to Alice Chen saying On my way"


@asynccontextmanager
async def texting(home: Path, server: AdbServer, phone: VirtualPhone, **more: Any) -> AsyncIterator[House]:
    async with monitored(home, server, phone, situations=frozenset(), executors=ASKING, **more) as house:
        yield house


def sent(phone: VirtualPhone) -> list[str]:
    return [
        message.body for message in phone.state.messages.stored if message.kind == 2 and message.body == "On my way"
    ]


def asked_about(house: House) -> TimelineEntry:
    """The one decision that the owner was asked about."""
    (entry,) = [entry for entry in house.runtime.stores.journal.timeline(50) if entry.plan is not None]
    return entry


async def asked_again(house: House, client: httpx.AsyncClient) -> dict[str, Any]:
    """The question about the last button, once the page shows it."""
    async with asyncio.timeout(60):
        while True:
            question = await house.question(client)
            if question["has_screen"]:
                return question
            await asyncio.sleep(0.02)


async def test_a_last_button_is_asked_about_with_its_picture_and_pressed_after_a_yes(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with texting(tmp_path, adb_server, phone) as house, house.signed_in() as client, house.client() as stranger:
        done = asyncio.create_task(client.post("/api/request", json={"text": TEXT}))
        first = await house.answer(client, "once")
        assert not first["has_screen"]
        question = await asked_again(house, client)
        assert (question["may_always"], question["plan_id"] != first["plan_id"]) == (False, True)
        assert "Presses “Send” in Messages now" in question["steps"][0]["effects"][0]
        address = f"/api/plans/{question['plan_id']}/screen"
        picture = await client.get(address)
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
        assert (await stranger.get(address)).status_code in (401, 403)
        assert sent(phone) == []
        wrong = {"plan_hash": first["plan_hash"], "answer": "once"}
        assert (await client.post(f"/api/questions/{question['plan_id']}", json=wrong)).status_code == 409
        await house.answer(client, "once")
        assert (await done).status_code == 200
        assert sent(phone) == ["On my way"]
        entry = asked_about(house)
        assert [record.answer for record in (entry.plan, *entry.within) if record] == [Answer.ONCE, Answer.ONCE]
        detail = (await client.get(f"/api/journal/{entry.decision.id}")).json()
        (within,) = detail["entry"]["within"]
        assert within["note"] == "once"
        assert (await client.get(f"/api/journal/{entry.decision.id}/frames/{within['sha256']}")).status_code == 200
        kept = list((tmp_path / "frames").rglob(f"{within['sha256']}.jpg"))
        assert kept
        (await client.post(f"/api/journal/{entry.decision.id}/forget")).raise_for_status()
        # Another moment may have seen the same screen.
        assert kept[0].exists() is house.runtime.stores.journal.holds_frame(within["sha256"])


@pytest.mark.parametrize("answer", ["not_now", "no answer"])
async def test_without_a_yes_it_is_left_to_the_owner_and_is_no_rejection_of_the_suggestion(
    answer: str, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    timeout = 8.0 if answer == "no answer" else 120.0
    async with texting(tmp_path, adb_server, phone, timeout=timeout) as house, house.signed_in() as client:
        done = asyncio.create_task(client.post("/api/request", json={"text": TEXT}))
        await house.answer(client, "once")
        await asked_again(house, client)
        if answer == "not_now":
            await house.answer(client, "not_now")
        assert (await done).status_code == 200
        assert sent(phone) == []
        assert house.runtime.stores.cool_downs.entries() == []
        entry = asked_about(house)
        assert [action.outcome.kind for action in entry.actions if action.outcome] == ["handed_over"]


async def test_the_page_shows_the_screen_that_is_asked_about(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with (
        texting(tmp_path, adb_server, phone) as house,
        house.signed_in() as client,
        browsing() as browser,
        opened(browser, house.console.link()) as page,
    ):
        done = asyncio.create_task(client.post("/api/request", json={"text": TEXT}))
        await house.answer(client, "once")
        await asked_again(house, client)
        await expect(page.locator("img.asked")).to_be_visible()
        await page.locator("button[data-answer=once]").click()
        await done
    assert sent(phone) == ["On my way"]


async def test_the_steps_of_a_model_are_in_the_journal_with_their_pictures(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with ScriptedModel((tap("Noodle"), tap("One more Beef"), FINISH)).serving() as script:
        server = OpenAIConfig(base_url=f"http://127.0.0.1:{script.port}/v1", model="scripted")
        executors = ExecutorsConfig(recipes=False, model_steps=ModelStepsConfig(model="openai"))
        async with (
            monitored(
                tmp_path, adb_server, phone, situations=frozenset(), executors=executors, server_model=server
            ) as house,
            house.signed_in() as client,
        ):
            text = {"text": "order Beef noodles on Meituan"}
            done = asyncio.create_task(client.post("/api/request", json=text))
            question = await house.answer(client, "once")
            assert not question["may_always"]
            assert "are sent there" in " ".join(question["steps"][0]["effects"])
            assert (await done).status_code == 200
            entry = asked_about(house)
            detail = (await client.get(f"/api/journal/{entry.decision.id}")).json()
            run = detail["entry"]["actions"][0]["run"]
            assert [step["text"] for step in run][:2] == ["Tapped “Noodle House”.", "Tapped “One more Beef noodles”."]
            for step in run:
                picture = await client.get(f"/api/journal/{entry.decision.id}/frames/{step['sha256']}")
                assert picture.headers["content-type"] == "image/jpeg"
            journal = str(tmp_path / "journal.sqlite3")
            shown = await heed("journal", str(entry.decision.id), HEED_JOURNAL__PATH=journal, COLUMNS="300")
    assert "1. Tapped “Noodle House”." in shown.out
    assert ".jpg" in shown.out
