"""Deferred triggers are decided on again, for a limited time."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.journal import AgendaKind, Stores, stores_in
from agent.loop.deferred import LONGEST, RETRY_AFTER, DeferredTriggers
from collectors.context import Trigger, TriggerKind
from heed.clock import ManualClock
from heed.trust import Trust
from tests.agent.make import NOON, SERIAL

NEWS = Trigger(
    kind=TriggerKind.SMS_RECEIVED, data={"number": "5550199", "text": "my new number"}, trust=Trust.THIRD_PARTY
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def stores(tmp_path: Path, clock: ManualClock) -> Iterator[Stores]:
    with stores_in(tmp_path / "journal.sqlite3", clock) as stores:
        yield stores


def due(stores: Stores) -> list[Trigger]:
    taken = stores.agenda.take_due(SERIAL, NOON)
    assert all(one.kind == AgendaKind.DEFERRED for one in taken)
    for one in taken:
        stores.agenda.done(one)
    return [Trigger.model_validate(one.body) for one in taken]


def wait(clock: ManualClock, time: timedelta) -> None:
    clock.advance(time.total_seconds())


def test_a_deferred_message_is_due_again_unchanged(stores: Stores, clock: ManualClock) -> None:
    DeferredTriggers(stores, SERIAL).defer(NEWS)
    wait(clock, RETRY_AFTER - timedelta(seconds=1))
    assert due(stores) == []
    wait(clock, timedelta(seconds=1))
    assert due(stores) == [NEWS]
    wait(clock, RETRY_AFTER)
    assert due(stores) == []


def test_a_trigger_deferred_for_too_long_is_dropped_and_a_later_one_is_deferred_anew(
    stores: Stores, clock: ManualClock
) -> None:
    deferred, looks = DeferredTriggers(stores, SERIAL), 0
    deferred.defer(NEWS)
    wait(clock, RETRY_AFTER)
    while due(stores):
        looks += 1
        deferred.defer(NEWS)
        wait(clock, RETRY_AFTER)
    assert looks * RETRY_AFTER == LONGEST
    wait(clock, timedelta(hours=3))
    deferred.defer(NEWS)
    wait(clock, timedelta(hours=1))
    assert due(stores) == [NEWS]


def test_a_trigger_that_was_decided_on_meanwhile_is_deferred_anew(stores: Stores, clock: ManualClock) -> None:
    deferred = DeferredTriggers(stores, SERIAL)
    deferred.defer(NEWS)
    deferred.drop(NEWS)
    wait(clock, LONGEST)
    deferred.defer(NEWS)
    wait(clock, LONGEST)
    assert len(due(stores)) == 2


@pytest.mark.parametrize("kind", ["battery_level", "app_foreground", "screen", "charger"])
def test_a_passing_state_is_not_deferred(stores: Stores, clock: ManualClock, kind: str) -> None:
    DeferredTriggers(stores, SERIAL).defer(Trigger(kind=kind))
    wait(clock, LONGEST)
    assert due(stores) == []


@pytest.mark.parametrize(
    ("before", "state", "deferred"), [("ringing", "idle", 1), ("off_hook", "idle", 0), ("idle", "ringing", 0)]
)
def test_of_calls_only_an_unanswered_one_is_deferred(
    stores: Stores, clock: ManualClock, before: str, state: str, deferred: int
) -> None:
    DeferredTriggers(stores, SERIAL).defer(Trigger(kind="call", data={"before": before, "state": state}))
    wait(clock, LONGEST)
    assert len(due(stores)) == deferred
