"""What keeps heed silent on a real phone: a second opinion, what was just done, what the person is doing."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.compose import compose
from agent.config import Config, ConsentConfig, ConsoleConfig, JournalConfig
from agent.consent.request import Answer, Channel, ChannelName, ConsentRequest
from agent.journal import AgendaKind
from agent.loop.decider import Reasoners
from agent.loop.phone_agent import PhoneAgent
from agent.maintenance.export import benchmark_records
from agent.policy.verdict import Decision
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context, Trigger, TriggerKind
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.language import Language
from heed.trust import Trust
from models.reasoner import Recommendation, silence
from tests.agent.make import recommendation, saver_call
from tests.phones import START
from virtual_phone import VirtualPhone

OTHER = recommendation(saver_call(enabled=False), topic="habit")


class Says:
    """A reasoner that recommends the same at each trigger, or ``at_clock`` where only the time is the trigger."""

    def __init__(self, made: Recommendation, at_clock: Recommendation | None = None) -> None:
        self._made, self._at_clock = made, at_clock

    @property
    def name(self) -> str:
        return self._made.reasoner

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        return self._at_clock if self._at_clock and context.trigger.kind is TriggerKind.CLOCK else self._made

    async def close(self) -> None:
        """Nothing to let go of."""


@asynccontextmanager
async def agent_of(
    home: Path,
    server: AdbServer,
    device: Device,
    first: Recommendation,
    second: Recommendation | None = None,
    channels: Sequence[Channel] = (),
    consent: ConsentConfig | None = None,
    at_clock: Recommendation | None = None,
) -> AsyncIterator[PhoneAgent]:
    config = Config(
        bridge=BridgeConfig(port=server.port),
        collectors=CollectorsConfig(
            behaviour_log=home / "log.jsonl", frames=FramesConfig(enabled=False), profile=home / "none.yaml"
        ),
        console=ConsoleConfig(enabled=False),
        consent=consent or ConsentConfig(),
        journal=JournalConfig(path=home / "journal.sqlite3"),
    )
    async with compose(config) as runtime:
        asked = runtime._replace(reasoners=Reasoners(Says(first, at_clock), Says(second) if second else None))
        yield asked.phone(device.serial, await runtime.identify(device.serial), channels=channels).agent


async def rule(agent: PhoneAgent) -> str:
    _, decision = await agent.decide(Trigger(kind=TriggerKind.CLOCK))
    return decision.verdict.rule


@pytest.mark.parametrize(
    ("confidence", "second", "expected"),
    [
        (0.6, OTHER, "second_opinion"),
        (0.9, OTHER, "ask_first"),
        (0.6, recommendation(), "ask_first"),
        (0.6, silence("routines", "nothing fits"), "ask_first"),
        (0.4, recommendation(), "low_confidence"),
    ],
)
async def test_a_second_opinion_is_heard(
    tmp_path: Path,
    adb_server: AdbServer,
    device: Device,
    confidence: float,
    second: Recommendation,
    expected: str,
) -> None:
    async with agent_of(tmp_path, adb_server, device, recommendation(confidence=confidence), second) as agent:
        assert await rule(agent) == expected


async def test_what_was_just_done_and_what_is_so_already_is_not_suggested(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    async with agent_of(tmp_path, adb_server, device, recommendation()) as agent:
        assert await rule(agent) == "ask_first"
        phone.state.power.set_saver(True)
        assert await rule(agent) == "already_so"
        phone.state.power.set_saver(False)
        plan = await agent.plan(saver_call())
        assert [outcome.ok for outcome in await agent.carry_out(plan, consented=True)] == [True]
        await agent.undo(1)
        assert await rule(agent) == "just_done"


async def test_nobody_is_interrupted_while_typing(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    async with agent_of(tmp_path, adb_server, device, recommendation()) as agent:
        phone.state.open_app("com.whatsapp")
        phone.state.apps.foreground.focus = "message"
        assert await rule(agent) == "typing"
        phone.state.apps.foreground.focus = ""
        assert await rule(agent) == "ask_first"


async def test_a_message_that_arrived_while_typing_is_suggested_on_afterwards(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    news = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"number": "5550199", "text": "hi"}, trust=Trust.THIRD_PARTY)
    phone.state.open_app("com.whatsapp")
    phone.state.apps.foreground.focus = "message"
    async with agent_of(tmp_path, adb_server, device, recommendation()) as agent:
        assert await agent.handle(news) is Decision.SILENT
        agent.stores.agenda.bring_forward(agent.phone.id, AgendaKind.DEFERRED)
        (again,) = agent.stores.agenda.take_due(agent.phone.id, START)
        assert again.kind == AgendaKind.DEFERRED
        phone.state.apps.foreground.focus = ""
        assert await agent.handle(Trigger.model_validate(again.body)) is Decision.ASK
        assert agent.stores.agenda.next_due(agent.phone.id, START) is None


async def test_what_cannot_be_shown_while_the_screen_is_off_is_asked_when_it_is_on(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    phone.state.power.sleep()
    page = FunctionCall(name="web_search", parameters={"query": "City Library"})
    async with agent_of(tmp_path, adb_server, device, recommendation(page)) as agent:
        assert await agent.handle(Trigger(kind=TriggerKind.CLOCK)) is Decision.SILENT
        assert agent.stores.journal.timeline(1)[0].decision.rule == "out_of_reach"
        agent.stores.agenda.bring_forward(agent.phone.id, AgendaKind.DEFERRED)
        (again,) = agent.stores.agenda.take_due(agent.phone.id, START)
        assert again.kind == AgendaKind.DEFERRED
        phone.state.power.wake()
        phone.state.power.unlock()
        assert await agent.handle(Trigger.model_validate(again.body)) is Decision.ASK


class Silent:
    """A channel on which nobody answers."""

    name = ChannelName.TERMINAL

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def ask(self, request: ConsentRequest) -> Answer:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_question_that_nobody_answered_is_no_rejection_and_not_asked_again_at_once(
    tmp_path: Path, adb_server: AdbServer, device: Device
) -> None:
    news = Trigger(kind=TriggerKind.CLOCK)
    channel = Silent()
    async with agent_of(
        tmp_path, adb_server, device, recommendation(), channels=[channel], consent=ConsentConfig(timeout=0.2)
    ) as agent:
        assert await agent.handle(news) is Decision.ASK
        (entry,) = agent.stores.journal.timeline()
        assert entry.plan is not None
        assert (entry.plan.answer, entry.plan.channel) == ("no_answer", "nobody")
        assert agent.stores.cool_downs.entries() == []
        channel.asked.clear()
        assert await agent.handle(news) is Decision.SILENT
        assert agent.stores.journal.timeline()[0].decision.rule == "unanswered"
        assert not channel.asked.is_set()
        assert benchmark_records(agent.stores.journal, Language.EN) == []


async def test_a_question_that_was_cut_off_is_asked_again(
    tmp_path: Path, adb_server: AdbServer, device: Device
) -> None:
    news = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"number": "5550199", "text": "hi"}, trust=Trust.THIRD_PARTY)
    channel = Silent()
    async with agent_of(tmp_path, adb_server, device, recommendation(), channels=[channel]) as agent:
        asking = asyncio.create_task(agent.handle(news))
        async with asyncio.timeout(60):
            await channel.asked.wait()
        asking.cancel()  # as the daemon does when the cable comes off
        await asyncio.gather(asking, return_exceptions=True)
        agent.stores.agenda.bring_forward(agent.phone.id, AgendaKind.DEFERRED)
        (again,) = agent.stores.agenda.take_due(agent.phone.id, START)
        channel.asked.clear()
        asking = asyncio.create_task(agent.handle(Trigger.model_validate(again.body)))
        async with asyncio.timeout(60):
            await channel.asked.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


async def test_a_call_that_others_text_made_invalid_hides_no_later_recommendation(
    tmp_path: Path, adb_server: AdbServer, device: Device
) -> None:
    invalid = recommendation(FunctionCall(name="make_phone_call", parameters={"phone_number": "))))))))))"}))
    async with agent_of(tmp_path, adb_server, device, recommendation(), at_clock=invalid) as agent:
        context = await agent.read_context(Trigger(kind=TriggerKind.CLOCK))
        _, decision = await agent.decide_on(context)
        assert [call.name for call in decision.recommendation.calls] == ["set_power_saving_mode"]
