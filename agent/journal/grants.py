"""Grants: what "always" allows from then on."""

from datetime import datetime

from agent.journal.database import Database, utc
from heed.model import Frozen


class Grant(Frozen):
    """One answer of "always"."""

    id: int
    at: datetime
    serial: str
    scope: str
    text: str
    """The sentence that was answered."""


class Grants:
    """The grants of every phone, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, serial: str, scope: str, text: str, at: datetime) -> None:
        """Store a grant for exactly this scope on this phone."""
        self._db.execute(
            "INSERT OR IGNORE INTO grant (at, serial, scope, text) VALUES (?, ?, ?, ?)",
            (utc(at), serial, scope, text),
        )

    def covers(self, serial: str, scope: str) -> bool:
        """Whether there is a grant for exactly this scope on this phone."""
        row = self._db.execute("SELECT 1 FROM grant WHERE serial = ? AND scope = ?", (serial, scope)).fetchone()
        return row is not None

    def entries(self) -> list[Grant]:
        """Every grant, newest first."""
        rows = self._db.execute("SELECT * FROM grant ORDER BY id DESC")
        return [Grant(**dict(row)) for row in rows]

    def revoke(self, grant_id: int) -> None:
        """Delete one grant: heed asks again."""
        self._db.execute("DELETE FROM grant WHERE id = ?", (grant_id,))
