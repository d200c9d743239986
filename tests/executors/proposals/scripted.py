"""A model server over real HTTP that proposes what a script says, and a phone on which it may do so."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agent.loop.run_support import run_support
from android_bridge.device import Device
from collectors.config import CollectorsConfig
from executors.config import ExecutorsConfig, LastButtonRule, ModelStepsConfig
from executors.guided import progress_in
from executors.registry import load_executors
from executors.steps.player import Progress
from heed.clock import SystemClock
from models.config import ModelsConfig, OpenAIConfig, ReasonerKind
from models.engine import JsonModel
from models.factory import json_model
from tests.executors.acting import Acting, WatchedPhone

Answer = Callable[[str], object]
"""Makes an answer from the question's text: an object, a text, or bytes that are the whole HTTP response."""
_VIEW = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def says(answer: object) -> Answer:
    """Always the same answer."""
    return lambda _: answer


def on(do: str, label: str, **more: object) -> Answer:
    """A step on the first numbered view whose line contains ``label``; on none the number 0."""
    return lambda question: {"do": do, "view": number_of(question, label), **more}


def tap(label: str) -> Answer:
    """A tap."""
    return on("tap", label)


def number_of(question: str, label: str) -> int:
    """The number of the first view whose line contains a text; 0 where there is none."""
    return next((int(number) for number, line in _VIEW.findall(question) if label in line), 0)


FINISH, BACK, WAIT = says({"do": "finish"}), says({"do": "back"}), says({"do": "wait_for"})


def http(status: int, body: bytes) -> bytes:
    """A whole response."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body


class ScriptedModel:
    """Answers in turn, the last answer again and again; keeps what it was asked."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.before: Callable[[int], object] = lambda number: None
        """Called before each answer, with its number from 1; what it returns is awaited."""
        self.port = 0

    @property
    def questions(self) -> list[str]:
        """The texts of the questions."""
        return [_text(body) for body in self.asked]

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["ScriptedModel"]:
        """Serve on the loopback."""
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self.server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            self.asked.append(json.loads(await reader.readexactly(length)))
            waiting = self.before(len(self.asked))
            if asyncio.iscoroutine(waiting):
                await waiting
            answer = (self._answers.pop(0) if len(self._answers) > 1 else self._answers[0])(self.questions[-1])
            writer.write(answer if isinstance(answer, bytes) else _reply(answer))
            await writer.drain()
        finally:
            writer.close()


def _text(body: dict[str, Any]) -> str:
    content = body["messages"][1]["content"]
    return content if isinstance(content, str) else next(part["text"] for part in content if part["type"] == "text")


def _reply(answer: object) -> bytes:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return http(200, json.dumps({"choices": [choice]}).encode())


class ByModel(Acting):
    """A phone whose apps the scripted model may operate; no recipe is in the way."""

    def progress(self) -> Progress:
        """How far the last run got."""
        return next(run for event in reversed(self.events) if (run := progress_in(event.receipt)) is not None)


@asynccontextmanager
async def operated(
    phone: WatchedPhone,
    device: Device,
    home: Path,
    *answers: Answer,
    steps: ModelStepsConfig | None = None,
    last_button: LastButtonRule = LastButtonRule.HAND_OVER,
    recipes: bool = False,
    excluded: frozenset[str] = frozenset(),
) -> AsyncIterator[tuple[ByModel, ScriptedModel]]:
    """The phone, and the server that proposes ``answers``."""
    async with ScriptedModel(answers or (FINISH,)).serving() as script:
        server = OpenAIConfig(base_url=f"http://127.0.0.1:{script.port}/v1", model="scripted")
        model = json_model(ModelsConfig(openai=server), ReasonerKind.OPENAI, SystemClock())
        chosen = steps or ModelStepsConfig(model="openai", steps=8, seconds=60, answer_seconds=20)
        config = ExecutorsConfig(recipes=recipes, model_steps=chosen, last_button=last_button)
        pictures = CollectorsConfig(frames_folder=home / "frames", excluded_apps=excluded)
        yield by_model(phone, device, config, pictures, model), script
        await model.close()


def by_model(
    phone: WatchedPhone, device: Device, config: ExecutorsConfig, pictures: CollectorsConfig, model: JsonModel
) -> ByModel:
    """The phone whose apps a model may operate."""
    acting = ByModel(phone, device, config)
    acting.executors = load_executors(config, support=run_support(pictures, model))
    return acting
