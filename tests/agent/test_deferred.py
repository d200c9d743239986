"""Deferred triggers are decided on again, for a limited time."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.journal import Agenda, AgendaKind, Database
from agent.loop.deferred import LONGEST, RETRY_AFTER, DeferredTriggers
from collectors.context import Trigger, TriggerKind
from heed.trust import Trust
from tests.agent.make import NOON, SERIAL

NEWS = Trigger(
    kind=TriggerKind.SMS_RECEIVED, data={"number": "5550199", "text": "my new number"}, trust=Trust.THIRD_PARTY
)


@pytest.fixture
def agenda(tmp_path: Path) -> Iterator[Agenda]:
    database = Database(tmp_path / "journal.sqlite3")
    yield Agenda(database)
    database.close()


def due(agenda: Agenda, now: datetime) -> list[Trigger]:
    taken = agenda.take_due(SERIAL, now)
    assert all(one.kind == AgendaKind.DEFERRED for one in taken)
    for one in taken:
        agenda.done(one)
    return [Trigger.model_validate(one.body) for one in taken]


def test_a_deferred_message_is_due_again_unchanged(agenda: Agenda) -> None:
    DeferredTriggers(agenda, SERIAL).defer(NEWS, NOON)
    assert due(agenda, NOON + RETRY_AFTER - timedelta(seconds=1)) == []
    assert due(agenda, NOON + RETRY_AFTER) == [NEWS]
    assert due(agenda, NOON + 2 * RETRY_AFTER) == []


def test_a_trigger_deferred_for_too_long_is_dropped_and_a_later_one_is_deferred_anew(agenda: Agenda) -> None:
    deferred, now, looks = DeferredTriggers(agenda, SERIAL), NOON, 0
    deferred.defer(NEWS, now)
    while due(agenda, now + RETRY_AFTER):
        now, looks = now + RETRY_AFTER, looks + 1
        deferred.defer(NEWS, now)
    assert looks * RETRY_AFTER == LONGEST
    deferred.defer(NEWS, now + timedelta(hours=3))
    assert due(agenda, now + timedelta(hours=4)) == [NEWS]


def test_a_trigger_that_was_decided_on_meanwhile_is_deferred_anew(agenda: Agenda) -> None:
    deferred = DeferredTriggers(agenda, SERIAL)
    deferred.defer(NEWS, NOON)
    deferred.drop(NEWS)
    deferred.defer(NEWS, NOON + LONGEST)
    assert len(due(agenda, NOON + 2 * LONGEST)) == 2


@pytest.mark.parametrize("kind", ["battery_level", "app_foreground", "screen", "charger"])
def test_a_passing_state_is_not_deferred(agenda: Agenda, kind: str) -> None:
    DeferredTriggers(agenda, SERIAL).defer(Trigger(kind=kind), NOON)
    assert due(agenda, NOON + LONGEST) == []
