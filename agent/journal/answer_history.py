"""The history of suggestions, answers and actions, read from the journal's rows."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta

from agent.consent.request import Answer, ChannelName
from agent.journal.database import Database
from agent.journal.records import ActionState
from agent.journal.schema import FIRST_QUESTION
from agent.policy.threshold import Tally
from agent.policy.verdict import Decision, Rule
from collectors.context import Trigger, TriggerKind
from executors.plan import Outcome, OutcomeKind, Step
from function_pool.call import FunctionCall
from heed.model import Frozen

_ACCEPTED = tuple(answer for answer in Answer if answer.allows)
_REJECTED = tuple(answer for answer in Answer if answer.rejects)
_NOT_OPINIONS = (ChannelName.NOBODY, ChannelName.GRANT, ChannelName.COMMAND_LINE)
"""Answers on these say nothing about whether a suggestion was wanted."""


class UnansweredRequest(Frozen):
    """A consent request that nobody answered."""

    ago: timedelta
    """How long ago it was decided to ask, in elapsed time."""
    topic: str
    calls: tuple[FunctionCall, ...]


class CarriedOut(Frozen):
    """A call that heed carried out; one in doubt counts."""

    at: datetime
    """When it began, on the phone's clock."""
    call: FunctionCall
    outcome: OutcomeKind
    undone: bool
    app: str = ""
    """The package whose page was opened, where that is known."""


class AnswerHistory:
    """Past suggestions and their answers, in the journal's file; periods are elapsed time, up to now."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def suggestions(self, phone_id: str, within: timedelta) -> int:
        """How often this phone's owner was asked or acted for within the last time; not what assistants asked for."""
        row = self._db.execute(
            "SELECT COUNT(*) FROM decision JOIN context ON context.id = decision.context_id "
            "WHERE decision.elapsed > ? AND context.phone = ? AND decision.decision IN (?, ?) AND decision.rule <> ?",
            (self._after(within), phone_id, Decision.ASK, Decision.ACT, Rule.BY_ASSISTANT),
        ).fetchone()
        return int(row[0])

    def answers_to(self, topic: str, function: str, within: timedelta) -> Tally:
        """How often suggestions of a topic and function (empty = any) were accepted and rejected within the last time.

        A question that nobody answered does not count, nor does what an assistant asked for. "Always" counts once, not
        each time its grant is used.
        """
        row = self._db.execute(
            "SELECT COALESCE(SUM(answer IN (SELECT value FROM json_each(?4))), 0) AS accepted, "  # noqa: S608
            "COALESCE(SUM(answer IN (SELECT value FROM json_each(?5))), 0) AS rejected FROM answer "
            "JOIN plan ON plan.id = answer.plan_id JOIN decision ON decision.id = plan.decision_id "
            f"WHERE {FIRST_QUESTION} AND answer.elapsed > ?1 "
            "AND answer.channel NOT IN (SELECT value FROM json_each(?6)) "
            "AND decision.rule <> ?7 AND ?2 IN ('', decision.topic) AND (?3 = '' OR EXISTS (SELECT 1 FROM "
            "json_each(plan.body, '$.steps') AS step WHERE json_extract(step.value, '$.call.name') = ?3))",
            (
                *(self._after(within), topic, function),
                *(_list(_ACCEPTED), _list(_REJECTED), _list(_NOT_OPINIONS), Rule.BY_ASSISTANT),
            ),
        ).fetchone()
        return Tally(accepted=row["accepted"], rejected=row["rejected"])

    def unanswered(self, within: timedelta) -> list[UnansweredRequest]:
        """The consent requests of the last time that nobody answered; oldest first."""
        now = self._db.elapsed.now()
        rows = self._db.execute(
            "SELECT decision.elapsed, decision.topic, plan.body FROM answer JOIN plan ON plan.id = answer.plan_id "  # noqa: S608
            f"JOIN decision ON decision.id = plan.decision_id WHERE {FIRST_QUESTION} "
            "AND answer.answer = ? AND decision.elapsed > ? ORDER BY decision.id",
            (Answer.NO_ANSWER, self._after(within)),
        )
        return [
            UnansweredRequest(
                ago=timedelta(seconds=now - row["elapsed"]),
                topic=row["topic"],
                calls=tuple(FunctionCall.model_validate(step["call"]) for step in json.loads(row["body"])["steps"]),
            )
            for row in rows
        ]

    def carried_out(self, phone_id: str, within: timedelta) -> list[FunctionCall]:
        """The calls that were carried out on a phone within the last time, undone or not."""
        return [done.call for done in self.actions(phone_id, within)]

    def actions(self, phone_id: str, within: timedelta) -> list[CarriedOut]:
        """What was carried out on a phone within the last time, oldest first; not what was refused or failed."""
        rows = self._db.execute(
            "SELECT action.at, action.body, action.outcome, action.state FROM action "
            "JOIN plan ON plan.id = action.plan_id WHERE plan.phone = ? AND action.elapsed > ? ORDER BY action.id",
            (phone_id, self._after(within)),
        )
        ended = ((row, Outcome.model_validate_json(row["outcome"]) if row["outcome"] else None) for row in rows)
        return [_carried_out(row, outcome) for row, outcome in ended if outcome is None or outcome.ok]

    def decided_on(self, phone_id: str, kind: TriggerKind, within: timedelta) -> list[tuple[datetime, Trigger]]:
        """The triggers of one kind that were decided on within the last time, with the phone's time; oldest first."""
        rows = self._db.execute(
            "SELECT at, json_extract(body, '$.trigger') AS trigger FROM context "
            "WHERE phone = ? AND trigger = ? AND elapsed > ? ORDER BY id",
            (phone_id, kind, self._after(within)),
        )
        return [(datetime.fromisoformat(row["at"]), Trigger.model_validate_json(row["trigger"])) for row in rows]

    def last_decision(self, phone_id: str) -> datetime | None:
        """The phone's time at the latest decision; None before the first one."""
        row = self._db.execute(
            "SELECT at FROM context WHERE phone = ? ORDER BY id DESC LIMIT 1", (phone_id,)
        ).fetchone()
        return datetime.fromisoformat(row["at"]) if row else None

    def _after(self, within: timedelta) -> float:
        return self._db.elapsed.now() - within.total_seconds()


def _carried_out(row: sqlite3.Row, outcome: Outcome | None) -> CarriedOut:
    step = Step.model_validate_json(row["body"])
    return CarriedOut(
        at=row["at"],
        call=step.call,
        outcome=outcome.kind if outcome else OutcomeKind.UNKNOWN,
        undone=row["state"] == ActionState.UNDONE,
        app=str(step.before.get("app", "")),
    )


def _list(words: Iterable[str]) -> str:
    """A list as one bound argument of a statement."""
    return json.dumps(list(words))
