"""``heed do`` as a person runs it, and requests in the console, on a virtual phone behind the real adb server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from httpx import AsyncClient
from playwright.async_api import expect

from agent.consent.clarification import Clarification, ClarificationReply, clarify_first
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.journal import stores_in
from agent.policy.verdict import Rule
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.agent.command import heed, says_one_sentence, write_config
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from tests.agent.make import NOON
from tests.agent.test_terminal import Keyboard, channel, keyboard
from virtual_phone import VirtualPhone

__all__ = ["keyboard"]

QUESTION = Clarification(
    id="q1",
    request="message Bob hello",
    question="app name: chat app?",
    choices=("WeChat", "WhatsApp"),
    may_remember=True,
)


async def test_a_dry_run_shows_what_was_understood_and_changes_nothing(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    ended = await heed("do", "turn on", "power saving", "--dry-run", "--json", port=adb_server.port)
    assert ended.code == 0, ended.err
    [call] = ended.data["read"]["calls"]
    assert call["name"] == "set_power_saving_mode"
    assert call["parameters"] == {"enabled": True}
    assert ended.data["planned"]["plan"]["steps"]
    assert not phone.state.power.saver


async def test_a_dry_run_shows_the_question_that_would_be_asked(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    ended = await heed("do", "set up a wake up alarm", "--dry-run", port=adb_server.port)
    assert ended.code == 0, ended.err
    assert "heed would ask: 24-hour clock time HH:MM?" in ended.out


async def test_what_no_function_serves_is_said_and_not_guessed(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    ended = await heed("do", "write my essay", port=adb_server.port)
    assert ended.code == 1
    assert "heed cannot do that" in ended.err
    assert says_one_sentence(ended)


async def test_without_a_terminal_nothing_is_done_and_nothing_is_taken_for_consent(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    done = await heed("do", "turn on power saving", port=adb_server.port)
    assert done.code == 4
    open_question = await heed("do", "set up a wake up alarm", port=adb_server.port)
    assert open_question.code == 4
    assert "Nobody answered" in open_question.err
    assert not phone.state.power.saver


# --- the questions ---------------------------------------------------------------------------------------------------


class Silent:
    """A channel that shows consent requests and cannot ask for an argument."""

    name = ChannelName.PHONE

    async def ask(self, request: ConsentRequest) -> Answer:
        return Answer.ONCE


async def test_a_number_on_the_terminal_chooses_and_the_answer_can_be_remembered(keyboard: Keyboard) -> None:
    asking = asyncio.create_task(channel(keyboard).clarify(QUESTION))
    await asyncio.sleep(0)
    keyboard.type("2\ny\n")
    assert await asking == ClarificationReply(words="WhatsApp", remember=True)


async def test_words_on_the_terminal_are_an_answer_too(keyboard: Keyboard) -> None:
    asking = asyncio.create_task(channel(keyboard).clarify(QUESTION))
    await asyncio.sleep(0)
    keyboard.type("Signal\n\n")
    assert await asking == ClarificationReply(words="Signal", remember=False)


async def test_an_empty_line_on_the_terminal_leaves_the_question_open(keyboard: Keyboard) -> None:
    asking = asyncio.create_task(channel(keyboard).clarify(QUESTION))
    await asyncio.sleep(0)
    keyboard.type("\n")
    assert await asking == ClarificationReply(words="")


async def test_a_channel_that_cannot_ask_for_an_argument_is_left_out(keyboard: Keyboard) -> None:
    assert await clarify_first([Silent()], QUESTION, timeout=60) is None


async def test_a_question_that_nobody_answers_ends(keyboard: Keyboard) -> None:
    assert await clarify_first([channel(keyboard)], QUESTION, timeout=0.01) is None


# --- in the console --------------------------------------------------------------------------------------------------


async def shown(client: AsyncClient) -> dict[str, Any]:
    """The question about a request that the page shows, once it does."""
    async with asyncio.timeout(60):
        while not (open_ones := (await client.get("/api/clarifications")).json()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return dict(open_ones[0])


@pytest_asyncio.fixture
async def house(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> AsyncIterator[House]:
    phone.state.battery.set(level=60, charger="none")
    async with monitored(tmp_path, adb_server, phone, situations=frozenset()) as house:
        yield house


async def test_a_request_in_the_console_is_carried_out_after_the_usual_consent(house: House) -> None:
    async with house.signed_in() as client:
        asked = asyncio.create_task(client.post("/api/request", json={"text": "turn on power saving"}))
        question = await house.question(client)
        assert not house.phone.state.power.saver
        assert question["steps"][0]["function"] == "set_power_saving_mode"
        await house.answer(client, "once")
        done = await asked
        assert done.status_code == 200
        assert len(done.json()) == 1
        assert house.phone.state.power.saver
    assert house.decisions() == [Rule.BY_HAND]


async def test_the_command_goes_through_the_daemon_and_is_answered_in_its_console(house: House) -> None:
    async with house.signed_in() as client:
        running = asyncio.create_task(heed("do", "turn on power saving", "--json"))
        await house.answer(client, "once")
        ended = await running
    assert ended.code == 0, ended.err
    assert [outcome["kind"] for outcome in ended.data] == ["verified"]
    assert house.phone.state.power.saver


async def test_a_declined_request_changes_nothing(house: House) -> None:
    async with house.signed_in() as client:
        asked = asyncio.create_task(client.post("/api/request", json={"text": "turn on power saving"}))
        await house.answer(client, "not_now")
        assert (await asked).json() == []
        assert not house.phone.state.power.saver


async def test_what_a_request_lacks_is_asked_once_and_remembered_if_the_owner_says_so(house: House) -> None:
    async with house.signed_in() as client:
        asked = asyncio.create_task(client.post("/api/request", json={"text": "open my shopping basket"}))
        question = await shown(client)
        assert "Taobao" in question["choices"]
        assert question["may_remember"]
        reply = {"words": "JD", "remember": True}
        (await client.post(f"/api/clarifications/{question['id']}", json=reply)).raise_for_status()
        again = await client.post(f"/api/clarifications/{question['id']}", json=reply)
        assert again.status_code == 409
        consent = await house.answer(client, "not_now")
        assert consent["steps"][0]["parameters"]["platform_info"] == "JD"
        await asked
    assert house.runtime.stores.preferences.get("check_shopping_order", "platform_info") == "JD"


async def test_a_request_that_no_function_serves_is_told_on_the_page(house: House) -> None:
    async with house.signed_in() as client:
        refused = await client.post("/api/request", json={"text": "write my essay"})
        assert refused.status_code == 400
        assert "heed cannot do that" in refused.json()["error"]


async def test_a_password_in_a_request_is_not_in_the_journal(house: House, tmp_path: Path) -> None:
    async with house.signed_in() as client:
        text = "connect to wifi HomeNet password abc12345"
        asked = asyncio.create_task(client.post("/api/request", json={"text": text}))
        question = await house.answer(client, "not_now")
        assert question["steps"][0]["function"] == "set_connectivity"
        await asked
    assert all(b"abc12345" not in file.read_bytes() for file in tmp_path.glob("journal.sqlite3*"))


async def test_the_box_of_the_page_asks_and_shows_what_was_done(house: House) -> None:
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_label("What should heed do?").fill("turn on power saving")
        await page.get_by_role("button", name="Do it").click()
        await page.locator("[data-answer=once]").click()
        await expect(page.locator("#request [role=status]")).not_to_have_text("Reading your request…", timeout=60_000)
        assert house.phone.state.power.saver


async def test_the_page_asks_for_what_a_request_lacks(house: House) -> None:
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_label("What should heed do?").fill("open my shopping basket")
        await page.get_by_role("button", name="Do it").click()
        await page.get_by_role("button", name="Amazon").click()
        await expect(page.locator("[data-answer=once]")).to_be_visible(timeout=60_000)
        await expect(page.locator("#clarifications article")).to_have_count(0)


# --- what is remembered ----------------------------------------------------------------------------------------------


async def test_forgetting_deletes_what_was_remembered(heed_home: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    write_config(heed_home, f'[journal]\npath = "{journal}"\n')
    with stores_in(journal) as stores:
        stores.preferences.set("transfer_money", "payee", "Alice", NOON)
        stores.preferences.set("send_instant_message", "app_name", "WhatsApp", NOON)
    assert (await heed("forget", "--person", "Alice", "--yes")).code == 0
    with stores_in(journal) as stores:
        assert stores.preferences.get("transfer_money", "payee") is None
        assert stores.preferences.get("send_instant_message", "app_name") == "WhatsApp"
