"""What is due at a time: each entry is a row, so that it survives us."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from agent.journal.database import Database, utc
from heed.model import Frozen


class Appointment(Frozen):
    """Something that is due now."""

    id: int
    due: datetime
    kind: str
    body: Mapping[str, JsonValue]


class Agenda:
    """Due things, in the journal's file; times are the phone's wall clock."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, due: datetime, serial: str, kind: str, body: Mapping[str, JsonValue]) -> int:
        """Remember something to be done at ``due``; its id."""
        return self._db.insert("schedule", due=utc(due), serial=serial, kind=kind, body=json.dumps(dict(body)))

    def next_due(self, serial: str) -> datetime | None:
        """When the next waiting entry of this phone is due."""
        row = self._db.execute(
            "SELECT MIN(due) AS due FROM schedule WHERE serial = ? AND state = 'waiting'", (serial,)
        ).fetchone()
        return datetime.fromisoformat(row["due"]) if row["due"] else None

    def take_due(self, serial: str, now: datetime) -> list[Appointment]:
        """The entries that are due, each handed out once; ``done`` or ``release_taken`` follows."""
        with self._db.transaction():
            rows = self._db.execute(
                "SELECT * FROM schedule WHERE serial = ? AND state = 'waiting' AND due <= ? ORDER BY due",
                (serial, utc(now)),
            ).fetchall()
            for row in rows:
                self._db.execute("UPDATE schedule SET state = 'taken' WHERE id = ?", (row["id"],))
        return [
            Appointment(id=row["id"], due=row["due"], kind=row["kind"], body=json.loads(row["body"])) for row in rows
        ]

    def bring_forward(self, serial: str, kind: str, now: datetime) -> None:
        """What waits of this kind is due at once."""
        self._db.execute(
            "UPDATE schedule SET due = ? WHERE serial = ? AND kind = ? AND state = 'waiting' AND due > ?",
            (utc(now), serial, kind, utc(now)),
        )

    def done(self, appointment: Appointment) -> None:
        """It was attended to, and is not kept: what came of it is in the journal."""
        self._db.execute("DELETE FROM schedule WHERE id = ?", (appointment.id,))

    def release_taken(self, serial: str) -> None:
        """At start: what an earlier process took and never finished waits again."""
        self._db.execute("UPDATE schedule SET state = 'waiting' WHERE serial = ? AND state = 'taken'", (serial,))

    def replace(
        self, serial: str, kind: str, after: datetime, rows: Iterable[tuple[datetime, Mapping[str, Any]]]
    ) -> None:
        """Make ``rows`` the entries of this kind that are due later than ``after``.

        What became due while the rows were put together still waits: it is not theirs to replace.
        """
        with self._db.transaction():
            self._db.execute(
                "DELETE FROM schedule WHERE serial = ? AND kind = ? AND state = 'waiting' AND due > ?",
                (serial, kind, utc(after)),
            )
            for due, body in rows:
                self.add(due, serial, kind, body)
