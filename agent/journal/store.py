"""Reading and writing the journal. One process writes at a time: the daemon, or a command holding the phone's lock."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pydantic import JsonValue

from agent.consent.request import Answer
from agent.journal.agenda import AgendaKind
from agent.journal.database import Database, utc
from agent.journal.records import ActionRecord, ActionState, DecisionRecord, PlanRecord, TimelineEntry
from agent.policy.verdict import Decision, Rule
from collectors.context import Context, Dimension
from executors.plan import Outcome, OutcomeKind, Plan, Step
from heed.errors import UsageError
from heed.messages import Text, msg, restored, stored
from models.reasoner import Recommendation

_SUGGESTED = f"SELECT 1 FROM decision WHERE context_id = context.id AND decision != '{Decision.SILENT}'"  # noqa: S608
_SILENT = f"NOT EXISTS ({_SUGGESTED})"
"""The condition of a context on which nothing was suggested."""
_SECTIONS = ", ".join(f"'$.{name}'" for name in (*Dimension, "frames"))
_BATCH = 200


class Journal:
    """Contexts, decisions, plans, answers and actions; the times that are shown are the phone's wall clock."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # --- decisions ---------------------------------------------------------------------------------------

    def record_context(self, context: Context) -> int:
        """Store a context; its id."""
        return self._db.insert(
            "context",
            at=utc(context.now),
            elapsed=self._db.elapsed.now(),
            serial=context.serial,
            phone=context.phone_id,
            trigger=context.trigger.kind,
            body=context.model_dump_json(),
        )

    def record_decision(
        self,
        context_id: int,
        at: datetime,
        recommendation: Recommendation,
        *,
        decision: Decision,
        rule: Rule,
        reason: Text,
    ) -> int:
        """Store what was recommended and what the policy made of it; its id."""
        return self._db.insert(
            "decision",
            context_id=context_id,
            at=utc(at),
            elapsed=self._db.elapsed.now(),
            topic=recommendation.topic,
            decision=decision,
            rule=rule,
            reason=stored(reason),
            body=recommendation.model_dump_json(),
        )

    def record_plan(self, decision_id: int | None, plan: Plan) -> int:
        """Store a plan before anybody is asked about it; its id."""
        return self._db.insert(
            "plan",
            decision_id=decision_id,
            at=utc(plan.prepared_at),
            serial=plan.serial,
            phone=plan.phone_id,
            hash=plan.hash,
            body=plan.model_dump_json(),
        )

    def record_answer(self, plan_id: int, plan_hash: str, at: datetime, answer: Answer, channel: str) -> bool:
        """Store the answer to a plan. False when it comes second or names another plan's hash: it does not count."""
        elapsed = self._db.elapsed.now()
        with self._db.transaction() as db:
            row = db.execute("SELECT hash FROM plan WHERE id = ?", (plan_id,)).fetchone()
            if row is None or row["hash"] != plan_hash:
                return False
            added = db.execute(
                "INSERT OR IGNORE INTO answer (plan_id, at, hash, answer, channel, elapsed) VALUES (?, ?, ?, ?, ?, ?)",
                (plan_id, utc(at), plan_hash, answer, channel, elapsed),
            )
            return added.rowcount == 1

    # --- actions ---------------------------------------------------------------------------------------------

    def start_action(self, plan_id: int, index: int, step: Step, at: datetime) -> int:
        """Store that a step is about to run; the id that ``heed undo`` takes."""
        return self._db.insert(
            "action",
            plan_id=plan_id,
            step=index,
            body=step.model_dump_json(),
            state=ActionState.STARTED,
            at=utc(at),
            elapsed=self._db.elapsed.now(),
        )

    def progressed(self, action_id: int, receipt: Mapping[str, JsonValue]) -> None:
        """Store how far a started action got, before its next part."""
        self._db.execute(
            "UPDATE action SET receipt = ? WHERE id = ? AND state = ?",
            (json.dumps(dict(receipt), ensure_ascii=False), action_id, ActionState.STARTED),
        )

    def performed(self, action_id: int, receipt: Mapping[str, JsonValue]) -> None:
        """Store that the commands of a started action ran, and what undo needs."""
        self._db.execute(
            "UPDATE action SET state = ?, receipt = ? WHERE id = ? AND state = ?",
            (ActionState.PERFORMED, json.dumps(dict(receipt), ensure_ascii=False), action_id, ActionState.STARTED),
        )

    def finish(self, action_id: int, outcome: Outcome, state: ActionState = ActionState.FINISHED) -> bool:
        """Store the outcome of an action; False when it has one already."""
        changed = self._db.execute(
            "UPDATE action SET state = ?, outcome = ? WHERE id = ? AND state IN (?, ?)",
            (state, outcome.model_dump_json(), action_id, ActionState.STARTED, ActionState.PERFORMED),
        )
        return changed.rowcount == 1

    def start_undo(self, action_id: int) -> None:
        """Store that an action is about to be undone."""
        self._db.execute("UPDATE action SET state = ? WHERE id = ?", (ActionState.UNDOING, action_id))

    def finish_undo(self, action_id: int, outcome: Outcome, at: datetime | None = None) -> None:
        """Store how an undo ended; after a failed one the action can be undone again.

        An undo whose outcome is unknown stays in doubt: the phone is asked when it is back. ``at`` is the phone's time.
        """
        state = ActionState.UNDONE if outcome.ok else ActionState.FINISHED
        if outcome.kind is OutcomeKind.UNKNOWN:
            state = ActionState.UNDOING
        self._db.execute(
            "UPDATE action SET state = ?, undo_outcome = ?, undone_at = ? WHERE id = ? AND state = ?",
            (state, outcome.model_dump_json(), utc(at) if at else None, action_id, ActionState.UNDOING),
        )

    def in_doubt(self, phone_id: str) -> list[ActionRecord]:
        """The actions of a phone that were begun and not finished: heed or the phone stopped meanwhile."""
        return [record for record in self.all_in_doubt() if record.phone_id == phone_id]

    def all_in_doubt(self) -> list[ActionRecord]:
        """The actions in doubt of all phones."""
        states = (ActionState.STARTED, ActionState.PERFORMED, ActionState.UNDOING)
        return self._actions("action.state IN (?, ?, ?)", states)

    def action(self, action_id: int) -> ActionRecord:
        """One action; ``UsageError`` when there is none with this id."""
        found = self._actions("action.id = ?", (action_id,))
        if not found:
            raise UsageError(
                msg("The journal has no action {action_id}.", action_id=action_id), msg("`heed journal` lists them.")
            )
        return found[0]

    def _actions(self, where: str, arguments: Iterable[Any]) -> list[ActionRecord]:
        query = (
            "SELECT action.*, plan.serial AS serial, plan.phone AS phone FROM action "  # noqa: S608
            f"JOIN plan ON plan.id = action.plan_id WHERE {where} ORDER BY action.id"
        )
        return [_action(row) for row in self._db.execute(query, tuple(arguments))]

    # --- reading back ----------------------------------------------------------------------------------------

    def timeline(self, limit: int = 20, serial: str = "") -> list[TimelineEntry]:
        """The newest decisions, newest first, each with its plan, answer and actions."""
        rows = self._db.execute(
            "SELECT decision.*, context.serial, context.phone, context.trigger FROM decision JOIN context "
            "ON context.id = decision.context_id WHERE ? IN ('', context.serial) ORDER BY decision.id DESC LIMIT ?",
            (serial, limit),
        ).fetchall()
        return [self._entry(row) for row in rows]

    def entry(self, decision_id: int) -> TimelineEntry:
        """One decision and what followed; ``UsageError`` when there is none with this id."""
        row = self._db.execute(
            "SELECT decision.*, context.serial, context.phone, context.trigger FROM decision JOIN context "
            "ON context.id = decision.context_id WHERE decision.id = ?",
            (decision_id,),
        ).fetchone()
        if row is None:
            raise UsageError(
                msg("The journal has no decision {decision_id}.", decision_id=decision_id),
                msg("`heed journal` lists them."),
            )
        return self._entry(row)

    def _entry(self, row: sqlite3.Row) -> TimelineEntry:
        plans = self._plans("decision_id = ?", row["id"])
        plan = plans[0] if plans else None
        actions = self._actions("action.plan_id = ?", (plan.id,)) if plan else []
        return TimelineEntry(
            decision=_decision(row),
            serial=row["serial"],
            phone_id=row["phone"],
            trigger=row["trigger"],
            plan=plan,
            actions=tuple(actions),
            within=tuple(plans[1:]),
        )

    def context(self, context_id: int) -> Context:
        """A recorded context; ``UsageError`` when there is none with this id."""
        row = self._db.execute("SELECT body FROM context WHERE id = ?", (context_id,)).fetchone()
        if row is None:
            raise UsageError(
                msg("The journal has no context {context_id}.", context_id=context_id),
                msg("`heed journal` lists them."),
            )
        return Context.model_validate_json(row["body"])

    def plan(self, plan_id: int) -> PlanRecord:
        """A recorded plan and its answer; ``UsageError`` when there is none with this id."""
        plans = self._plans("plan.id = ?", plan_id)
        if not plans:
            raise UsageError(
                msg("The journal has no plan {plan_id}.", plan_id=plan_id), msg("`heed journal` lists them.")
            )
        return plans[0]

    def _plans(self, where: str, argument: int) -> list[PlanRecord]:
        rows = self._db.execute(
            "SELECT plan.*, answer.answer, answer.channel, answer.at AS answered_at FROM plan "  # noqa: S608
            f"LEFT JOIN answer ON answer.plan_id = plan.id WHERE {where} ORDER BY plan.id",
            (argument,),
        )
        return [_plan(row) for row in rows]

    # --- retention -------------------------------------------------------------------------------------------

    def forget_older_than(self, age: timedelta) -> int:
        """Delete contexts of at least this age, and everything that followed from them; the number of contexts.

        The age is elapsed time: turning a clock makes nothing older.
        """
        last = self._db.elapsed.now() - age.total_seconds()
        with self._db.transaction() as db:
            db.execute("DELETE FROM owner_touch WHERE elapsed <= ?", (last,))
            return db.execute("DELETE FROM context WHERE elapsed <= ?", (last,)).rowcount

    def forget_decision(self, decision_id: int) -> Context:
        """Delete a decision with its context and everything that followed from it; the context.

        ``UsageError`` when there is none with this id. A timed undo of its actions is not done then.
        """
        entry = self.entry(decision_id)
        context = self.context(entry.decision.context_id)
        with self._db.transaction() as db:
            db.execute("DELETE FROM context WHERE id = ?", (entry.decision.context_id,))
            db.execute(
                "DELETE FROM agenda WHERE kind = ? AND json_extract(body, '$.action') NOT IN (SELECT id FROM action)",
                (AgendaKind.UNDO,),
            )
        return context

    def holds_frame(self, sha256: str) -> bool:
        """Whether a context, an action or a question refers to a stored picture."""
        kept = ("SELECT 1 FROM context WHERE instr(body, ?1)", "SELECT 1 FROM action WHERE instr(receipt, ?1)")
        asked = "SELECT 1 FROM plan WHERE instr(body, ?1)"
        found = self._db.execute(" UNION ALL ".join((*kept, asked)) + " LIMIT 1", (f'"{sha256}"',))
        return found.fetchone() is not None

    def reduce_silences(self, age: timedelta, at_least: int = 1) -> int:
        """Keep only the trigger of contexts of at least this age on which nothing was suggested; their number.

        The file is rewritten afterwards, so nothing is done for fewer than ``at_least`` of them.
        """
        last = self._db.elapsed.now() - age.total_seconds()
        old = f"elapsed <= ? AND reduced = 0 AND {_SILENT}"
        found = int(self._db.execute(f"SELECT COUNT(*) FROM context WHERE {old}", (last,)).fetchone()[0])  # noqa: S608
        if found < max(at_least, 1):
            return 0
        with self._db.transaction() as db:
            reduced = f"UPDATE context SET reduced = 1, body = json_remove(body, {_SECTIONS}) WHERE {old}"  # noqa: S608
            db.execute(reduced, (last,))
        self._db.compact()
        return found

    def limit_size(self, most_bytes: float) -> int:
        """Delete the oldest silences until the journal's rows fit in ``most_bytes``; the number of contexts.

        What was suggested or done is not deleted for its size: rate limits bound it.
        """
        deleted = 0
        while self._db.used_bytes() > most_bytes:
            with self._db.transaction() as db:
                oldest = f"SELECT id FROM context WHERE {_SILENT} ORDER BY id LIMIT {_BATCH}"  # noqa: S608
                gone = db.execute(f"DELETE FROM context WHERE id IN ({oldest})").rowcount  # noqa: S608
            deleted += gone
            if gone == 0:
                break
        return deleted


def _decision(row: sqlite3.Row) -> DecisionRecord:
    return DecisionRecord(
        id=row["id"],
        context_id=row["context_id"],
        at=row["at"],
        decision=row["decision"],
        rule=row["rule"],
        reason=restored(row["reason"]),
        recommendation=Recommendation.model_validate_json(row["body"]),
    )


def _plan(row: sqlite3.Row) -> PlanRecord:
    return PlanRecord(
        id=row["id"],
        decision_id=row["decision_id"],
        plan=Plan.model_validate_json(row["body"]),
        hash=row["hash"],
        answer=row["answer"],
        channel=row["channel"],
        answered_at=row["answered_at"],
    )


def _action(row: sqlite3.Row) -> ActionRecord:
    return ActionRecord(
        id=row["id"],
        plan_id=row["plan_id"],
        step_index=row["step"],
        step=Step.model_validate_json(row["body"]),
        serial=row["serial"],
        phone_id=row["phone"],
        state=ActionState(row["state"]),
        at=row["at"],
        elapsed=row["elapsed"],
        receipt=json.loads(row["receipt"]) if row["receipt"] else None,
        outcome=Outcome.model_validate_json(row["outcome"]) if row["outcome"] else None,
        undo_outcome=Outcome.model_validate_json(row["undo_outcome"]) if row["undo_outcome"] else None,
        undone_at=row["undone_at"],
    )
