import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.consent.request import Answer, ChannelName
from agent.journal import (
    ActionState,
    Agenda,
    AgendaKind,
    AnswerHistory,
    CoolDowns,
    Database,
    Grants,
    Journal,
    stores_in,
)
from agent.journal.database import utc
from agent.journal.schema import MIGRATIONS
from agent.policy.grants import scope_of
from agent.policy.threshold import Tally
from agent.policy.verdict import Decision, Rule
from collectors.context import Trigger, TriggerKind
from executors.plan import Outcome, OutcomeKind
from heed.clock import ManualClock
from heed.errors import UsageError
from tests.agent.make import NOON, SERIAL, contact_call, context, plan, recommendation, step

DAY = timedelta(days=1)
DONE = Outcome(kind=OutcomeKind.VERIFIED, message="Battery saver is on.")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def database(tmp_path: Path, clock: ManualClock) -> Iterator[Database]:
    database = Database(tmp_path / "journal.sqlite3", clock)
    yield database
    database.close()


def planned(journal: Journal) -> int:
    context_id = journal.record_context(context())
    decision_id = journal.record_decision(
        context_id, NOON, recommendation(), decision=Decision.ASK, rule=Rule.ASK_FIRST, reason="asking first"
    )
    return journal.record_plan(decision_id, plan())


def test_everything_about_an_action_is_read_back_after_reopening(tmp_path: Path, database: Database) -> None:
    journal = Journal(database)
    plan_id = planned(journal)
    assert journal.record_answer(plan_id, plan().hash, NOON, Answer.ONCE, ChannelName.TERMINAL)
    action_id = journal.start_action(plan_id, 0, step(), NOON)
    journal.performed(action_id, {"row": 7})
    journal.finish(action_id, DONE)
    database.close()

    entry = Journal(Database(tmp_path / "journal.sqlite3")).timeline()[0]
    assert entry.trigger == "battery_level"
    assert entry.decision.recommendation == recommendation()
    assert entry.plan is not None
    assert (entry.plan.plan, entry.plan.answer, entry.plan.channel) == (plan(), "once", "terminal")
    assert entry.actions[0].receipt == {"row": 7}
    assert entry.actions[0].outcome == DONE


def test_only_the_first_answer_to_a_plan_counts(database: Database) -> None:
    journal = Journal(database)
    plan_id = planned(journal)
    assert journal.record_answer(plan_id, plan().hash, NOON, Answer.NOT_NOW, ChannelName.TERMINAL)
    assert not journal.record_answer(plan_id, plan().hash, NOON, Answer.ONCE, ChannelName.CONSOLE)
    assert journal.plan(plan_id).answer == "not_now"


def test_an_answer_with_another_plans_hash_does_not_count(database: Database) -> None:
    journal = Journal(database)
    plan_id = planned(journal)
    assert not journal.record_answer(plan_id, "0" * 64, NOON, Answer.ONCE, ChannelName.CONSOLE)
    assert journal.plan(plan_id).answer is None


@pytest.mark.parametrize("stage", ["started", "performed", "undoing"])
def test_what_was_begun_and_not_finished_is_in_doubt(database: Database, stage: str) -> None:
    journal = Journal(database)
    action_id = journal.start_action(planned(journal), 0, step(), NOON)
    if stage != "started":
        journal.performed(action_id, {})
    if stage == "undoing":
        journal.finish(action_id, DONE)
        journal.start_undo(action_id)
    assert [record.id for record in journal.in_doubt(SERIAL)] == [action_id]
    assert journal.in_doubt("another phone") == []
    if stage == "undoing":
        journal.finish_undo(action_id, Outcome(kind=OutcomeKind.UNKNOWN, message="The cable."))
        assert [record.id for record in journal.in_doubt(SERIAL)] == [action_id]
        journal.finish_undo(action_id, DONE)
    else:
        journal.finish(action_id, DONE, ActionState.INTERRUPTED)
    assert journal.in_doubt(SERIAL) == []


def test_an_undo_that_failed_can_be_tried_again(database: Database) -> None:
    journal = Journal(database)
    action_id = journal.start_action(planned(journal), 0, step(), NOON)
    journal.finish(action_id, DONE)
    journal.start_undo(action_id)
    journal.finish_undo(action_id, Outcome(kind=OutcomeKind.FAILED, message="no"))
    assert journal.action(action_id).can_be_undone
    journal.start_undo(action_id)
    journal.finish_undo(action_id, DONE)
    assert not journal.action(action_id).can_be_undone


def test_forgetting_old_contexts_takes_what_followed_from_them(database: Database, clock: ManualClock) -> None:
    journal = Journal(database)
    journal.start_action(planned(journal), 0, step(), NOON)
    clock.advance(60)
    assert journal.forget_older_than(timedelta(seconds=61)) == 0
    assert journal.forget_older_than(timedelta(seconds=60)) == 1
    for table in ("context", "decision", "plan", "answer", "action"):
        assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] == 0


def test_a_rejection_starts_a_cool_down_and_each_further_one_a_cool_down_twice_as_long(
    database: Database, clock: ManualClock
) -> None:
    cool_downs = CoolDowns(database)
    twelve = timedelta(hours=12)
    cool_downs.reject(["topic:a"], twelve)
    clock.advance(11.9 * 3600)
    assert cool_downs.longest(["topic:a"]) is not None
    assert cool_downs.longest(["topic:b"]) is None
    clock.advance(0.2 * 3600)
    assert cool_downs.longest(["topic:a"]) is None
    cool_downs.reject(["topic:a"], twelve)
    clock.advance(23 * 3600)
    assert cool_downs.longest(["topic:a"]) is not None


def test_never_has_no_end_and_accepting_ends_a_cool_down(database: Database, clock: ManualClock) -> None:
    cool_downs = CoolDowns(database)
    cool_downs.reject(["topic:a"], timedelta(hours=1), forever=True)
    cool_downs.reject(["topic:b"], timedelta(hours=1))
    cool_downs.accept(["topic:b"])
    assert cool_downs.longest(["topic:b"]) is None
    clock.advance(3650 * 86400)
    assert cool_downs.longest(["topic:a"]) is not None


def test_a_grant_is_kept_once_for_its_phone_until_it_is_revoked(database: Database) -> None:
    grants, scope = Grants(database), scope_of(plan())
    grants.add(SERIAL, scope, "Turn on battery saver?", NOON)
    grants.add(SERIAL, scope, "Turn on battery saver?", NOON)
    assert grants.scopes(SERIAL) == [scope]
    assert grants.scopes("another phone") == []
    (grant,) = grants.entries()
    assert grants.revoke(grant.id)
    assert not grants.revoke(grant.id)
    assert grants.scopes(SERIAL) == []


def test_an_agenda_entry_is_handed_out_once_and_again_only_after_a_crash(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, AgendaKind.UNDO, {"action": 3})
    assert agenda.take_due(SERIAL, NOON - timedelta(seconds=1)) == []
    taken = agenda.take_due(SERIAL, NOON)
    assert [item.body for item in taken] == [{"action": 3}]
    assert agenda.take_due(SERIAL, NOON) == []
    agenda.release_taken(SERIAL)
    assert len(agenda.take_due(SERIAL, NOON)) == 1


def test_planning_anew_replaces_the_waiting_entries_of_that_kind(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, AgendaKind.UNDO, {})
    agenda.replace(SERIAL, AgendaKind.CLOCK, NOON, [(NOON + timedelta(hours=2), {})])
    agenda.replace(SERIAL, AgendaKind.CLOCK, NOON, [(NOON + timedelta(hours=1), {})])
    assert agenda.next_due(SERIAL, NOON) == NOON
    kinds = [item.kind for item in agenda.take_due(SERIAL, NOON + timedelta(days=1))]
    assert kinds == [AgendaKind.UNDO, AgendaKind.CLOCK]


def test_an_entry_that_became_due_during_planning_still_waits(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, AgendaKind.CLOCK, {})
    agenda.replace(SERIAL, AgendaKind.CLOCK, NOON, [(NOON + timedelta(days=1), {})])
    assert [item.due for item in agenda.take_due(SERIAL, NOON + timedelta(seconds=1))] == [NOON]


def test_a_processed_agenda_entry_leaves_no_row(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, AgendaKind.CLOCK, {})
    agenda.done(agenda.take_due(SERIAL, NOON)[0])
    assert database.execute("SELECT COUNT(*) FROM agenda").fetchone()[0] == 0


def test_a_file_that_is_no_journal_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(UsageError, match="Move it away"):
        Database(path)


def test_a_journal_of_a_newer_heed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 999")
    with pytest.raises(UsageError, match="newer heed"):
        Database(path)


def test_a_journal_with_the_earlier_words_is_migrated_and_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with sqlite3.connect(path) as db:
        db.executescript("".join(MIGRATIONS[:2]) + "PRAGMA user_version = 2;")
        at = utc(NOON)
        db.execute(
            "INSERT INTO context VALUES (1, ?, ?, 'battery_level', ?)", (at, SERIAL, context().model_dump_json())
        )
        for number, rule in enumerate(("resting", "permitted", "ask_first"), start=1):
            body = recommendation().model_dump_json()
            db.execute("INSERT INTO decision VALUES (?, 1, ?, 't', 'silent', ?, 'why', ?)", (number, at, rule, body))
        db.execute("INSERT INTO restraint VALUES ('topic:a', 1, NULL)")
        db.execute("INSERT INTO permission VALUES (1, ?, ?, 'scope', 'Turn it on?')", (at, SERIAL))
        db.execute(
            "INSERT INTO schedule (due, serial, kind, body) VALUES (?, ?, 'held', ?)",
            (at, SERIAL, Trigger(kind=TriggerKind.CLOCK).model_dump_json()),
        )
    with stores_in(path) as stores:
        rules = [entry.decision.rule for entry in stores.journal.timeline()]
        assert rules == [Rule.ASK_FIRST, Rule.GRANTED, Rule.COOL_DOWN]
        assert stores.cool_downs.longest(["topic:a"]) is not None
        # What it covered was not recorded with its values: it covers nothing any more.
        assert stores.grants.entries() == []
        (entry,) = stores.agenda.take_due(SERIAL, NOON)
        assert entry.kind is AgendaKind.DEFERRED


def test_an_unknown_number_is_said_to_be_unknown(database: Database) -> None:
    with pytest.raises(UsageError, match="no action 42"):
        Journal(database).action(42)
    with pytest.raises(UsageError, match="no decision 42"):
        Journal(database).entry(42)


def answered(journal: Journal, answer: str, channel: str = ChannelName.TERMINAL) -> None:
    journal.record_answer(planned(journal), plan().hash, NOON, Answer(answer), ChannelName(channel))


def test_answers_are_counted_by_topic_and_by_function(database: Database, clock: ManualClock) -> None:
    journal, history = Journal(database), AnswerHistory(database)
    for answer in ("once", "not_now", "never", "always"):
        answered(journal, answer)
    for channel in ("nobody", "remembered", "command line"):
        answered(journal, "once", channel)
    planned(journal)
    told = Tally(accepted=2, rejected=2)
    assert history.answers_to("low_battery", "", DAY) == told
    assert history.answers_to("", "set_power_saving_mode", DAY) == told
    assert history.answers_to("another topic", "", DAY) == Tally()
    assert history.answers_to("", "save_contact", DAY) == Tally()
    clock.advance(DAY.total_seconds())
    assert history.answers_to("low_battery", "", DAY) == Tally()


def test_a_question_that_nobody_answered_is_kept_apart_from_rejections(database: Database, clock: ManualClock) -> None:
    journal, history = Journal(database), AnswerHistory(database)
    answered(journal, "not_now")
    answered(journal, "no_answer", ChannelName.NOBODY)
    assert history.answers_to("low_battery", "", DAY) == Tally(rejected=1)
    (request,) = history.unanswered(DAY)
    assert (request.ago, request.topic) == (timedelta(), "low_battery")
    assert [call.name for call in request.calls] == ["set_power_saving_mode"]
    clock.advance(DAY.total_seconds())
    assert history.unanswered(DAY) == []


def test_in_an_earlier_journal_what_nobody_answered_becomes_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with stores_in(path) as stores:
        answered(stores.journal, "not_now", ChannelName.NOBODY)
        answered(stores.journal, "not_now")
    with sqlite3.connect(path) as db:
        (migration,) = [script for script in MIGRATIONS if "no_answer" in script]
        db.executescript(migration)
    with stores_in(path) as stores:
        assert [entry.plan.answer for entry in stores.journal.timeline() if entry.plan] == ["not_now", "no_answer"]


def test_carried_out_calls_include_undone_ones_and_no_failed_ones(database: Database, clock: ManualClock) -> None:
    journal, history = Journal(database), AnswerHistory(database)
    failed = journal.start_action(planned(journal), 0, step(contact_call()), NOON)
    journal.finish(failed, Outcome(kind=OutcomeKind.FAILED, message="no"))
    undone = journal.start_action(planned(journal), 0, step(), NOON)
    journal.finish(undone, DONE)
    journal.start_undo(undone)
    journal.finish_undo(undone, DONE)
    assert [call.name for call in history.carried_out(SERIAL, DAY)] == ["set_power_saving_mode"]
    assert history.carried_out("another phone", DAY) == []
    clock.advance(DAY.total_seconds())
    assert history.carried_out(SERIAL, DAY) == []


def silence(journal: Journal, text: str = "") -> int:
    number = journal.record_context(context(screen__text=text or "x" * 20_000))
    journal.record_decision(
        number, NOON, recommendation(), decision=Decision.SILENT, rule=Rule.NO_RECOMMENDATION, reason=""
    )
    return number


def test_of_a_silence_the_trigger_alone_is_kept_after_a_day(database: Database, clock: ManualClock) -> None:
    journal = Journal(database)
    silent = silence(journal)
    planned(journal)
    asked = journal.timeline()[0].decision.context_id
    clock.advance(DAY.total_seconds() - 1)
    assert journal.reduce_silences(DAY) == 0
    clock.advance(1)
    assert journal.reduce_silences(DAY) == 1
    assert journal.reduce_silences(DAY) == 0
    left = journal.context(silent)
    assert (left.trigger, left.now, left.serial) == (context().trigger, NOON, SERIAL)
    assert not list(left.facts())
    assert journal.context(asked) == context()


def test_a_journal_that_is_too_large_loses_its_oldest_silences_and_nothing_that_was_suggested(
    database: Database, clock: ManualClock
) -> None:
    journal = Journal(database)
    action = journal.start_action(planned(journal), 0, step(), NOON)
    for _ in range(1000):
        silence(journal)
    newest = silence(journal)
    assert database.used_bytes() > 20e6
    assert 500 < journal.limit_size(5e6) < 1000
    assert database.used_bytes() <= 5e6
    assert journal.action(action).id == action
    assert journal.context(newest).value("screen.text")
    for _ in range(1000):  # the free pages are used again
        silence(journal)
        journal.limit_size(5e6)
    assert database.path.stat().st_size < 40e6
    journal.limit_size(1)
    assert [entry.decision.decision for entry in journal.timeline(9999)] == [Decision.ASK]
