"""How often heed suggested something, and what became of it: one row per decision of the last weeks."""

from datetime import datetime, timedelta, tzinfo
from enum import StrEnum

from agent.consent.request import Answer, ChannelName
from agent.journal.database import Database
from agent.journal.schema import FIRST_QUESTION
from agent.policy.verdict import Decision, Rule
from heed.model import Frozen


class Ending(StrEnum):
    """What became of one decision."""

    SILENT = "silent"
    ACCEPTED = "accepted"
    """Allowed by the owner, or by a grant."""
    DECLINED = "declined"
    NO_ANSWER = "no_answer"


class CountedDecision(Frozen):
    """One decision, as it is counted."""

    at: datetime
    """In the phone's zone."""
    topic: str
    """The id of the habit or situation; empty where there is none."""
    functions: str
    """The suggested functions, separated by blanks."""
    ending: Ending


class Statistics:
    """Reads the decisions of a period for counting."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def decisions(self, within: timedelta, zone: tzinfo | None) -> list[CountedDecision]:
        """The decisions of the last time (elapsed), oldest first; calls that the owner typed are left out."""
        rows = self._db.execute(
            "SELECT decision.at, decision.topic, decision.decision, answer.answer, answer.channel, "  # noqa: S608
            "(SELECT group_concat(json_extract(step.value, '$.call.name'), ' ') "
            "FROM json_each(plan.body, '$.steps') AS step) AS functions "
            f"FROM decision LEFT JOIN plan ON plan.decision_id = decision.id AND {FIRST_QUESTION} "
            "LEFT JOIN answer ON answer.plan_id = plan.id "
            "WHERE decision.elapsed > ? AND decision.rule <> ? ORDER BY decision.id",
            (self._db.elapsed.now() - within.total_seconds(), Rule.BY_HAND),
        )
        return [
            CountedDecision(
                at=datetime.fromisoformat(row["at"]).astimezone(zone),
                topic=row["topic"],
                functions=row["functions"] or "",
                ending=_ending(row["decision"], row["answer"], row["channel"]),
            )
            for row in rows
        ]


def _ending(decision: str, answer: str | None, channel: str | None) -> Ending:
    if decision == Decision.SILENT:
        return Ending.SILENT
    if answer is None or channel == ChannelName.NOBODY:
        return Ending.NO_ANSWER
    if Answer(answer).allows:
        return Ending.ACCEPTED
    return Ending.DECLINED if Answer(answer).rejects else Ending.NO_ANSWER
