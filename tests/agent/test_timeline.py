"""Pages of the timeline: silences folded, the search, the owner's touches, and forgetting one moment."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from agent.consent.request import Answer, ChannelName
from agent.journal import (
    AgendaKind,
    Ending,
    SilentStretch,
    Stores,
    TimelineEntry,
    TimelineRow,
    TouchStretch,
    stores_in,
)
from agent.policy.verdict import Decision, Rule
from collectors.context import StoredFrame
from heed.clock import ManualClock
from heed.errors import UsageError
from heed.messages import Text, msg
from models.reasoner import silence
from tests.agent.make import NOON, SERIAL, context, plan, recommendation, step

SHANGHAI = timezone(timedelta(hours=8))
MINUTE = timedelta(minutes=1)
NOTHING = msg("nothing to suggest")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with stores_in(tmp_path / "journal.sqlite3", ManualClock(NOON)) as stores:
        yield stores


def silent(stores: Stores, at: datetime = NOON, rule: Rule = Rule.NO_RECOMMENDATION, reason: Text = NOTHING) -> int:
    said = context(at)
    return stores.journal.record_decision(
        stores.journal.record_context(said), at, silence("routines", "x"), decision=Decision.SILENT, rule=rule,
        reason=reason,
    )  # fmt: skip


def asked(stores: Stores, at: datetime = NOON, answer: Answer | None = None, topic: str = "low_battery") -> int:
    decision_id = stores.journal.record_decision(
        stores.journal.record_context(context(at)), at, recommendation(topic=topic), decision=Decision.ASK,
        rule=Rule.ASK_FIRST, reason="asking first",
    )  # fmt: skip
    plan_id = stores.journal.record_plan(decision_id, plan())
    if answer is not None:
        stores.journal.record_answer(plan_id, plan().hash, at, answer, ChannelName.CONSOLE)
    return decision_id


def rows(stores: Stores, limit: int = 25, before: int | None = None, text: str = "") -> tuple[TimelineRow, ...]:
    return stores.timeline.page(limit, before, text).rows


def test_consecutive_silences_are_one_row_with_their_reasons_and_what_was_asked_is_its_own(stores: Stores) -> None:
    for minute in range(3):
        silent(stores, NOON + minute * MINUTE)
    silent(stores, NOON + 3 * MINUTE, Rule.IN_CALL, msg("you are in a call"))
    question = asked(stores, NOON + 4 * MINUTE)
    silent(stores, NOON + 5 * MINUTE)
    newest, entry, stretch = rows(stores)
    assert isinstance(newest, SilentStretch)
    assert newest.count == 1
    assert isinstance(entry, TimelineEntry)
    assert entry.decision.id == question
    assert isinstance(stretch, SilentStretch)
    assert (stretch.count, stretch.begun, stretch.ended) == (4, NOON, NOON + 3 * MINUTE)
    assert [(str(reason.reason), reason.times) for reason in stretch.reasons] == [
        ("nothing to suggest", 3),
        ("you are in a call", 1),
    ]
    inside = stores.timeline.silences(stretch.newest, stretch.oldest)
    assert [one.decision.at for one in inside] == [NOON + minute * MINUTE for minute in (3, 2, 1, 0)]


def test_what_could_not_be_decided_is_not_counted_among_the_silences(stores: Stores) -> None:
    silent(stores)
    silent(stores, NOON + MINUTE, Rule.REASONER_FAILED, "the reasoner failed: no memory")
    silent(stores, NOON + 2 * MINUTE)
    faults = [row.is_fault for row in rows(stores) if isinstance(row, SilentStretch)]
    assert faults == [False, True, False]


def test_a_stretch_ends_with_the_phones_own_day(stores: Stores) -> None:
    midnight = datetime(2026, 2, 7, 0, 0, tzinfo=SHANGHAI)
    silent(stores, midnight - MINUTE)
    silent(stores, midnight + MINUTE)
    found = [row for row in rows(stores) if isinstance(row, SilentStretch)]
    assert [row.begun for row in found] == [midnight + MINUTE, midnight - MINUTE]
    assert [row.begun.utcoffset() for row in found] == [timedelta(hours=8)] * 2


def test_pages_hold_every_decision_once(stores: Stores) -> None:
    made = [asked(stores, NOON + minute * MINUTE) if minute % 3 else silent(stores, NOON + minute * MINUTE)
            for minute in range(20)]  # fmt: skip
    seen: list[int] = []
    before: int | None = None
    while True:
        page = stores.timeline.page(4, before)
        for row in page.rows:
            if isinstance(row, TimelineEntry):
                seen.append(row.decision.id)
            elif isinstance(row, SilentStretch):
                seen += [one.decision.id for one in stores.timeline.silences(row.newest, row.oldest)]
        if (before := page.older) is None:
            break
    assert seen == made[::-1]


@pytest.mark.parametrize(("text", "found"), [("battery", 1), ("BATTERY", 1), ("%", 0), ("_", 2), ("nothing", 1)])
def test_a_search_finds_whole_decisions_and_takes_signs_as_they_are(stores: Stores, text: str, found: int) -> None:
    asked(stores)
    silent(stores, rule=Rule.NO_RECOMMENDATION)
    shown = rows(stores, text=text)
    assert all(isinstance(row, TimelineEntry) for row in shown)
    # Both triggers are of the kind `battery_level`: the sign is found there.
    assert len(shown) == (2 if text.lower() == "battery" else found)


def test_the_owners_touches_stand_between_the_decisions_and_are_no_actions(stores: Stores) -> None:
    first = silent(stores, NOON)
    for second in range(3):
        stores.touches.record("phone", SERIAL, NOON + timedelta(seconds=10 + second), "tap")
    asked(stores, NOON + MINUTE)
    stores.touches.record("phone", SERIAL, NOON + 2 * MINUTE, "swipe")
    found = rows(stores)
    assert [type(row) for row in found] == [TouchStretch, TimelineEntry, TouchStretch, SilentStretch]
    assert [row.count for row in found if isinstance(row, TouchStretch)] == [1, 3]
    assert not [action for row in found if isinstance(row, TimelineEntry) for action in row.actions]
    # Each stands on one page only.
    paged = [*rows(stores, limit=1), *rows(stores, limit=1, before=first + 1)]
    assert [type(row) for row in paged] == [type(row) for row in found]


def test_touches_are_deleted_with_the_retention(stores: Stores) -> None:
    stores.touches.record("phone", SERIAL, NOON, "tap")
    stores.journal.forget_older_than(timedelta(days=1))
    assert stores.touches.count() == 1
    stores.journal.forget_older_than(timedelta(0))
    assert stores.touches.count() == 0


def test_forgetting_a_decision_deletes_what_followed_from_it_and_nothing_else(stores: Stores) -> None:
    kept, gone = asked(stores), asked(stores, NOON + MINUTE, Answer.ONCE)
    entry = stores.journal.entry(gone)
    assert entry.plan is not None
    action = stores.journal.start_action(entry.plan.id, 0, step(), NOON)
    stores.agenda.add_at(1e9, "phone", AgendaKind.UNDO, {"action": action})
    assert stores.journal.forget_decision(gone).now == NOON + MINUTE
    assert [row.decision.id for row in rows(stores) if isinstance(row, TimelineEntry)] == [kept]
    assert stores.journal._db.execute("SELECT COUNT(*) FROM agenda").fetchone()[0] == 0
    with pytest.raises(UsageError):
        stores.journal.action(action)
    with pytest.raises(UsageError):
        stores.journal.forget_decision(gone)


def test_a_picture_is_known_as_long_as_a_context_holds_it(stores: Stores) -> None:
    frame = StoredFrame(sha256="a" * 64, path="/x.jpg", width=1, height=1, taken_at=NOON)
    stores.journal.record_context(context().model_copy(update={"frames": (frame,)}))
    assert stores.journal.holds_frame("a" * 64)
    assert not stores.journal.holds_frame("b" * 64)


def test_decisions_are_counted_by_what_became_of_them_in_the_phones_time(stores: Stores) -> None:
    at = NOON.astimezone(SHANGHAI)
    silent(stores, at)
    for answer in (Answer.ONCE, Answer.ALWAYS, Answer.NOT_NOW, Answer.NEVER, Answer.NO_ANSWER, None):
        asked(stores, at, answer)
    counted = stores.statistics.decisions(timedelta(days=1), stores.timeline.zone())
    assert [one.ending for one in counted] == [
        Ending.SILENT, Ending.ACCEPTED, Ending.ACCEPTED, Ending.DECLINED, Ending.DECLINED, Ending.NO_ANSWER,
        Ending.NO_ANSWER,
    ]  # fmt: skip
    assert {one.at.hour for one in counted} == {20}
    assert {one.functions for one in counted[1:]} == {"set_power_saving_mode"}


def test_before_the_first_decision_there_is_an_empty_page(stores: Stores) -> None:
    assert stores.timeline.page(25) == ((), None)
    assert stores.timeline.zone() is None
