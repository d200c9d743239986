"""The agenda: what is due at a time or after a while, one row each, so that it outlives the process."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from agent.journal.database import Database, utc
from heed.model import Frozen

_TOLERANCE = 0.001
"""Seconds by which an elapsed time may be rounded."""


class AgendaKind(StrEnum):
    """What is due; stored in the journal."""

    CLOCK = "clock"
    """A habit or a situation; the time itself is the trigger."""
    TRIGGER = "trigger"
    """An expected trigger that the phone sends no event for; the body is the trigger."""
    DEFERRED = "deferred"
    """A trigger that arrived while the owner was busy; the body is the trigger."""
    UNDO = "undo"
    """An action to be undone after a while ("do not disturb for half an hour"); the body names the action."""
    RETENTION = "retention"
    """Deletion of what is older than the journal's retention."""


class _State(StrEnum):
    WAITING = "waiting"
    TAKEN = "taken"


class AgendaEntry(Frozen):
    """Something that is due now."""

    id: int
    due: datetime
    """On the phone's clock."""
    late: timedelta
    """How long ago that was."""
    kind: AgendaKind
    body: Mapping[str, JsonValue]


class Agenda:
    """The entries of every phone, in the journal's file.

    An entry is due at a time of day on the phone's clock, or after a while of elapsed time, which nobody can turn.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, due: datetime, serial: str, kind: AgendaKind, body: Mapping[str, JsonValue]) -> int:
        """Add an entry that is due when the phone's clock shows ``due``; its id."""
        return self._insert(serial, kind, body, due=utc(due))

    def add_after(self, delay: timedelta, serial: str, kind: AgendaKind, body: Mapping[str, JsonValue]) -> int:
        """Add an entry that is due after ``delay`` of elapsed time; its id."""
        return self.add_at(self._db.elapsed.now() + delay.total_seconds(), serial, kind, body)

    def add_at(self, elapsed: float, serial: str, kind: AgendaKind, body: Mapping[str, JsonValue]) -> int:
        """Add an entry that is due at an elapsed time, in seconds; its id."""
        return self._insert(serial, kind, body, due="", elapsed_due=elapsed)

    def add_once(self, delay: timedelta, serial: str, kind: AgendaKind) -> None:
        """Add an entry as ``add_after`` does, unless one of this kind is there already."""
        row = self._db.execute("SELECT 1 FROM agenda WHERE serial = ? AND kind = ?", (serial, kind)).fetchone()
        if row is None:
            self.add_after(delay, serial, kind, {})

    def _insert(self, serial: str, kind: AgendaKind, body: Mapping[str, JsonValue], **due: str | float) -> int:
        values = {"serial": serial, "kind": kind, "body": json.dumps(dict(body))}
        return self._db.insert("agenda", **values, **due, state=_State.WAITING)

    def next_due(self, serial: str, now: datetime) -> datetime | None:
        """When, on the phone's clock that shows ``now``, the next waiting entry of this phone is due."""
        row = self._db.execute(
            "SELECT MIN(due) FILTER (WHERE elapsed_due IS NULL) AS due, MIN(elapsed_due) AS elapsed_due FROM agenda "
            "WHERE serial = ? AND state = ?",
            (serial, _State.WAITING),
        ).fetchone()
        dues = [datetime.fromisoformat(row["due"])] if row["due"] else []
        if row["elapsed_due"] is not None:
            dues.append(now - self._late(row["elapsed_due"]))
        return min(dues, default=None)

    def waiting(self, kind: AgendaKind, now: datetime) -> list[tuple[str, AgendaEntry]]:
        """The entries of this kind that are not done yet, each with its phone; their times on the clock of ``now``."""
        rows = self._db.execute("SELECT * FROM agenda WHERE kind = ? ORDER BY due, elapsed_due", (kind,))
        return [(row["serial"], self._entry(row, now)) for row in rows]

    def take_due(self, serial: str, now: datetime) -> list[AgendaEntry]:
        """The entries that are due when the phone's clock shows ``now``, each handed out once.

        ``done`` or ``release_taken`` follows.
        """
        last = self._db.elapsed.now() + _TOLERANCE
        with self._db.transaction():
            rows = self._db.execute(
                "SELECT * FROM agenda WHERE serial = ? AND state = ? "
                "AND CASE WHEN elapsed_due IS NULL THEN due <= ? ELSE elapsed_due <= ? END ORDER BY due, elapsed_due",
                (serial, _State.WAITING, utc(now), last),
            ).fetchall()
            for row in rows:
                self._db.execute("UPDATE agenda SET state = ? WHERE id = ?", (_State.TAKEN, row["id"]))
        return [self._entry(row, now) for row in rows]

    def _entry(self, row: sqlite3.Row, now: datetime) -> AgendaEntry:
        of_the_clock = row["elapsed_due"] is None
        late = now - datetime.fromisoformat(row["due"]) if of_the_clock else self._late(row["elapsed_due"])
        due = row["due"] if of_the_clock else now - late
        return AgendaEntry(id=row["id"], due=due, late=late, kind=row["kind"], body=json.loads(row["body"]))

    def _late(self, elapsed_due: float) -> timedelta:
        late = self._db.elapsed.now() - elapsed_due
        return timedelta(seconds=0.0 if -_TOLERANCE <= late < 0 else late)

    def bring_forward(self, serial: str, kind: AgendaKind) -> None:
        """Make the waiting entries of this kind, which are due at an elapsed time, due at once."""
        now = self._db.elapsed.now()
        self._db.execute(
            "UPDATE agenda SET elapsed_due = ? WHERE serial = ? AND kind = ? AND state = ? AND elapsed_due > ?",
            (now, serial, kind, _State.WAITING, now),
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
        """Make ``rows`` the entries of this kind that are due later than ``after`` on the phone's clock.

        An entry that became due while the rows were put together still waits: it is not replaced.
        """
        with self._db.transaction():
            self._db.execute(
                "DELETE FROM agenda WHERE serial = ? AND kind = ? AND state = ? AND due > ?",
                (serial, kind, _State.WAITING, utc(after)),
            )
            for due, body in rows:
                self.add(due, serial, kind, body)
