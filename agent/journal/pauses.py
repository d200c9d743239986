"""The owner's pause: for a while of elapsed time, until a time of the phone's clock, or until it is resumed."""

from datetime import datetime, timedelta

from agent.journal.database import Database, utc
from heed.model import Frozen


class Pause(Frozen):
    """A pause that has not ended; without ``until`` it lasts until the owner resumes."""

    until: datetime | None = None
    """When it ends on the phone's clock, timezone-aware; where ``left`` is given, as it was when the pause began."""
    left: timedelta | None = None
    """Elapsed time until it ends, whatever any clock shows."""

    def has_ended(self, now: datetime) -> bool:
        """Whether it has ended when the phone's clock shows ``now``."""
        if self.left is not None:
            return self.left <= timedelta(0)
        return self.until is not None and self.until <= now


class Pauses:
    """The pause, one for all phones, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def begin(self, pause: Pause) -> None:
        """Store a pause, in place of an earlier one."""
        ends = None if pause.left is None else self._db.elapsed.now() + pause.left.total_seconds()
        until = None if pause.until is None else utc(pause.until)
        self._db.execute("INSERT OR REPLACE INTO pause (id, ends, until) VALUES (1, ?, ?)", (ends, until))

    def end(self) -> bool:
        """Delete the pause; whether there was one, ended or not."""
        return self._db.execute("DELETE FROM pause").rowcount > 0

    def current(self, now: datetime) -> Pause | None:
        """The pause that lasts while the phone's clock shows ``now``; None when there is none."""
        row = self._db.execute("SELECT ends, until FROM pause").fetchone()
        if row is None:
            return None
        left = None if row["ends"] is None else timedelta(seconds=row["ends"] - self._db.elapsed.now())
        until = None if row["until"] is None else datetime.fromisoformat(row["until"]).astimezone(now.tzinfo)
        pause = Pause(until=until, left=left)
        return None if pause.has_ended(now) else pause
