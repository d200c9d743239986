"""The agenda: what is due at a time, one row each, so that it outlives the process."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from agent.journal.database import Database, utc
from heed.model import Frozen


class AgendaKind(StrEnum):
    """What is due; stored in the journal."""

    CLOCK = "clock"
    """A habit or a situation; the time itself is the trigger."""
    TRIGGER = "trigger"
    """An expected trigger that the phone sends no event for; the body is the trigger."""
    DEFERRED = "deferred"
    """A trigger that arrived while the owner was busy; the body is the trigger."""
    UNDO = "undo"
    """An action to be undone at a stated time ("do not disturb off at 10:30"); the body names the action."""
    RETENTION = "retention"
    """Deletion of what is older than the journal's retention."""


class _State(StrEnum):
    WAITING = "waiting"
    TAKEN = "taken"


class AgendaEntry(Frozen):
    """Something that is due now."""

    id: int
    due: datetime
    kind: AgendaKind
    body: Mapping[str, JsonValue]


class Agenda:
    """The entries of every phone, in the journal's file; times are the phone's wall clock."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, due: datetime, serial: str, kind: AgendaKind, body: Mapping[str, JsonValue]) -> int:
        """Add an entry that is due at ``due``; its id."""
        values = {"due": utc(due), "serial": serial, "kind": kind, "body": json.dumps(dict(body))}
        return self._db.insert("agenda", **values, state=_State.WAITING)

    def next_due(self, serial: str) -> datetime | None:
        """When the next waiting entry of this phone is due."""
        row = self._db.execute(
            "SELECT MIN(due) AS due FROM agenda WHERE serial = ? AND state = ?", (serial, _State.WAITING)
        ).fetchone()
        return datetime.fromisoformat(row["due"]) if row["due"] else None

    def waiting(self, kind: AgendaKind) -> list[tuple[str, AgendaEntry]]:
        """The entries of this kind that are not done yet, each with its phone, earliest first."""
        rows = self._db.execute("SELECT * FROM agenda WHERE kind = ? ORDER BY due", (kind,))
        return [(row["serial"], _entry(row)) for row in rows]

    def take_due(self, serial: str, now: datetime) -> list[AgendaEntry]:
        """The entries that are due, each handed out once; ``done`` or ``release_taken`` follows."""
        with self._db.transaction():
            rows = self._db.execute(
                "SELECT * FROM agenda WHERE serial = ? AND state = ? AND due <= ? ORDER BY due",
                (serial, _State.WAITING, utc(now)),
            ).fetchall()
            for row in rows:
                self._db.execute("UPDATE agenda SET state = ? WHERE id = ?", (_State.TAKEN, row["id"]))
        return [_entry(row) for row in rows]

    def bring_forward(self, serial: str, kind: AgendaKind, now: datetime) -> None:
        """Make the waiting entries of this kind due at once."""
        self._db.execute(
            "UPDATE agenda SET due = ? WHERE serial = ? AND kind = ? AND state = ? AND due > ?",
            (utc(now), serial, kind, _State.WAITING, utc(now)),
        )

    def done(self, entry: AgendaEntry) -> None:
        """Delete an entry that was processed; its result is in the journal."""
        self._db.execute("DELETE FROM agenda WHERE id = ?", (entry.id,))

    def release_taken(self, serial: str) -> None:
        """At start: the entries that an earlier process took and never finished wait again."""
        self._db.execute(
            "UPDATE agenda SET state = ? WHERE serial = ? AND state = ?", (_State.WAITING, serial, _State.TAKEN)
        )

    def replace(
        self, serial: str, kind: AgendaKind, after: datetime, rows: Iterable[tuple[datetime, Mapping[str, Any]]]
    ) -> None:
        """Make ``rows`` the entries of this kind that are due later than ``after``.

        An entry that became due while the rows were put together still waits: it is not replaced.
        """
        with self._db.transaction():
            self._db.execute(
                "DELETE FROM agenda WHERE serial = ? AND kind = ? AND state = ? AND due > ?",
                (serial, kind, _State.WAITING, utc(after)),
            )
            for due, body in rows:
                self.add(due, serial, kind, body)


def _entry(row: sqlite3.Row) -> AgendaEntry:
    return AgendaEntry(id=row["id"], due=row["due"], kind=row["kind"], body=json.loads(row["body"]))
