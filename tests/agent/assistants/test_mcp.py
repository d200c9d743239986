"""`heed mcp` end to end: the SDK's client, the command, a daemon, a person who answers, and a virtual phone."""

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.client import Client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from android_bridge.adb import AdbServer
from function_pool.spec import default_pool
from tests.agent.assistants.clients import TOKEN, over_http, over_stdio, served
from tests.agent.channels.asked import asked
from tests.agent.channels.drivers import TelegramDriver
from tests.agent.command import heed
from tests.agent.console.house import House
from virtual_phone import VirtualPhone

SAVER = ("set_power_saving_mode", {"enabled": True})


def said(result: CallToolResult) -> str:
    """The sentence of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def listed(house: House) -> list[tuple[str, str | None]]:
    """The rules and answers in the journal, newest first."""
    timeline = house.runtime.stores.journal.timeline(10)
    return [(entry.decision.rule, entry.plan.answer if entry.plan else None) for entry in timeline]


async def test_the_63_functions_are_tools_with_schemas_and_hints_by_their_risk(house: House) -> None:
    async with over_stdio() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == list(default_pool().functions)
    assert len(tools) == 63
    for name, tool in tools.items():
        Draft202012Validator.check_schema(tool.input_schema)
        hints, risk = tool.annotations, default_pool().get(name).risk
        assert hints is not None
        assert hints.read_only_hint is (risk == "R0")
        assert hints.destructive_hint is (risk not in ("R0", "R1"))


async def test_a_call_is_done_once_the_owner_allows_it(house: House) -> None:
    told: list[str | None] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with over_stdio() as client, house.signed_in() as page:
        calling = asyncio.create_task(client.call_tool(*SAVER, progress_callback=on_progress))
        question = await house.question(page)
        assert question["why"] == "The assistant Test assistant asks for it."
        assert question["is_influenced"] and not question["may_always"]
        await house.answer(page, "once")
        result = await calling
    assert not result.is_error, said(result)
    assert said(result) == "Battery saver is on."
    assert result.structured_content == {"answer": "once", "outcomes": ["verified"]}
    assert house.phone.state.power.saver
    assert told[0] == "The owner of the phone is being asked."
    assert listed(house) == [("by_assistant", "once")]
    (entry,) = house.runtime.stores.journal.timeline(1)
    assert house.runtime.stores.history.suggestions(entry.phone_id, timedelta(hours=1)) == 0


async def test_a_call_that_the_owner_declines_is_an_error_and_is_not_asked_again(house: House) -> None:
    async with over_stdio() as client, house.signed_in() as page:
        calling = asyncio.create_task(client.call_tool(*SAVER))
        await house.answer(page, "not_now")
        declined = await calling
        again = await client.call_tool(*SAVER)
    assert declined.is_error
    assert said(declined) == "The owner declined in the console (not now), so nothing was done. Do not ask again."
    assert again.is_error
    assert said(again).startswith("The owner was not asked: you said no to this")
    assert not house.phone.state.power.saver


async def test_nobody_answers_and_a_late_answer_does_nothing(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    driver = TelegramDriver(tmp_path)
    async with (
        driver.serving(),
        asked(tmp_path, adb_server, phone, driver.section(), timeout=1.5) as one,
        over_stdio() as client,
    ):
        await one.house.until(lambda: one.state_of("telegram") == "working")
        result = await client.call_tool(*SAVER)
        assert result.is_error
        assert said(result) == "Nobody answered in time, so nothing was done."
        await driver.press(driver.messages()[-1].buttons["once"])
        await one.house.until(lambda: any(text.startswith("This question is over.") for text in driver.said()))
        assert not phone.state.power.saver


async def test_the_owner_answers_in_telegram_what_an_assistant_asks(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    driver = TelegramDriver(tmp_path)
    async with (
        driver.serving(),
        asked(tmp_path, adb_server, phone, driver.section()) as one,
        one.house.signed_in() as page,
        over_stdio() as client,
    ):
        await one.house.until(lambda: one.state_of("telegram") == "working")
        calling = asyncio.create_task(client.call_tool(*SAVER))
        await one.house.until(driver.messages)
        message = driver.messages()[-1]
        assert "The assistant Test assistant asks for it." in message.text
        assert "always" not in message.buttons
        question = await one.house.question(page)
        await driver.press(message.buttons["once"])
        assert not (await calling).is_error
        body = {"plan_hash": question["plan_hash"], "answer": "never"}
        second = await page.post(f"/api/questions/{question['plan_id']}", json=body)
        assert second.status_code == 409, second.text
        assert one.answers == [("once", "telegram")]


async def test_a_second_question_of_an_assistant_waits_for_none(house: House) -> None:
    async with over_stdio() as client, house.signed_in() as page:
        first = asyncio.create_task(client.call_tool(*SAVER))
        await house.question(page)
        second = await client.call_tool("set_bluetooth", {"enabled": True})
        assert second.is_error
        assert "another call of an assistant" in said(second)
        await house.answer(page, "once")
        assert not (await first).is_error


async def test_wrong_arguments_and_unknown_tools_are_told_and_nobody_is_asked(house: House) -> None:
    async with over_stdio() as client:
        wrong = await client.call_tool("set_power_saving_mode", {"enabled": "perhaps"})
        assert wrong.is_error
        with pytest.raises(Exception, match="no tool called 'rm'"):
            await client.call_tool("rm", {})
    assert listed(house) == []


async def test_without_a_daemon_a_call_says_what_to_do(heed_home: Path) -> None:
    async with over_stdio() as client:
        result = await client.call_tool(*SAVER)
    assert result.is_error
    assert "`heed run`" in said(result)


async def test_the_context_is_read_without_what_others_wrote(house: House) -> None:
    house.phone.state.messages.receive("+86 150 2233 4455", "SECRET-OF-OTHERS for you")
    await house.decided(1)
    async with over_stdio() as client:
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        texts = [await read(client, uri) for uri in uris]
    assert uris[0] == "heed://context" and len(uris) == 5
    assert "SECRET-OF-OTHERS" not in "".join(texts)
    facts = json.loads(texts[0])["device"]["facts"]
    assert any(fact["name"] == "battery.level" for fact in facts)
    assert all(fact["trust"] != "third_party" for fact in facts)


@pytest.mark.parametrize(("texts", "parts"), [("full", 5), ("none", 0)])
async def test_the_owner_decides_what_assistants_read(
    house: House, texts: str, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_MCP__TEXTS", texts)
    house.phone.state.messages.receive("+86 150 2233 4455", "written by others")
    await house.decided(1)
    async with over_stdio() as client:
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        assert len(uris) == parts
        if parts:
            assert "written by others" in await read(client, "heed://context")
        else:
            with pytest.raises(Exception, match="no resource"):
                await read(client, "heed://context")


async def read(client: Client, uri: str) -> str:
    """The text of a resource."""
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


async def test_over_http_the_right_token_is_served_and_the_owner_asked_all_the_same(house: House) -> None:
    async with served() as address, over_http(address) as client, house.signed_in() as page:
        calling = asyncio.create_task(client.call_tool(*SAVER))
        await house.answer(page, "once")
        assert not (await calling).is_error
    assert house.phone.state.power.saver


async def test_over_http_a_wrong_token_and_none_learn_nothing(house: House) -> None:
    async with served() as address:
        async with httpx.AsyncClient(trust_env=False) as stranger:
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
                reply = await stranger.post(address, json={}, headers=headers)
                assert (reply.status_code, reply.content) == (401, b"")
        with pytest.raises(BaseException):  # noqa: B017 - a group of the SDK's own errors
            async with over_http(address, "wrong") as client:
                await client.list_tools()


async def test_a_page_in_a_browser_cannot_use_it(house: House) -> None:
    async with served() as address, httpx.AsyncClient(trust_env=False) as browser:
        reply = await browser.post(
            address,
            json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
            headers={"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"},
        )
        assert reply.status_code == 403


async def test_http_without_a_token_is_refused() -> None:
    ended = await heed("mcp", "--http")
    assert ended.code == 2
    assert "mcp.token" in ended.err


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_both_eras_of_the_protocol_are_spoken(house: House, mode: str) -> None:
    connecting: AbstractAsyncContextManager[Any] = over_stdio(mode)
    async with connecting as client:
        assert len((await client.list_tools()).tools) == 63
