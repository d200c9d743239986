import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.journal import ActionState, Agenda, Database, Journal, Memory
from agent.policy.threshold import Tally
from executors.plan import Outcome, OutcomeKind
from heed.errors import UsageError
from tests.agent.make import NOON, SERIAL, contact_call, context, plan, recommendation, step

DONE = Outcome(kind=OutcomeKind.VERIFIED, message="Battery saver is on.")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "journal.sqlite3")
    yield database
    database.close()


def planned(journal: Journal) -> int:
    context_id = journal.record_context(context())
    decision_id = journal.record_decision(
        context_id, NOON, recommendation(), decision="ask", rule="ask_first", reason="asking first"
    )
    return journal.record_plan(decision_id, plan())


def test_everything_about_an_action_is_read_back_after_reopening(tmp_path: Path, database: Database) -> None:
    journal = Journal(database)
    plan_id = planned(journal)
    assert journal.record_answer(plan_id, plan().hash, NOON, "once", "terminal")
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
    assert journal.record_answer(plan_id, plan().hash, NOON, "not_now", "terminal")
    assert not journal.record_answer(plan_id, plan().hash, NOON, "once", "console")
    assert journal.plan(plan_id).answer == "not_now"


def test_an_answer_with_another_plans_hash_does_not_count(database: Database) -> None:
    journal = Journal(database)
    plan_id = planned(journal)
    assert not journal.record_answer(plan_id, "0" * 64, NOON, "once", "console")
    assert journal.plan(plan_id).answer is None


@pytest.mark.parametrize("stage", ["started", "performed", "undoing"])
def test_what_was_begun_and_not_finished_is_half_known(database: Database, stage: str) -> None:
    journal = Journal(database)
    action_id = journal.start_action(planned(journal), 0, step(), NOON)
    if stage != "started":
        journal.performed(action_id, {})
    if stage == "undoing":
        journal.finish(action_id, DONE)
        journal.start_undo(action_id)
    assert [record.id for record in journal.half_known(SERIAL)] == [action_id]
    assert journal.half_known("another phone") == []
    journal.finish(action_id, DONE, ActionState.INTERRUPTED)
    assert journal.half_known(SERIAL) == []


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


def test_forgetting_old_contexts_takes_what_followed_from_them(database: Database) -> None:
    journal = Journal(database)
    journal.start_action(planned(journal), 0, step(), NOON)
    assert journal.forget_before(NOON + timedelta(seconds=1)) == 1
    for table in ("context", "decision", "plan", "answer", "action"):
        assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] == 0


def test_a_rejection_rests_and_each_further_one_rests_twice_as_long(database: Database) -> None:
    memory = Memory(database)
    hours = timedelta(hours=12)
    memory.reject(["topic:a"], NOON, hours)
    assert memory.resting(["topic:a"], NOON + timedelta(hours=11.9)) is not None
    assert memory.resting(["topic:a"], NOON + timedelta(hours=12.1)) is None
    assert memory.resting(["topic:b"], NOON) is None
    memory.reject(["topic:a"], NOON + timedelta(hours=13), hours)
    assert memory.resting(["topic:a"], NOON + timedelta(hours=36)) is not None


def test_never_is_for_ever_and_accepting_wipes_a_rest_out(database: Database) -> None:
    memory = Memory(database)
    memory.reject(["topic:a"], NOON, timedelta(hours=1), forever=True)
    assert memory.resting(["topic:a"], NOON + timedelta(days=3650)) is not None
    memory.reject(["topic:b"], NOON, timedelta(hours=1))
    memory.accept(["topic:b"])
    assert memory.resting(["topic:b"], NOON) is None


def test_a_permission_holds_for_its_scope_and_phone_only(database: Database) -> None:
    memory = Memory(database)
    memory.permit(SERIAL, "saver on", "Turn on battery saver?", NOON)
    assert memory.permitted(SERIAL, "saver on")
    assert not memory.permitted(SERIAL, "saver off")
    assert not memory.permitted("another phone", "saver on")


def test_an_appointment_is_handed_out_once_and_again_only_after_a_crash(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, "undo", {"action": 3})
    assert agenda.take_due(SERIAL, NOON - timedelta(seconds=1)) == []
    taken = agenda.take_due(SERIAL, NOON)
    assert [item.body for item in taken] == [{"action": 3}]
    assert agenda.take_due(SERIAL, NOON) == []
    agenda.release_taken(SERIAL)
    assert len(agenda.take_due(SERIAL, NOON)) == 1


def test_learning_anew_replaces_what_was_waiting_of_that_kind(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, "undo", {})
    agenda.replace(SERIAL, "clock", NOON, [(NOON + timedelta(hours=2), {})])
    agenda.replace(SERIAL, "clock", NOON, [(NOON + timedelta(hours=1), {})])
    assert agenda.next_due(SERIAL) == NOON
    kinds = [item.kind for item in agenda.take_due(SERIAL, NOON + timedelta(days=1))]
    assert kinds == ["undo", "clock"]


def test_what_became_due_while_the_future_was_put_together_still_waits(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, "clock", {})
    agenda.replace(SERIAL, "clock", NOON, [(NOON + timedelta(days=1), {})])
    assert [item.due for item in agenda.take_due(SERIAL, NOON + timedelta(seconds=1))] == [NOON]


def test_what_was_kept_leaves_no_row(database: Database) -> None:
    agenda = Agenda(database)
    agenda.add(NOON, SERIAL, "clock", {})
    agenda.done(agenda.take_due(SERIAL, NOON)[0])
    assert database.execute("SELECT COUNT(*) FROM schedule").fetchone()[0] == 0


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


def test_an_unknown_number_is_said_to_be_unknown(database: Database) -> None:
    with pytest.raises(UsageError, match="no action 42"):
        Journal(database).action(42)
    with pytest.raises(UsageError, match="no decision 42"):
        Journal(database).entry(42)


def answered(journal: Journal, answer: str, channel: str = "terminal") -> None:
    journal.record_answer(planned(journal), plan().hash, NOON, answer, channel)


def test_answers_are_counted_by_topic_and_by_function(database: Database) -> None:
    journal, memory = Journal(database), Memory(database)
    for answer in ("once", "not_now", "never", "always"):
        answered(journal, answer)
    for channel in ("nobody", "remembered", "command line"):
        answered(journal, "once", channel)
    planned(journal)
    told = Tally(accepted=2, rejected=2)
    assert memory.answers_to("low_battery", "", NOON) == told
    assert memory.answers_to("", "set_power_saving_mode", NOON) == told
    assert memory.answers_to("another topic", "", NOON) == Tally()
    assert memory.answers_to("", "save_contact", NOON) == Tally()
    assert memory.answers_to("low_battery", "", NOON + timedelta(seconds=1)) == Tally()


def test_what_was_carried_out_is_remembered_taken_back_or_not_but_not_what_failed(database: Database) -> None:
    journal, memory = Journal(database), Memory(database)
    failed = journal.start_action(planned(journal), 0, step(contact_call()), NOON)
    journal.finish(failed, Outcome(kind=OutcomeKind.FAILED, message="no"))
    undone = journal.start_action(planned(journal), 0, step(), NOON)
    journal.finish(undone, DONE)
    journal.start_undo(undone)
    journal.finish_undo(undone, DONE)
    assert [call.name for call in memory.carried_out(SERIAL, NOON)] == ["set_power_saving_mode"]
    assert memory.carried_out("another phone", NOON) == []
    assert memory.carried_out(SERIAL, NOON + timedelta(seconds=1)) == []
