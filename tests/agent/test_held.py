"""What came while the person was busy is looked at again, and not for ever."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.journal import Agenda, Database
from agent.loop.deferred import AGAIN, HELD_APPOINTMENT, LONGEST, Held
from collectors.context import Trigger
from heed.trust import Trust
from tests.agent.make import NOON, SERIAL

NEWS = Trigger(kind="sms_received", data={"number": "5550199", "text": "my new number"}, trust=Trust.THIRD_PARTY)


@pytest.fixture
def agenda(tmp_path: Path) -> Iterator[Agenda]:
    database = Database(tmp_path / "journal.sqlite3")
    yield Agenda(database)
    database.close()


def due(agenda: Agenda, now: datetime) -> list[Trigger]:
    taken = agenda.take_due(SERIAL, now)
    assert all(one.kind == HELD_APPOINTMENT for one in taken)
    for one in taken:
        agenda.done(one)
    return [Trigger.model_validate(one.body) for one in taken]


def test_a_message_is_looked_at_again_as_it_came(agenda: Agenda) -> None:
    Held(agenda, SERIAL).hold(NEWS, NOON)
    assert due(agenda, NOON + AGAIN - timedelta(seconds=1)) == []
    assert due(agenda, NOON + AGAIN) == [NEWS]
    assert due(agenda, NOON + 2 * AGAIN) == []


def test_what_was_held_for_long_is_let_go_and_the_next_one_waits_anew(agenda: Agenda) -> None:
    held, now, looks = Held(agenda, SERIAL), NOON, 0
    held.hold(NEWS, now)
    while due(agenda, now + AGAIN):
        now, looks = now + AGAIN, looks + 1
        held.hold(NEWS, now)
    assert looks * AGAIN == LONGEST
    held.hold(NEWS, now + timedelta(hours=3))
    assert due(agenda, now + timedelta(hours=4)) == [NEWS]


def test_what_was_judged_meanwhile_starts_anew(agenda: Agenda) -> None:
    held = Held(agenda, SERIAL)
    held.hold(NEWS, NOON)
    held.let_go(NEWS)
    held.hold(NEWS, NOON + LONGEST)
    assert len(due(agenda, NOON + 2 * LONGEST)) == 2


@pytest.mark.parametrize("kind", ["battery_level", "app_foreground", "screen", "charger"])
def test_a_passing_moment_is_not_saved_up(agenda: Agenda, kind: str) -> None:
    Held(agenda, SERIAL).hold(Trigger(kind=kind), NOON)
    assert due(agenda, NOON + LONGEST) == []
