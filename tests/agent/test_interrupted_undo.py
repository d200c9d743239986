"""An undo that is interrupted is in doubt and kept until the phone shows it, over restarts too."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from agent.compose import Phone, Runtime, compose
from agent.journal import ActionState, AgendaKind
from agent.loop.pending import pending_texts
from agent.loop.progress import ActionUndone, ProgressEvent
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from collectors.context import Trigger, TriggerKind
from executors.executor import HostError
from executors.plan import Outcome, OutcomeKind, Step
from function_pool.call import FunctionCall
from heed.clock import ManualClock
from heed.errors import DeviceError
from tests.agent.make import config_of
from tests.agent.test_identity import Allows, agent_at
from tests.executors.acting import Reaction, WatchedPhone
from tests.executors.test_runner import unplug_after, unplug_before
from tests.phones import START, reconnect
from virtual_phone import PhoneState

CLOCK = Trigger(kind=TriggerKind.CLOCK)
SAVER = FunctionCall(name="set_power_saving_mode", parameters={"enabled": True})
QUIET = FunctionCall(name="set_do_not_disturb", parameters={"mode": "priority", "duration_minutes": 50})


@pytest.fixture
def phone() -> WatchedPhone:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    return WatchedPhone(state)


@pytest.mark.parametrize("cut", [unplug_before, unplug_after], ids=["before it acts", "after it acted"])
async def test_an_undo_whose_cable_is_pulled_is_in_doubt_and_finished_after_a_restart(
    tmp_path: Path, adb_server: AdbServer, phone: WatchedPhone, cut: Reaction
) -> None:
    config, told = config_of(adb_server, tmp_path), list[ProgressEvent]()
    async with phone.connected(adb_server) as serial:
        async with compose(config) as runtime:
            agent = await agent_at(runtime, serial, Allows())
            await agent.handle(CLOCK)
            phone.on("cmd power set-mode 0", cut)
            assert (await agent.undo(1)).kind is OutcomeKind.UNKNOWN
            record = runtime.stores.journal.action(1)
            assert record.state is ActionState.UNDOING
            assert record.undo_outcome is not None and record.undo_outcome.kind is OutcomeKind.UNKNOWN
            (texts,) = pending_texts(runtime.stores, START).values()
            assert "undo of action 1" in str(texts[0])
        phone.forget_reactions()
        await reconnect(adb_server, serial)
        async with compose(config) as runtime:
            agent = await agent_at(runtime, serial, Allows(), listen=told.append)
            await agent.recover()
            assert runtime.stores.journal.action(1).state is ActionState.UNDONE
            assert pending_texts(runtime.stores, START) == {}
    assert not phone.state.power.saver
    assert [event.outcome.kind for event in told if isinstance(event, ActionUndone)] == [OutcomeKind.VERIFIED]


async def test_a_timed_undo_whose_moment_meets_a_lost_phone_is_done_when_it_is_back(
    tmp_path: Path, adb_server: AdbServer, phone: WatchedPhone
) -> None:
    host = ManualClock(START)
    async with compose(config_of(adb_server, tmp_path), host) as runtime, phone.connected(adb_server) as serial:
        one = runtime.phone(serial, await runtime.identify(serial))
        await one.agent.carry_out(await one.agent.plan(QUIET), consented=True)
        ((phone_id, entry),) = runtime.stores.agenda.waiting(AgendaKind.UNDO, START)
        assert phone_id == one.agent.phone.id
        phone.on("cmd notification set_dnd", unplug_before)
        phone.state.clock.jump(START + timedelta(minutes=51))
        host.advance(51 * 60)
        with pytest.raises(DeviceError):
            await watcher(runtime, one).process_due()
        assert phone.state.to_json()["dnd"]["mode"] == "priority"
        assert entry.due == START + timedelta(minutes=50)
        phone.forget_reactions()
        await reconnect(adb_server, serial)
        await one.agent.recover()
        mode: str = phone.state.dnd.mode
        assert mode == "off"
        assert runtime.stores.journal.action(1).state is ActionState.UNDONE


async def test_a_timed_change_that_was_in_doubt_still_ends_in_time(
    tmp_path: Path, adb_server: AdbServer, phone: WatchedPhone
) -> None:
    host = ManualClock(START)
    async with compose(config_of(adb_server, tmp_path), host) as runtime, phone.connected(adb_server) as serial:
        agent = await agent_at(runtime, serial, Allows())
        plan = await agent.plan(QUIET)
        phone.on("cmd notification set_dnd", unplug_after)
        (outcome,) = await agent.carry_out(plan, consented=True)
        assert outcome.kind is OutcomeKind.UNKNOWN
        phone.forget_reactions()
        await reconnect(adb_server, serial)
        await agent.recover()
        record = runtime.stores.journal.action(1)
        assert record.outcome is not None and record.outcome.kind is OutcomeKind.VERIFIED
        ((_, entry),) = runtime.stores.agenda.waiting(AgendaKind.UNDO, START)
        assert entry.due == START + timedelta(minutes=50)


@pytest.mark.parametrize("error", [RuntimeError("plug-in"), HostError("The lamp's server is off.")])
async def test_an_action_that_cannot_be_asked_about_stays_in_doubt_and_keeps_nothing_else_waiting(
    tmp_path: Path, adb_server: AdbServer, phone: WatchedPhone, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with compose(config_of(adb_server, tmp_path)) as runtime, phone.connected(adb_server) as serial:
        agent = await agent_at(runtime, serial, Allows())
        for call, line in ((SAVER, "cmd power set-mode 1"), (QUIET, "cmd notification set_dnd")):
            plan = await agent.plan(call)
            phone.on(line, unplug_after)
            await agent.carry_out(plan, consented=True)
            phone.forget_reactions()
            await reconnect(adb_server, serial)
        assert [record.id for record in runtime.stores.journal.all_in_doubt()] == [1, 2]
        monkeypatch.setattr(runtime.executors["set_power_saving_mode"], "verify", raising(error))
        await agent.recover()
        assert [record.id for record in runtime.stores.journal.all_in_doubt()] == [1]


def raising(error: Exception) -> Callable[..., object]:
    async def verify(phone: object, step: Step, receipt: object) -> Outcome:
        raise error

    return verify


def watcher(runtime: Runtime, one: Phone) -> Watcher:
    return Watcher(
        one.agent,
        clock=one.clock,
        host=runtime.clock,
        triggers=one.triggers,
        dues=one.dues,
    )
