"""The ntfy channel, end to end: a virtual phone, a daemon, and a server that speaks ntfy's interface."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from agent.channels.config import ChannelsConfig
from agent.channels.registry import load_services
from agent.channels.service import ChannelError
from android_bridge.adb import AdbServer
from tests.agent.channels.asked import Asked, asked
from tests.agent.channels.servers import TOKEN, NtfyServer
from virtual_phone import VirtualPhone

TOPIC, ANSWERS = "heed-test", "heed-test-answers"


@pytest_asyncio.fixture
async def ntfy() -> AsyncIterator[NtfyServer]:
    server = NtfyServer()
    async with server.serving():
        yield server


def section(server: NtfyServer, **settings: Any) -> dict[str, Any]:
    """The configuration of the channel."""
    own = {"enabled": True, "url": server.url, "topic": TOPIC, "token": TOKEN, "answer_topic": ANSWERS}
    return {"ntfy": {**own, "answer_token": NtfyServer.ANSWERS, **settings}}


async def question(server: NtfyServer, number: int = 0) -> dict[str, Any]:
    """The question that the phone's ntfy app shows."""
    await server.until(lambda: len([one for one in server.on(TOPIC) if one.get("actions")]) > number)
    return [one for one in server.on(TOPIC) if one.get("actions")][number]


async def press(message: dict[str, Any], label: str) -> int:
    """Press a button as the app does: with the request that the button holds."""
    button = next(one for one in message["actions"] if one["label"] == label)
    async with httpx.AsyncClient(trust_env=False) as app:
        reply = await app.request(button["method"], button["url"], headers=button["headers"], content=button["body"])
    return reply.status_code


async def ready(one: Asked) -> None:
    await one.house.until(lambda: one.state_of("ntfy") == "working")


async def test_a_server_that_sends_without_end_is_not_listened_to(ntfy: NtfyServer) -> None:
    ntfy.padding = 2_000_000
    (loaded,) = load_services(ChannelsConfig.model_validate(section(ntfy)))
    with pytest.raises(ChannelError, match="sends too much at once"):
        await loaded.service.check()


async def test_what_others_wrote_is_hidden_and_then_it_can_only_be_declined(
    ntfy: NtfyServer, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with asked(tmp_path, adb_server, phone, section(ntfy)) as one:
        await ready(one)
        one.someone_wrote()
        message = await question(ntfy)
        assert "Bob" not in str(message) and "2233" not in str(message)
        assert [button["label"] for button in message["actions"]] == ["not now", "never"]
        await press(message, "not now")
        await one.answered()
        assert one.answers == [("not_now", "ntfy")]


async def test_the_owner_may_have_everything_shown(
    ntfy: NtfyServer, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with asked(tmp_path, adb_server, phone, section(ntfy, texts="full")) as one:
        await ready(one)
        one.someone_wrote()
        message = await question(ntfy)
        assert "Bob" in message["message"] and "taken from text that others wrote" in message["message"]
        assert message["actions"][0]["label"] == "once"
        await press(message, "never")
        await one.answered()


async def test_where_nothing_is_to_be_shown_only_that_there_is_a_question_is(
    ntfy: NtfyServer, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with asked(tmp_path, adb_server, phone, section(ntfy, texts="none")) as one:
        await ready(one)
        one.low_battery()
        message = await question(ntfy)
        assert "attery" not in message["message"]
        assert [button["label"] for button in message["actions"]] == ["not now", "never"]
