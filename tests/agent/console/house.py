"""A daemon with its console, monitoring a virtual phone: what ``heed run`` runs, in the test's own loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from agent.channels.channel_status import ChannelStatus
from agent.compose import Runtime, compose
from agent.config import Config, ConsentConfig, ConsoleConfig, JournalConfig
from agent.consent.request import Channel
from agent.console.console import Console
from agent.loop.daemon import Daemon
from agent.loop.progress import Listener, every
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from collectors.config import CollectorsConfig, TrajectoryConfig
from executors.config import ExecutorsConfig
from heed.language import Language
from models.config import ModelsConfig, OpenAIConfig, ReaderConfig, RoutinesConfig
from tests.phones import WORDS, connected_device, free_port
from virtual_phone import VirtualPhone

SITUATIONS = frozenset({"low_battery", "new_number"})
DEADLINE = 60.0


class House(NamedTuple):
    """Everything that a test may look at."""

    runtime: Runtime
    console: Console
    daemon: Daemon
    phone: VirtualPhone
    serial: str
    address: str
    """``http://127.0.0.1:PORT`` of the console."""
    phone_port: int

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")

    async def until(self, reached: Any) -> None:
        """Wait until ``reached()`` is true."""
        async with asyncio.timeout(DEADLINE):
            # Journal, pending and phone change without one common signal.
            while not reached():  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def decided(self, count: int) -> None:
        """Wait until ``count`` decisions are in the journal."""
        await self.until(lambda: len(self.runtime.stores.journal.timeline(100)) >= count)

    async def question(self, client: httpx.AsyncClient) -> dict[str, Any]:
        """The question that the page shows, once it does."""
        async with asyncio.timeout(DEADLINE):
            while not (shown := (await client.get("/api/questions")).json()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return dict(shown[0])

    async def answer(self, client: httpx.AsyncClient, answer: str) -> dict[str, Any]:
        """Answer the question that the page shows; the question."""
        question = await self.question(client)
        body = {"plan_hash": question["plan_hash"], "answer": answer}
        (await client.post(f"/api/questions/{question['plan_id']}", json=body)).raise_for_status()
        return question

    def decisions(self) -> list[str]:
        """The rules that decided, newest first."""
        return [entry.decision.rule for entry in self.runtime.stores.journal.timeline(100)]

    @asynccontextmanager
    async def signed_in(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client with a session, as the page has one."""
        async with self.client() as client:
            token = self.console.link().partition("#")[2]
            answer = await client.post("/api/session", json={"token": token})
            client.headers["X-Heed-Key"] = answer.json()["key"]
            yield client

    def client(self) -> httpx.AsyncClient:
        """A client that sends what the page's browser would, without a session."""
        return httpx.AsyncClient(
            base_url=self.address, headers={"Origin": self.address}, trust_env=False, timeout=DEADLINE
        )


@asynccontextmanager
async def monitored(
    home: Path,
    server: AdbServer,
    phone: VirtualPhone,
    *,
    language: Language = Language.EN,
    log: Path | None = None,
    situations: frozenset[str] = SITUATIONS,
    situation_files: tuple[Path, ...] = (WORDS,),
    on_phone: bool = False,
    channels: Sequence[Channel] = (),
    listen: Listener = lambda event: None,
    trajectory: TrajectoryConfig | None = None,
    timeout: float = 120.0,
    channel_statuses: Callable[[], Sequence[ChannelStatus]] = lambda: (),
    executors: ExecutorsConfig | None = None,
    server_model: OpenAIConfig | None = None,
    reader: bool = True,
) -> AsyncIterator[House]:
    """The daemon monitors ``phone``, with the habits in ``log``, until the block ends; ``reader`` reads texts."""
    phone_port = free_port()
    async with connected_device(phone, server) as device:
        settings = Config(
            language=language,
            bridge=BridgeConfig(port=server.port, serial=device.serial),
            collectors=CollectorsConfig(
                language=language,
                profile=home / "profile.yaml",
                behaviour_log=log or home / "log.jsonl",
                frames_folder=home / "frames",
                trajectory=trajectory or TrajectoryConfig(),
            ),
            models=ModelsConfig(
                routines=RoutinesConfig(situations=situations, situation_files=situation_files),
                openai=server_model or OpenAIConfig(),
                reader=ReaderConfig(enabled=reader),
            ),
            executors=executors or ExecutorsConfig(),
            consent=ConsentConfig(timeout=timeout),
            console=ConsoleConfig(phone=on_phone, phone_port=phone_port),
            journal=JournalConfig(path=home / "journal.sqlite3"),
        )
        async with compose(settings) as runtime:
            console = Console(runtime)
            daemon = Daemon(
                runtime,
                wanted={device.serial},
                channels=[*console.channels, *channels],
                listen=every(console.listen, listen),
                console_link=console.link,
                end_sessions=console.end_sessions,
                changed=console.phones_changed,
                channel_statuses=channel_statuses,
            )
            async with console.serving(daemon.answer), _running(daemon):
                async with asyncio.timeout(DEADLINE):
                    await phone.state.log.followed()
                address = console.link().partition("/#")[0]
                yield House(runtime, console, daemon, phone, device.serial, address, phone_port)


@asynccontextmanager
async def _running(daemon: Daemon) -> AsyncIterator[None]:
    task = asyncio.create_task(daemon.run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
