"""Whatever fails, a phone is monitored again, its state is told, and what was done is not lost."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from agent.compose import Runtime, compose
from agent.consent.request import Answer, ChannelName
from agent.journal import ActionState, AgendaKind, JournalError, Stores, stores_in
from agent.journal import database as journal_database
from agent.journal.after_records import AfterRecord, TimedUndo, waiting_path
from agent.loop import daemon as daemon_module
from agent.loop.daemon import Daemon
from agent.loop.decider import Reasoners
from agent.loop.phone_status import MonitoringState
from agent.policy.verdict import Decision, Rule
from android_bridge.adb import AdbServer
from collectors.context import Context, Trigger, TriggerKind
from executors.plan import Outcome, OutcomeKind
from function_pool.spec import Pool
from models.reasoner import Recommendation
from tests.agent.make import NOON, SERIAL, config_of, context, plan, recommendation, step
from tests.agent.test_identity import Allows, agent_at
from tests.phones import connected_device
from virtual_phone import VirtualPhone

DONE = Outcome(kind=OutcomeKind.VERIFIED, message="Battery saver is on.")
CLOCK = Trigger(kind=TriggerKind.CLOCK)
HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_database, "BUSY_TIMEOUT_MS", 50)
    monkeypatch.setattr(daemon_module, "_FIRST_RETRY", 0.05)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process holds the journal, as a backup does."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.kill()


def started(stores: Stores) -> int:
    """An action that was announced, and nothing more."""
    context_id = stores.journal.record_context(context())
    decision_id = stores.journal.record_decision(
        context_id, NOON, recommendation(), decision=Decision.ASK, rule=Rule.ASK_FIRST, reason="asking first"
    )
    return stores.journal.start_action(stores.journal.record_plan(decision_id, plan()), 0, step(), NOON)


def ended(action: int) -> AfterRecord:
    undo = TimedUndo(due=0.0, phone_id=SERIAL)
    return AfterRecord(action=action, state=ActionState.FINISHED, outcome=DONE, timed_undo=undo)


# --- the record ----------------------------------------------------------------------------------------------------


def test_what_was_done_while_the_journal_is_locked_is_written_when_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with stores_in(path) as stores:
        action = started(stores)
        with locked(path):
            stores.after.write(AfterRecord(action=action, state=ActionState.PERFORMED, receipt={"row": 7}))
            stores.after.write(ended(action))
            assert waiting_path(path).stat().st_mode & 0o777 == 0o600
            with pytest.raises(JournalError, match="Another program holds the journal"):
                stores.after.flush()
        stores.after.flush()
        found = stores.journal.action(action)
        assert (found.state, found.receipt, found.outcome) == (ActionState.FINISHED, {"row": 7}, DONE)
        assert not waiting_path(path).exists()


def test_what_waits_is_written_after_a_restart_and_once_only(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with stores_in(path) as stores:
        action = started(stores)
        with locked(path):
            stores.after.write(ended(action))
    kept = waiting_path(path).read_bytes()
    for _ in range(2):
        # As if heed had been killed after writing the journal and before deleting the file.
        waiting_path(path).write_bytes(kept)
        with stores_in(path) as stores:
            stores.after.flush()
            assert stores.journal.action(action).state is ActionState.FINISHED
            assert len(stores.agenda.waiting(AgendaKind.UNDO, NOON)) == 1


def test_a_waiting_file_that_is_damaged_leaves_the_action_in_doubt(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with stores_in(path) as stores:
        action = started(stores)
    waiting_path(path).write_bytes(b'[{"action": 1, "sta')
    with stores_in(path) as stores:
        stores.after.flush()
        assert [record.id for record in stores.journal.all_in_doubt()] == [action]


def test_a_full_disk_is_told_and_leaves_the_journal_usable(tmp_path: Path) -> None:
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        action = started(stores)
        pages = stores.journal._db.execute("PRAGMA page_count").fetchone()[0]
        stores.journal._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="cannot be written"):
            for _ in range(1000):
                stores.agenda.replace(SERIAL, AgendaKind.CLOCK, NOON, [(NOON, {"text": "x" * 4000})])
                stores.agenda.add(NOON, SERIAL, AgendaKind.CLOCK, {"text": "x" * 4000})
        stores.journal._db.execute("PRAGMA max_page_count = 100000")
        stores.after.write(ended(action))
        assert stores.journal.action(action).state is ActionState.FINISHED


FULL = """
import resource, signal, sys
from pathlib import Path
from agent.journal import stores_in, AgendaKind, JournalError
from tests.agent.test_supervision import NOON, ended, started
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with stores_in(Path(sys.argv[1])) as stores:
    action = started(stores)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    stores.after.write(ended(action))
    try:
        stores.after.flush()
    except JournalError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    stores.after.flush()
    print(stores.journal.action(action).state)
"""


def test_a_file_that_may_not_grow_costs_no_record(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "journal.sqlite3")],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    refused, state = result.stdout.splitlines()
    assert "cannot be written" in refused
    assert state == "finished"


async def test_nothing_is_done_that_cannot_be_announced(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    config = config_of(adb_server, tmp_path)
    async with compose(config) as runtime, connected_device(phone, adb_server) as device:
        agent = await agent_at(runtime, device.serial, Allows())
        recorded = await agent.decide(CLOCK)
        plan_ = recorded[1].plan
        assert plan_ is not None
        plan_id = runtime.stores.journal.record_plan(None, plan_)
        with locked(config.journal.path):
            (outcome,) = await agent._runner.carry_out(plan_id, plan_)
    assert outcome.kind is OutcomeKind.REFUSED
    assert "Another program holds the journal" in str(outcome.message)
    assert not phone.state.power.saver


# --- the supervision -------------------------------------------------------------------------------------------------


class Fails:
    """A reasoner that fails the first time, as a mistake in a plug-in does."""

    name = "routines"

    def __init__(self, error: Exception) -> None:
        self._error: Exception | None = error

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return recommendation()

    async def close(self) -> None:
        """Nothing to let go of."""


@asynccontextmanager
async def supervised(runtime: Runtime, serial: str, owner: Allows) -> AsyncIterator[tuple[Daemon, list[str]]]:
    """A daemon that monitors one phone, and every state that it told."""
    told: list[str] = []
    daemon = Daemon(
        runtime,
        wanted={serial},
        channels=[owner],
        changed=lambda: told.extend(f"{one.state}: {one.reason}" for one in daemon._status.values()),
    )
    running = asyncio.create_task(daemon.run())
    try:
        async with asyncio.timeout(15):
            while serial not in daemon._phones:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await daemon._phones[serial].events.begun.wait()
        yield daemon, told
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize(
    "error", [RuntimeError("plug-in"), OSError(28, "No space left on device"), sqlite3.DatabaseError("malformed")]
)
async def test_an_error_of_any_kind_is_told_and_the_phone_is_monitored_again(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, error: Exception
) -> None:
    owner = Allows()
    async with compose(config_of(adb_server, tmp_path)) as plain, connected_device(phone, adb_server) as device:
        runtime = plain._replace(reasoners=Reasoners(Fails(error)))
        async with supervised(runtime, device.serial, owner) as (daemon, told):
            phone.state.battery.set(level=50, charger="none")
            await until(lambda: any(line.startswith("failing") for line in told))
            await until(lambda: daemon._status[device.serial].state is MonitoringState.MONITORED)
            phone.state.battery.set(level=40, charger="none")
            await asyncio.wait_for(owner.shown.wait(), 60)
    (failed,) = {line for line in told if line.startswith("failing")}
    assert failed.endswith(("by itself.", "by itself; the log has more."))


async def test_a_locked_journal_is_told_and_the_event_is_decided_on_when_it_is_free(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    owner, config = Allows(), config_of(adb_server, tmp_path)
    async with compose(config) as plain, connected_device(phone, adb_server) as device:
        runtime = plain._replace(reasoners=Reasoners(Fails(JournalError("Held."))))
        async with supervised(runtime, device.serial, owner) as (_, told):
            with locked(config.journal.path):
                phone.state.battery.set(level=50, charger="none")
                await until(lambda: any("Another program holds the journal" in line for line in told))
            await asyncio.wait_for(owner.shown.wait(), 60)
        (entry,) = [one for one in runtime.stores.journal.timeline() if one.plan is not None]
    assert entry.trigger == TriggerKind.BATTERY_LEVEL


async def test_a_sentence_that_ends_in_half_an_emoji_is_asked_recorded_and_carried_out(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    owner = Allows()
    half = recommendation().model_dump() | {"rec": "Save power? \ud83d", "topic": "a\udc00"}
    async with compose(config_of(adb_server, tmp_path)) as runtime, connected_device(phone, adb_server) as device:
        agent = await agent_at(runtime, device.serial, owner, Recommendation.model_validate(half))
        assert await agent.handle(CLOCK) is Decision.ASK
        (entry,) = runtime.stores.journal.timeline()
    assert owner.asked[0].sentence == entry.decision.recommendation.rec == "Save power? \ufffd"
    assert entry.plan is not None and (entry.plan.answer, entry.plan.channel) == (Answer.ONCE, ChannelName.TERMINAL)
    assert phone.state.power.saver


async def test_a_channel_that_cannot_show_a_line_does_not_come_between_action_and_record(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    def broken(event: object) -> None:
        raise UnicodeEncodeError("ascii", "é", 0, 1, "ordinal not in range")

    async with compose(config_of(adb_server, tmp_path)) as runtime, connected_device(phone, adb_server) as device:
        agent = await agent_at(runtime, device.serial, Allows(), listen=broken)
        await agent.handle(CLOCK)
        (entry,) = runtime.stores.journal.timeline()
    assert [action.state for action in entry.actions] == [ActionState.FINISHED]


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
