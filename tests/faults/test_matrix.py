"""Every fault at every stage: nothing lost, nothing twice, the state told truthfully, the next trigger decided on."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from agent.compose import Runtime, compose
from agent.config import Config
from agent.journal import ActionRecord, ActionState, AgendaKind, Database, Journal, TimelineEntry, after_records
from agent.journal import database as journal_database
from agent.loop import control_socket as control
from agent.loop import daemon as daemon_module
from agent.loop.daemon import Daemon
from agent.loop.daemon_requests import UndoRequest
from agent.loop.pending import pending_texts
from agent.loop.phone_status import MonitoringState
from agent.loop.progress import ProgressEvent, StepFinished
from android_bridge.adb import AdbServer
from collectors.context import TriggerKind
from executors import runner
from executors.plan import OutcomeKind
from heed.errors import PersonError
from models.config import GateConfig, ModelsConfig
from models.llama.engine import LlamaEngine
from models.reasoner import Reasoner
from models.vlm import VlmReasoner
from tests.agent.make import config_of
from tests.executors.acting import QUICK
from tests.faults.injected import FAULTS, Fault, Setting, TurnedClock
from tests.faults.monitored import InterruptedPhone, Interruption, Owner, interrupted, monitored
from tests.faults.stages import ALL, CANNOT_OCCUR, CELLS, LOSES_THE_PHONE, FaultKind, Stage
from tests.models.cases import llama_config
from tests.phones import START
from tests.proof import PROVING
from virtual_phone import PhoneState

LONG = 60.0
LASTS = 0.4
"""Seconds from the beginning of a fault to its end."""
DELAYS = (0.0, 0.02, 0.1, 0.4) if PROVING else (0.0,)
"""Seconds from the stage to the fault; from the second on the loop goes on meanwhile."""
UNDOING = (Stage.UNDO, Stage.UNDONE)
ON_THE_PHONE = (Stage.SEE, Stage.PERFORM, Stage.VERIFY, *UNDOING)
KNOWN = (ActionState.FINISHED, ActionState.INTERRUPTED, ActionState.UNDONE)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_database, "BUSY_TIMEOUT_MS", 50)
    monkeypatch.setattr(after_records, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(daemon_module, "_FIRST_RETRY", 0.05)
    monkeypatch.setattr(daemon_module, "_LONGEST_RETRY", 0.5)
    monkeypatch.setattr(runner, "VerifyTiming", lambda: QUICK)


@pytest.fixture
def phone() -> InterruptedPhone:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    return InterruptedPhone(state)


def cells(*, killed: bool) -> list[object]:
    return [
        pytest.param(fault, stage, delay, id=f"{fault} at {stage}" + (f" + {delay:g} s" if delay else ""))
        for fault, stage in CELLS
        for delay in DELAYS
        if (fault is FaultKind.KILLED) is killed and not (delay and killed and stage not in ON_THE_PHONE)
    ]


def test_every_cell_is_tested_or_has_a_reason() -> None:
    assert set(ALL) | set(CANNOT_OCCUR) == {(fault, stage) for fault in FaultKind for stage in Stage}
    assert {fault for fault, _ in CELLS} == set(FaultKind)
    assert {stage for _, stage in CELLS} == set(Stage)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("kind", "stage", "delay"), cells(killed=False))
async def test_the_loop_holds(
    tmp_path: Path,
    adb_server: AdbServer,
    phone: InterruptedPhone,
    request: pytest.FixtureRequest,
    kind: FaultKind,
    stage: Stage,
    delay: float,
) -> None:
    clock, interruption = TurnedClock(), Interruption(stage, delay)
    config = _config(adb_server, tmp_path, request, kind)
    phone.reach(interruption, loses_the_phone=kind in LOSES_THE_PHONE)
    async with phone.connected(adb_server) as serial, compose(config, clock) as plain:
        model = plain.reasoners.first if kind is FaultKind.MODEL else None
        if isinstance(model, VlmReasoner):
            await model.prepare(plain.pool, timeout=LONG)
        setting = Setting(phone, adb_server, serial, clock, config.journal.path, _pid_of(model))
        runtime, owner = interrupted(plain, interruption, model), Owner(interruption)
        told: list[ProgressEvent] = []
        async with monitored(runtime, serial, owner, told.append) as daemon:
            case = Case(phone, runtime, daemon, serial, stage, config.journal.path, told)
            async with meeting(case, interruption, FAULTS[kind](setting)):
                await interruption.reached.wait()
                await asyncio.sleep(LASTS)
                case.check_truth()
                await interruption.end()
            await case.settle(expects_an_action=kind is not FaultKind.MODEL or stage not in (Stage.SEE, Stage.DECIDE))
            await case.decides_on(30)
            if kind is FaultKind.MODEL:
                await case.decides_on(20)
                assert case.entries()[0].decision.rule != "reasoner_failed"
        case.check_end()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("kind", "stage", "delay"), cells(killed=True))
async def test_the_next_daemon_goes_on_where_one_was_killed(
    tmp_path: Path, adb_server: AdbServer, phone: InterruptedPhone, kind: FaultKind, stage: Stage, delay: float
) -> None:
    config, unmet = config_of(adb_server, tmp_path), Interruption(stage)
    async with phone.connected(adb_server) as serial:
        async with _stopping(adb_server, tmp_path, serial, stage) as process:
            killing = Interruption(stage, delay)
            phone.reach(killing, loses_the_phone=False)
            undoing = None
            if stage in UNDOING:
                receive(phone)
                await until(lambda: [one.state for one in _actions(config.journal.path)] == [ActionState.FINISHED])
                killing.arm(_Kill(process))
                undoing = asyncio.create_task(_undo())
            else:
                killing.arm(_Kill(process))
                receive(phone)
            if stage not in ON_THE_PHONE:
                assert process.stdout is not None
                async with asyncio.timeout(LONG):
                    assert await process.stdout.readline() == b"stopped\n"
                process.kill()
            async with asyncio.timeout(LONG):
                await process.wait()
                if undoing is not None:
                    await undoing
        phone.forget_reactions()
        phone.reach(unmet, loses_the_phone=False)
        async with compose(config) as plain:
            runtime = interrupted(plain, unmet)
            async with monitored(runtime, serial, Owner(unmet)) as daemon:
                case = Case(phone, runtime, daemon, serial, stage, config.journal.path)
                case.check_truth()
                # A message that no decision was recorded on before the kill is decided on together with the next one.
                if not any(entry.actions for entry in case.entries()):
                    receive(phone, "Again")
                await case.settle()
                await case.decides_on(30)
            case.check_end()


class Case(NamedTuple):
    """One cell while it is tested."""

    phone: InterruptedPhone
    runtime: Runtime
    daemon: Daemon
    serial: str
    stage: Stage
    path: Path
    told: Sequence[ProgressEvent] = ()
    """What the owner was told."""

    def entries(self) -> list[TimelineEntry]:
        """The decisions, newest first."""
        return _timeline(self.path)

    def actions(self) -> list[ActionRecord]:
        return [action for entry in self.entries() for action in entry.actions]

    def check_truth(self) -> None:
        """At any moment: what the journal says is known is so, and what is not known is told to be in doubt."""
        saver = self.phone.state.power.saver
        for action in self.actions():
            verified = action.outcome is not None and action.outcome.kind is OutcomeKind.VERIFIED
            if action.state is ActionState.UNDONE:
                assert not saver
            elif action.state in KNOWN:
                assert verified == saver, action
            else:
                told = [str(text) for texts in pending_texts(self.runtime.stores, self._now).values() for text in texts]
                assert any(f"action {action.id}" in text for text in told), told
        assert not saver or self.actions(), "an action without a record"

    async def settle(self, *, expects_an_action: bool = True) -> None:
        """Wait until everything is known again and the trigger led where it leads without a fault."""

        def settled() -> bool:
            status = self.daemon._statuses()[0]
            known = all(action.state in KNOWN for action in self.actions())
            done = bool(self.actions()) or self._was_told_of_no_action if expects_an_action else bool(self.entries())
            self._bring_question_forward()
            return status.state is MonitoringState.MONITORED and not status.pending and known and done

        try:
            await until(settled)
        except TimeoutError:
            pytest.fail(self._told())

    @property
    def _was_told_of_no_action(self) -> bool:
        """Whether the owner, who had said yes, was told that nothing was begun: the journal could not announce it."""
        return any(isinstance(event, StepFinished) and not event.action_id for event in self.told)

    @property
    def _now(self) -> datetime:
        return self.phone.state.clock.wall()

    def _bring_question_forward(self) -> None:
        """A question that was cut off is asked again when the owner next uses the phone."""
        if self.runtime.stores.agenda.waiting(AgendaKind.DEFERRED, self._now) and not self.actions():
            self.phone.state.power.sleep()
            self.phone.state.power.wake()

    async def decides_on(self, level: int) -> None:
        """The next trigger is decided on and recorded."""
        self.phone.state.battery.set(level=level, charger="none")
        await until(lambda: any(_level(self.path, entry) == level for entry in self.entries()))

    def _told(self) -> str:
        """The case in short, for a test that failed."""
        actions = [(one.id, one.state, one.outcome and one.outcome.kind) for one in self.actions()]
        entries = [(one.trigger, one.decision.rule, one.plan and one.plan.answer) for one in self.entries()]
        return f"{self.daemon._statuses()}\n{actions}\n{entries}\n{self.phone.carried_out}"

    def check_end(self) -> None:
        """Nothing is lost and nothing was done twice."""
        self.check_truth()
        on, off = (sum(line.endswith(mode) for line in self.phone.carried_out) for mode in ("1", "0"))
        actions = self.actions()
        assert len(actions) <= 1 + (self.stage in (Stage.PERFORM, Stage.ASK))
        begun = [action for action in actions if action.outcome and action.outcome.kind is OutcomeKind.VERIFIED]
        assert on == len(begun) <= 1, self._told()
        assert all(entry.plan is not None and entry.plan.answer == "once" for entry in self.entries() if entry.actions)
        if self.stage in UNDOING:
            assert [action.state for action in actions] == [ActionState.UNDONE]
            assert off == 1
        else:
            assert off == 0
        database = Database(self.path)
        try:
            assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        finally:
            database.close()


@asynccontextmanager
async def meeting(case: Case, interruption: Interruption, fault: Fault) -> AsyncIterator[None]:
    """The stage is on its way to be met: by the first trigger, or by the undo of what it led to."""
    undoing = None
    if case.stage in UNDOING:
        receive(case.phone)
        await case.settle()
        interruption.arm(fault)
        undoing = asyncio.create_task(_undo())
    else:
        interruption.arm(fault)
        receive(case.phone)
    async with asyncio.timeout(LONG):
        yield
        if undoing is not None:
            await undoing


class _Kill(Fault):
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def begin(self) -> None:
        self._process.kill()

    async def follow(self) -> None:
        await self._process.wait()


@asynccontextmanager
async def _stopping(
    server: AdbServer, home: Path, serial: str, stage: Stage
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.stopping", str(server.port), str(home), serial, stage),
        env=dict(os.environ),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(LONG):
            assert await process.stdout.readline() == b"monitored\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def receive(phone: InterruptedPhone, text: str = "Hello") -> None:
    """The first trigger: a message, which still counts when the phone was away meanwhile."""
    phone.state.messages.receive("+8613800138000", text)


async def _undo() -> None:
    """``heed undo 1``, which is told when its daemon cannot finish it."""
    with contextlib.suppress(PersonError, ConnectionError):
        await control.call(UndoRequest(action=1))


def _pid_of(model: Reasoner | None) -> Callable[[], int | None]:
    return lambda: (
        model._engine.pid if isinstance(model, VlmReasoner) and isinstance(model._engine, LlamaEngine) else None
    )


def _config(server: AdbServer, home: Path, request: pytest.FixtureRequest, kind: FaultKind) -> Config:
    config = config_of(server, home)
    if kind is not FaultKind.MODEL:
        return config
    models: ModelsConfig = llama_config(request.getfixturevalue("tiny_model"), context_tokens=32_768)
    # Without its gate, the model is asked about every trigger.
    models = models.model_copy(update={"gate": GateConfig(enabled=False)})
    return config.model_copy(update={"models": models})


def _timeline(path: Path) -> list[TimelineEntry]:
    if not path.exists():
        return []
    database = Database(path)
    try:
        return Journal(database).timeline(1000)
    finally:
        database.close()


def _actions(path: Path) -> list[ActionRecord]:
    return [action for entry in _timeline(path) for action in entry.actions]


def _level(path: Path, entry: TimelineEntry) -> object:
    if entry.trigger != TriggerKind.BATTERY_LEVEL:
        return None
    database = Database(path)
    try:
        return Journal(database).context(entry.decision.context_id).trigger.data.get("level")
    finally:
        database.close()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110  # neither phone nor journal tells when it changes
            await asyncio.sleep(0.05)
