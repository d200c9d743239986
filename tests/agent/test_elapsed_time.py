"""The elapsed time only ever counts time that passed, whatever happens to the clocks and to the machine."""

import sqlite3
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.config import PolicyConfig
from agent.journal import AgendaKind, Stores, stores_in
from agent.journal.database import utc
from agent.journal.schema import MIGRATIONS
from agent.policy.rules import check_moment
from agent.policy.verdict import Decision, Rule
from heed.clock import ManualClock
from tests.agent.make import NOON, SERIAL, context, recommendation
from tests.proof import examples

POLICY = PolicyConfig(quiet_until=PolicyConfig().quiet_from)
RETENTION, UNDO, COOL_DOWN = timedelta(days=90), timedelta(hours=8), timedelta(hours=12)

DURATIONS = st.one_of(st.integers(0, 3 * 3600), st.integers(0, 200 * 86400)).map(lambda s: timedelta(seconds=s))
TURNS = st.integers(-10 * 366 * 86400, 10 * 366 * 86400).map(lambda s: timedelta(seconds=s))
EVENTS = st.one_of(
    st.tuples(st.just("pass"), DURATIONS),
    st.tuples(st.just("turn host"), TURNS),
    st.tuples(st.just("turn phone"), TURNS),
    st.tuples(st.just("restart heed"), st.just(timedelta(0))),
    st.tuples(st.just("switch off"), DURATIONS),
    st.tuples(st.just("snapshot restored"), DURATIONS),
)


class World:
    """A machine with a journal, a phone, and a true time that neither of them knows."""

    def __init__(self, folder: Path) -> None:
        self.path, self.host, self.phone_ahead = folder / "journal.sqlite3", ManualClock(NOON), timedelta(0)
        self.true = self.running = timedelta(0)
        self.suggested: list[timedelta] = []
        self.kept_since: dict[int, timedelta] = {}
        self.rejected, self.undo_set = self.true, self.true
        self.undone: timedelta | None = None
        self._open = stores_in(self.path, self.host)
        self.stores: Stores = self._open.__enter__()
        self.stores.agenda.add_after(UNDO, SERIAL, AgendaKind.UNDO, {"action": 1})
        self.stores.cool_downs.reject(["topic:a"], COOL_DOWN)

    @property
    def shown(self) -> datetime:
        return self.host.wall() + self.phone_ahead

    def close(self) -> None:
        self._open.__exit__(None, None, None)

    def apply(self, event: str, time: timedelta) -> None:
        match event:
            case "pass":  # suspended or not: the monotonic clock counts both
                self.host.advance(time.total_seconds())
                self.true, self.running = self.true + time, self.running + time
            case "turn host":
                self.host.turn(time)
            case "turn phone":
                self.phone_ahead += time
            case "restart heed":
                self._reopen()
            case "switch off":
                self._restart(time, boot=str(uuid4()))
            case "snapshot restored":
                self._restart(time, boot=self.host.boot)
        self._act()

    def _restart(self, off: timedelta, *, boot: str) -> None:
        """The monotonic clock begins anew; the wall clock went on."""
        self.true += off
        host = ManualClock(self.host.wall() + off)
        host.boot = boot
        self.host = host
        self._reopen()

    def _reopen(self) -> None:
        self.close()
        self._open = stores_in(self.path, self.host)
        self.stores = self._open.__enter__()

    def _act(self) -> None:
        """What heed does at every opportunity: suggest where it may, delete, undo."""
        self.stores.journal.forget_older_than(RETENTION)
        if any(entry.kind is AgendaKind.UNDO for entry in self.stores.agenda.take_due(SERIAL, self.shown)):
            self.undone = self.true
        noon = self.shown.replace(hour=12)
        if check_moment(context(now=noon), self.stores, POLICY) is None:
            number = _suggest(self.stores, noon)
            self.suggested.append(self.true)
            self.kept_since[number] = self.true


def _suggest(stores: Stores, at: datetime) -> int:
    number = stores.journal.record_context(context(now=at))
    stores.journal.record_decision(number, at, recommendation(), decision=Decision.ASK, rule=Rule.ASK_FIRST, reason="")
    return number


def _most_within(moments: list[timedelta], period: timedelta) -> int:
    return max((sum(start <= one < start + period for one in moments) for start in moments), default=0)


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(EVENTS, max_size=40))
def test_nothing_is_early_and_nothing_never_ends(events: list[tuple[str, timedelta]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        try:
            for event, time in events:
                world.apply(event, time)
                _check(world)
            # Whatever was done to the clocks: as much running time as was asked for ends everything.
            world.apply("pass", RETENTION + timedelta(minutes=1))
            world.apply("restart heed", timedelta(0))
            assert world.undone is not None
            assert world.stores.cool_downs.longest(["topic:a"]) is None
            assert world.suggested and world.suggested[-1] == world.true
            left = {entry.decision.context_id for entry in world.stores.journal.timeline(9999)}
            assert left == {number for number, since in world.kept_since.items() if since == world.true}
        finally:
            world.close()


def _check(world: World) -> None:
    assert _most_within(world.suggested, timedelta(hours=1)) <= POLICY.per_hour
    assert _most_within(world.suggested, timedelta(hours=24)) <= POLICY.per_day
    if world.true < RETENTION:
        for number, since in world.kept_since.items():
            assert world.true - since >= RETENTION or world.stores.journal.context(number)
    assert world.undone is None or world.undone >= UNDO - timedelta(seconds=1)
    if world.true < COOL_DOWN:
        assert world.stores.cool_downs.longest(["topic:a"]) is not None


def test_two_processes_count_the_same_time(tmp_path: Path) -> None:
    host = ManualClock(NOON)
    with stores_in(tmp_path / "j", host) as daemon, stores_in(tmp_path / "j", host) as command:
        for _ in range(5):
            host.advance(1000)
            assert daemon.elapsed.now() == command.elapsed.now()
        assert command.elapsed.now() == 4000


def test_a_journal_that_is_taken_to_a_machine_that_runs_for_years_is_not_emptied(tmp_path: Path) -> None:
    with stores_in(tmp_path / "j", ManualClock(NOON)) as stores:
        _suggest(stores, NOON)
    other = ManualClock(NOON)
    other.advance(3 * 366 * 86400)
    with stores_in(tmp_path / "j", other) as stores:
        assert stores.journal.forget_older_than(RETENTION) == 0


def test_a_minute_at_most_is_lost_when_the_machine_ends_suddenly(tmp_path: Path) -> None:
    host = ManualClock(NOON)
    with stores_in(tmp_path / "j", host) as stores:
        for _ in range(1000):
            host.advance(7)
            stores.elapsed.now()
    with stores_in(tmp_path / "j", ManualClock(NOON)) as stores:
        assert 6900 <= stores.elapsed.now() <= 6993


@pytest.mark.parametrize("years", [-2, 0, 2])
def test_an_older_journal_keeps_its_contexts_and_ends_its_cool_downs(tmp_path: Path, years: int) -> None:
    """Its times may be wrong: nothing is deleted because of them, and nothing lasts longer than it was meant to."""
    at = utc(datetime.now(NOON.tzinfo) + timedelta(days=366 * years))
    with sqlite3.connect(tmp_path / "j") as db:
        db.executescript("".join(MIGRATIONS[:3]) + "PRAGMA user_version = 3;")
        body = context().model_dump_json()
        db.execute("INSERT INTO context VALUES (1, ?, ?, 'battery_level', ?)", (at, SERIAL, body))
        decision = (at, recommendation().model_dump_json())
        db.execute("INSERT INTO decision VALUES (1, 1, ?, 't', 'ask', 'ask_first', 'why', ?)", decision)
        db.execute("INSERT INTO cool_down VALUES ('topic:a', 2, ?)", (at,))
        db.execute("INSERT INTO cool_down VALUES ('topic:b', 1, NULL)")
    db.close()
    host = ManualClock(NOON)
    with stores_in(tmp_path / "j", host) as stores:
        assert stores.journal.forget_older_than(RETENTION) == 0
        host.advance(24 * 3600)
        assert stores.cool_downs.longest(["topic:a"]) is None
        assert stores.cool_downs.longest(["topic:b"]) is not None
        assert stores.history.suggestions(SERIAL, timedelta(hours=24)) == 0
        host.advance(RETENTION.total_seconds())
        assert stores.journal.forget_older_than(RETENTION) == 1
