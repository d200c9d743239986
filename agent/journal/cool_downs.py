"""Cool-downs: rejected subjects and for how long each is not suggested."""

from collections.abc import Iterable
from datetime import timedelta

from agent.journal.database import Database
from heed.model import Frozen

_DOUBLINGS = 6
"""A cool-down lasts at most 64 times the first one: about a month where the first is twelve hours."""


class CoolDown(Frozen):
    """A subject that was rejected."""

    subject: str
    rejections: int
    left: timedelta | None
    """Elapsed time until it ends, zero when it has ended; None = never again."""

    @property
    def is_active(self) -> bool:
        return self.left is None or self.left > timedelta(0)


class CoolDowns:
    """The cool-downs of every subject, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def reject(self, subjects: Iterable[str], first: timedelta, *, forever: bool = False) -> None:
        """Store a rejection: each subject's cool-down is twice as long after each further rejection."""
        now = self._db.elapsed.now()
        with self._db.transaction():
            for subject in subjects:
                row = self._db.execute("SELECT rejections FROM cool_down WHERE subject = ?", (subject,)).fetchone()
                count = (row["rejections"] if row else 0) + 1
                lasts = first * 2 ** min(count - 1, _DOUBLINGS)
                ends = None if forever else now + lasts.total_seconds()
                self._db.execute(
                    "INSERT OR REPLACE INTO cool_down (subject, rejections, ends) VALUES (?, ?, ?)",
                    (subject, count, ends),
                )

    def accept(self, subjects: Iterable[str]) -> None:
        """Delete the rejections of subjects whose suggestion was accepted."""
        for subject in subjects:
            self.lift(subject)

    def longest(self, subjects: Iterable[str]) -> CoolDown | None:
        """The cool-down of these subjects that ends last; None when none is active."""
        active = [entry for subject in subjects for entry in self.entries(subject) if entry.is_active]
        return max(active, key=_end, default=None)

    def entries(self, subject: str = "") -> list[CoolDown]:
        """All cool-downs, ended ones included, or those of one subject."""
        now = self._db.elapsed.now()
        rows = self._db.execute("SELECT * FROM cool_down WHERE ? IN ('', subject) ORDER BY subject", (subject,))
        return [
            CoolDown(subject=row["subject"], rejections=row["rejections"], left=_left(row["ends"], now)) for row in rows
        ]

    def lift(self, subject: str) -> None:
        """Delete the rejections of one subject: it may be suggested again."""
        self._db.execute("DELETE FROM cool_down WHERE subject = ?", (subject,))


def _left(ends: float | None, now: float) -> timedelta | None:
    return None if ends is None else timedelta(seconds=max(0.0, ends - now))


def _end(entry: CoolDown) -> tuple[bool, timedelta]:
    return entry.left is None, entry.left or timedelta(0)
