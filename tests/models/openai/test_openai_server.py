"""The OpenAI backend against the real server of llama-cpp-python, on random weights."""

import asyncio
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest

from collectors.context import StoredFrame
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.clock import SystemClock
from heed.errors import ModelError
from heed.language import Language
from models.config import ModelsConfig, OpenAIConfig, PromptConfig, ReasonerKind
from models.factory import language_model
from models.llama.tiny import TinyModel
from models.vlm import VlmReasoner
from tests.models.cases import POOL, SHORT, random_context, render
from tests.proof import examples

pytest.importorskip("llama_cpp.server.app", reason="needs llama-cpp-python[server]")

STARTED_WITHIN = 60.0
FEWER = Pool(
    functions={name: POOL.functions[name] for name in ("set_connectivity", "show_transit_code", "query_weather")}
)
"""Types, allowed values and lengths are all that this server's grammars hold to: no numbers, no patterns."""


class Server:
    """llama-cpp-python's own server in a process."""

    def __init__(self, model: TinyModel) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        options = {
            "model": model.model, "clip_model_path": model.mmproj, "chat_format": "qwen2.5-vl", "n_ctx": 8192,
            "n_threads": 1, "logits_all": "false", "interrupt_requests": "false", "port": self.port,
        }  # fmt: skip
        arguments = [f"--{name}={value}" for name, value in options.items()]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def _wait(self) -> None:
        end = time.monotonic() + STARTED_WITHIN
        while True:
            try:
                httpx.get(f"{self.url}/models", timeout=5).raise_for_status()
            except httpx.HTTPError:
                assert self.process.poll() is None, "the server ended"
                assert time.monotonic() < end, "the server did not start"
            else:
                return

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def server(tiny_model: TinyModel) -> Iterator[Server]:
    running = Server(tiny_model)
    yield running
    running.end()


@asynccontextmanager
async def reasoning(url: str, **options: object) -> AsyncIterator[VlmReasoner]:
    values = {"base_url": url, "answer_tokens": 800, **options}
    config = ModelsConfig(
        reasoner=ReasonerKind.OPENAI,
        openai=OpenAIConfig.model_validate(values),
        prompt=PromptConfig(limits=SHORT),
    )
    reasoner = language_model(config, render=render, language=Language.EN, clock=SystemClock())
    try:
        yield reasoner
    finally:
        await reasoner.close()


async def test_decisions_on_random_weights_are_valid(server: Server, picture: Callable[..., StoredFrame]) -> None:
    async with reasoning(server.url) as reasoner:
        made = []
        for seed in range(examples(6, 200)):
            names = random.Random(seed).sample(list(FEWER.functions), 2)
            context = random_context(seed, tuple(picture(seed) for _ in range(seed % 2)))
            made.append(await reasoner.recommend(context, FEWER, names, timeout=120))
            for call in made[-1].calls:
                assert call.name in names
                assert validate(FEWER, call) == call
    assert any(recommendation.calls for recommendation in made)


async def test_several_decisions_are_in_flight_at_once(server: Server) -> None:
    async with reasoning(server.url, in_flight=3) as reasoner:
        asked = [reasoner.recommend(random_context(seed), FEWER, ["query_weather"], timeout=120) for seed in range(4)]
        made = await asyncio.gather(*asked)
    assert len(made) == 4


async def test_an_unconstrained_answer_of_random_weights_is_refused(server: Server) -> None:
    async with reasoning(server.url, constraint="none", answer_tokens=16) as reasoner:
        made = await reasoner.recommend(random_context(0), FEWER, ["query_weather"], timeout=120)
    assert made.silent
    assert "did not end" in made.why.text


async def test_a_server_that_dies_before_it_replies_is_said_to_have(tiny_model: TinyModel) -> None:
    dying = Server(tiny_model)
    dying.process.send_signal(signal.SIGSTOP)  # random weights may be done at once, and too early
    async with reasoning(dying.url, answer_tokens=5000, constraint="none") as reasoner:
        asking = asyncio.create_task(reasoner.recommend(random_context(0), FEWER, ["set_connectivity"], timeout=120))
        await asyncio.sleep(0.3)
        dying.end()
        with pytest.raises(ModelError, match=r"broke|cannot be reached"):
            await asking
        with pytest.raises(ModelError, match="cannot be reached"):
            await reasoner.recommend(random_context(0), FEWER, ["query_weather"], timeout=120)


async def test_a_decision_out_of_time_says_so(server: Server) -> None:
    async with reasoning(server.url) as reasoner:
        with pytest.raises(ModelError, match="did not answer within"):
            await reasoner.recommend(random_context(0), FEWER, ["query_weather"], timeout=0.001)
        assert await reasoner.recommend(random_context(0), FEWER, ["query_weather"], timeout=120)
