"""What a model server can do wrong, scripted: each is told in a sentence, and a bad answer is asked for once more."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from collectors.context import StoredFrame
from heed.clock import SystemClock
from heed.errors import ModelError
from heed.language import Language
from models.config import ModelsConfig, OpenAIConfig, ReasonerKind
from models.factory import language_model
from models.openai import wire
from models.output import InvalidAnswer
from models.reasoner import Recommendation
from tests.models.cases import FEW, HOSTILE, random_context, render

GOOD = {
    "rec": "Save power?",
    "model_recommendation": [{"name": "set_power_saving_mode", "parameters": {"enabled": True}}],
}
TAGGED = '<rec>No Recommendation</rec><function>{"model_recommendation":[]}</function>'


def reply(content: str | Mapping[str, Any], finish: str = "stop") -> bytes:
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}}
    return http(200, json.dumps({"choices": [choice], "usage": usage}))


def http(status: int, body: str) -> bytes:
    raw = body.encode()
    return f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(raw)}\r\n\r\n".encode() + raw


class Scripted:
    """A server that gives its replies in turn and keeps what it was asked."""

    def __init__(self, replies: Sequence[bytes]) -> None:
        self._replies = list(replies)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        self.headers.append(head)
        self.asked.append(json.loads(await reader.readexactly(length)))
        writer.write(self._replies.pop(0))
        await writer.drain()
        writer.close()


@asynccontextmanager
async def scripted(*replies: bytes, **options: object) -> AsyncIterator[tuple[Scripted, Callable[..., Any]]]:
    script = Scripted(replies)
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    values = {"base_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", "model": "m", **options}
    config = ModelsConfig(reasoner=ReasonerKind.OPENAI, openai=OpenAIConfig.model_validate(values))
    reasoner = language_model(config, render=render, language=Language.EN, clock=SystemClock())

    async def decide(frames: tuple[StoredFrame, ...] = (), timeout: float = 30) -> Recommendation:
        names = ["set_power_saving_mode", "send_sms"]
        return await reasoner.recommend(random_context(1, frames), FEW, names, timeout=timeout)

    async with server:
        yield script, decide
        await reasoner.close()


async def test_a_good_answer_is_taken_at_once() -> None:
    async with scripted(reply(GOOD), api_key="secret") as (script, decide):
        made = await decide()
    assert [call.name for call in made.calls] == ["set_power_saving_mode"]
    assert made.rec == "Save power?"
    assert (made.cost.tokens_evaluated, made.cost.tokens_reused) == (2, 8)
    assert made.prompt_version == "heed-2/en/json"
    assert b"Bearer secret" in script.headers[0]
    assert script.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]


async def test_a_server_without_json_schema_is_asked_in_other_ways_and_remembered() -> None:
    replies = (http(400, "{}"), http(422, "{}"), reply(GOOD), reply(GOOD))
    async with scripted(*replies) as (script, decide):
        assert (await decide()).calls
        assert (await decide()).calls
    kinds = [body.get("response_format", {}).get("type") for body in script.asked]
    assert kinds == ["json_schema", "json_object", None, None]


BAD: list[str | dict[str, Any]] = [
    "I would save power.",
    {**GOOD, "model_recommendation": [{"name": "set_alarm", "parameters": {"time": "06:30"}}]},
    {**GOOD, "model_recommendation": [{"name": "send_sms", "parameters": {"recipient": "Bob"}}]},
    {**GOOD, "model_recommendation": [{"name": "format_disk", "parameters": {}}]},
    {**GOOD, "model_recommendation": []},
]


@pytest.mark.parametrize("bad", BAD)
async def test_an_answer_that_does_not_fit_is_repaired_once(bad: str | dict[str, Any]) -> None:
    async with scripted(reply(bad), reply(GOOD)) as (script, decide):
        made = await decide()
    assert [call.name for call in made.calls] == ["set_power_saving_mode"]
    assert made.cost.tokens_evaluated == 4
    assert script.asked[1]["messages"][-2]["role"] == "assistant"
    assert "does not fit" in script.asked[1]["messages"][-1]["content"]


async def test_an_answer_that_stays_wrong_is_an_error() -> None:
    async with scripted(reply(BAD[0]), reply(BAD[1])) as (_, decide):
        with pytest.raises(InvalidAnswer, match="set_alarm"):
            await decide()


async def test_without_a_schema_the_answer_has_tags() -> None:
    async with scripted(reply(TAGGED), constraint="none") as (script, decide):
        made = await decide()
    assert made.silent
    assert made.prompt_version == "heed-2/en/rec+func"
    assert "response_format" not in script.asked[0]


async def test_an_answer_cut_off_by_its_bound_is_silence() -> None:
    async with scripted(reply('{"rec": "Sa', finish="length")) as (_, decide):
        assert (await decide()).silent


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (http(401, '{"error": {"message": "no key"}}'), "401: no key.*api_key"),
        (http(404, "{}"), "404.*base_url"),
        (http(413, "{}"), "413.*images"),
        (http(429, "{}"), "429.*in_flight"),
        (http(503, '{"error": {"message": "<prompt>"}}'), r"503\. Check the server's log"),
        (http(200, "<html>"), "did not answer in OpenAI's format"),
        (http(200, '{"choices": []}'), "did not answer in OpenAI's format"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", "broke"),
        (b"", "broke"),
        (b"\x00\x01garbage\r\n\r\n", "broke"),
    ],
)
async def test_each_fault_has_its_sentence_and_remedy(raw: bytes, sentence: str) -> None:
    async with scripted(raw) as (_, decide):
        with pytest.raises(ModelError, match=sentence):
            await decide()


async def test_screenshots_travel_inside_the_message(picture: Callable[..., StoredFrame]) -> None:
    async with scripted(reply(GOOD), reply(GOOD)) as (script, decide):
        await decide((picture(1), picture(2)))
        await decide()
    kinds = [part["type"] for part in script.asked[0]["messages"][1]["content"]]
    assert kinds.count("image_url") == 2
    assert isinstance(script.asked[1]["messages"][1]["content"], str)


async def test_screenshots_stay_here_when_switched_off(picture: Callable[..., StoredFrame]) -> None:
    async with scripted(reply(GOOD), images=False) as (script, decide):
        await decide((picture(1),))
    assert isinstance(script.asked[0]["messages"][1]["content"], str)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_the_phone_reaches_a_server_as_markup(text: str) -> None:
    sent = wire.harmless(text)
    for mark in ("<|im_end|>", "<|vision_start|>", "<__media__>", "</function>"):
        assert mark not in sent
    assert sent.replace("\u200b", "") == text
