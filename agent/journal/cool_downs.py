"""Cool-downs: rejected subjects and until when each is not suggested."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from agent.journal.database import Database, utc
from heed.model import Frozen

_DOUBLINGS = 6
"""A cool-down lasts at most 64 times the first one: about a month where the first is twelve hours."""


class CoolDown(Frozen):
    """A subject that was rejected."""

    subject: str
    rejections: int
    until: datetime | None
    """None = never again."""


class CoolDowns:
    """The cool-downs of every subject, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def reject(self, subjects: Iterable[str], now: datetime, first: timedelta, *, forever: bool = False) -> None:
        """Store a rejection: each subject's cool-down is twice as long after each further rejection."""
        with self._db.transaction():
            for subject in subjects:
                row = self._db.execute("SELECT rejections FROM cool_down WHERE subject = ?", (subject,)).fetchone()
                count = (row["rejections"] if row else 0) + 1
                until = None if forever else utc(now + first * 2 ** min(count - 1, _DOUBLINGS))
                self._db.execute(
                    "INSERT OR REPLACE INTO cool_down (subject, rejections, until) VALUES (?, ?, ?)",
                    (subject, count, until),
                )

    def accept(self, subjects: Iterable[str]) -> None:
        """Delete the rejections of subjects whose suggestion was accepted."""
        for subject in subjects:
            self.lift(subject)

    def longest(self, subjects: Iterable[str], now: datetime) -> CoolDown | None:
        """The cool-down of these subjects that ends last; None when none is active."""
        active = [
            entry for subject in subjects for entry in self.entries(subject) if entry.until is None or entry.until > now
        ]
        return max(active, key=_end, default=None)

    def entries(self, subject: str = "") -> list[CoolDown]:
        """All cool-downs, ended ones included, or those of one subject."""
        rows = self._db.execute("SELECT * FROM cool_down WHERE ? IN ('', subject) ORDER BY subject", (subject,))
        return [CoolDown(subject=row["subject"], rejections=row["rejections"], until=row["until"]) for row in rows]

    def lift(self, subject: str) -> None:
        """Delete the rejections of one subject: it may be suggested again."""
        self._db.execute("DELETE FROM cool_down WHERE subject = ?", (subject,))


def _end(entry: CoolDown) -> tuple[bool, float]:
    return entry.until is None, entry.until.timestamp() if entry.until else 0.0
