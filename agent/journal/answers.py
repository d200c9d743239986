"""What the person said earlier: rejections that rest, permissions that stay."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from agent.journal.database import Database, utc
from agent.policy.threshold import Tally
from executors.plan import Outcome, Step
from function_pool.call import FunctionCall
from heed.model import Frozen

_DOUBLINGS = 6
"""A rejected subject rests at most 64 times the first rest: about a month of twelve-hour rests."""


class Restraint(Frozen):
    """A subject that was rejected."""

    subject: str
    rejections: int
    until: datetime | None
    """None = never again."""


class Permission(Frozen):
    """Something that the person allowed always."""

    id: int
    at: datetime
    serial: str
    scope: str
    text: str
    """The sentence to which it was said."""


class Memory:
    """Rejections and permissions, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def suggested_since(self, serial: str, moment: datetime) -> list[datetime]:
        """When this phone's owner was asked or acted for, since ``moment``."""
        rows = self._db.execute(
            "SELECT decision.at FROM decision JOIN context ON context.id = decision.context_id "
            "WHERE context.serial = ? AND decision.decision IN ('ask', 'act') AND decision.at >= ?",
            (serial, utc(moment)),
        )
        return [datetime.fromisoformat(row["at"]) for row in rows]

    def reject(self, subjects: Iterable[str], now: datetime, rest: timedelta, *, forever: bool = False) -> None:
        """Remember a rejection: each subject rests, twice as long after each further rejection."""
        with self._db.transaction():
            for subject in subjects:
                row = self._db.execute("SELECT rejections FROM restraint WHERE subject = ?", (subject,)).fetchone()
                count = (row["rejections"] if row else 0) + 1
                until = None if forever else utc(now + rest * 2 ** min(count - 1, _DOUBLINGS))
                self._db.execute(
                    "INSERT OR REPLACE INTO restraint (subject, rejections, until) VALUES (?, ?, ?)",
                    (subject, count, until),
                )

    def accept(self, subjects: Iterable[str]) -> None:
        """An accepted suggestion wipes out what was counted against it."""
        for subject in subjects:
            self.lift(subject)

    def resting(self, subjects: Iterable[str], now: datetime) -> Restraint | None:
        """The restraint that keeps one of these subjects quiet now, the longest; None when they may be suggested."""
        active = [
            restraint
            for subject in subjects
            for restraint in self.restraints(subject)
            if restraint.until is None or restraint.until > now
        ]
        return max(active, key=_end, default=None)

    def restraints(self, subject: str = "") -> list[Restraint]:
        """All restraints, or those of one subject."""
        rows = self._db.execute("SELECT * FROM restraint WHERE ? IN ('', subject) ORDER BY subject", (subject,))
        return [Restraint(subject=row["subject"], rejections=row["rejections"], until=row["until"]) for row in rows]

    def lift(self, subject: str) -> None:
        """Forget the rejections of one subject: it may be brought up again."""
        self._db.execute("DELETE FROM restraint WHERE subject = ?", (subject,))

    def answers_to(self, topic: str, function: str, since: datetime) -> Tally:
        """How often suggestions of a topic and function (empty = any) were allowed and declined since then.

        A question that nobody answered tells nothing. "Always" needs no further answers and counts once.
        """
        row = self._db.execute(
            "SELECT COALESCE(SUM(answer IN ('once', 'always')), 0) AS accepted, "
            "COALESCE(SUM(answer IN ('not_now', 'never')), 0) AS rejected FROM answer "
            "JOIN plan ON plan.id = answer.plan_id JOIN decision ON decision.id = plan.decision_id "
            "WHERE answer.at >= ?1 AND answer.channel NOT IN ('nobody', 'remembered', 'command line') "
            "AND ?2 IN ('', decision.topic) AND (?3 = '' OR EXISTS (SELECT 1 FROM "
            "json_each(plan.body, '$.steps') AS step WHERE json_extract(step.value, '$.call.name') = ?3))",
            (utc(since), topic, function),
        ).fetchone()
        return Tally(accepted=row["accepted"], rejected=row["rejected"])

    def carried_out(self, serial: str, since: datetime) -> list[FunctionCall]:
        """The calls that were carried out on a phone since then, taken back or not."""
        rows = self._db.execute(
            "SELECT action.body, action.outcome FROM action JOIN plan ON plan.id = action.plan_id "
            "WHERE plan.serial = ? AND action.at >= ? ORDER BY action.id",
            (serial, utc(since)),
        )
        ended = ((row["body"], Outcome.model_validate_json(row["outcome"]) if row["outcome"] else None) for row in rows)
        return [Step.model_validate_json(body).call for body, outcome in ended if outcome is None or outcome.ok]

    def permit(self, serial: str, scope: str, text: str, at: datetime) -> None:
        """Remember "always allow" for exactly this scope."""
        self._db.execute(
            "INSERT OR IGNORE INTO permission (at, serial, scope, text) VALUES (?, ?, ?, ?)",
            (utc(at), serial, scope, text),
        )

    def permitted(self, serial: str, scope: str) -> bool:
        """Whether "always allow" was said for exactly this scope on this phone."""
        row = self._db.execute("SELECT 1 FROM permission WHERE serial = ? AND scope = ?", (serial, scope)).fetchone()
        return row is not None

    def permissions(self) -> list[Permission]:
        """Everything that was allowed always, the newest first."""
        rows = self._db.execute("SELECT * FROM permission ORDER BY id DESC")
        return [Permission(**dict(row)) for row in rows]

    def revoke(self, permission_id: int) -> None:
        """Take one permission back: heed asks again."""
        self._db.execute("DELETE FROM permission WHERE id = ?", (permission_id,))


def _end(restraint: Restraint) -> tuple[bool, float]:
    return restraint.until is None, restraint.until.timestamp() if restraint.until else 0.0
