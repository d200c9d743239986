"""Grants: what "always" allows from then on."""

from datetime import datetime

from agent.journal.database import Database, utc
from agent.policy.grants import Scope
from heed.model import Frozen


class Grant(Frozen):
    """One answer of "always"."""

    id: int
    at: datetime
    serial: str
    scope: Scope
    text: str
    """The sentence that was answered."""


class Grants:
    """The grants of every phone, in the journal's file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, serial: str, scope: Scope, text: str, at: datetime) -> None:
        """Store a grant for exactly this scope on this phone; ``text`` is the sentence that was answered."""
        self._db.execute(
            "INSERT OR IGNORE INTO grant (at, serial, scope, text) VALUES (?, ?, ?, ?)",
            (utc(at), serial, scope.model_dump_json(), text),
        )

    def scopes(self, serial: str) -> list[Scope]:
        """The scope of every grant for this phone."""
        rows = self._db.execute("SELECT scope FROM grant WHERE serial = ?", (serial,))
        return [Scope.model_validate_json(row["scope"]) for row in rows]

    def entries(self) -> list[Grant]:
        """Every grant, newest first."""
        rows = self._db.execute("SELECT * FROM grant ORDER BY id DESC")
        return [Grant(**{**dict(row), "scope": Scope.model_validate_json(row["scope"])}) for row in rows]

    def revoke(self, grant_id: int) -> bool:
        """Delete one grant: heed asks again. Returns whether there was one."""
        return self._db.execute("DELETE FROM grant WHERE id = ?", (grant_id,)).rowcount > 0
