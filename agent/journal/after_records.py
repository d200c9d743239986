"""The records of what was done on a phone, which no failure of the journal may lose.

An action is announced in the journal before anything happens; when that fails, nothing happens. What is known
afterwards is written at once where possible. What the journal cannot take now (its disk is full, a backup holds it) is
kept in memory and in a file beside it, and written before anything else as soon as the journal takes it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError

from agent.journal.agenda import Agenda, AgendaKind
from agent.journal.database import Database, JournalError
from agent.journal.records import ActionState
from agent.journal.store import Journal
from executors.plan import Outcome
from heed.model import Frozen

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
"""Between two attempts to write what the journal did not take."""


class TimedUndo(Frozen):
    """When an action is to be undone, and on which phone."""

    due: float
    """Elapsed time, in seconds."""
    phone_id: str


class AfterRecord(Frozen):
    """The record of one announced action after its commands."""

    action: int
    state: ActionState
    receipt: Mapping[str, JsonValue] | None = None
    """With ``PERFORMED``: what undo needs; with ``STARTED``: how far the action got so far."""
    outcome: Outcome | None = None
    """With ``FINISHED`` or ``INTERRUPTED`` that of the action; otherwise that of its undo."""
    timed_undo: TimedUndo | None = None
    """The undo to enter in the agenda together with the outcome."""
    of_undo: bool = False
    """Whether ``outcome`` is that of an undo."""
    at: datetime | None = None
    """With an undo, the phone's time at its end."""


_RECORDS = TypeAdapter(list[AfterRecord])


class AfterRecords:
    """Writes after-records in their order, each once."""

    def __init__(self, database: Database, journal: Journal, agenda: Agenda) -> None:
        self._db, self._journal, self._agenda = database, journal, agenda
        self.path = waiting_path(database.path)
        self._waiting = self._read()
        self._kept = asyncio.Event()
        """Set while something waits that the journal did not take."""
        if self._waiting:
            self._kept.set()

    def write(self, record: AfterRecord) -> None:
        """Store a record now, or keep it until the journal can be written; raises nothing for the journal's sake."""
        self._waiting.append(record)
        try:
            self.flush()
        except JournalError as error:
            log.error("what was done is kept in %s until the journal can be written: %s", self.path, error)
            self._keep()
            self._kept.set()

    async def write_when_possible(self) -> None:
        """Write what waits as soon as the journal takes it, also when nothing more happens; runs until cancelled."""
        while True:
            await self._kept.wait()
            await asyncio.sleep(RETRY_SECONDS)
            with contextlib.suppress(JournalError):
                self.flush()

    def flush(self) -> None:
        """Write what waits; ``JournalError`` while the journal cannot be written."""
        if not self._waiting:
            self._kept.clear()
            return
        while self._waiting:
            try:
                self._apply(self._waiting[0])
            except (ValueError, TypeError):
                log.exception("a record cannot be written at all; the phone is asked instead")
            del self._waiting[0]
        self.path.unlink(missing_ok=True)
        self._kept.clear()

    def _apply(self, record: AfterRecord) -> None:
        """One transaction; a record that the journal has already changes nothing."""
        with self._db.transaction():
            if record.state is ActionState.PERFORMED:
                self._journal.performed(record.action, record.receipt or {})
            elif record.state is ActionState.STARTED:
                self._journal.progressed(record.action, record.receipt or {})
            elif record.outcome is not None and record.of_undo:
                self._journal.finish_undo(record.action, record.outcome, record.at)
            elif record.outcome is not None and self._journal.finish(record.action, record.outcome, record.state):
                self._plan_undo(record)

    def _plan_undo(self, record: AfterRecord) -> None:
        if record.timed_undo is not None:
            body = {"action": record.action}
            self._agenda.add_at(record.timed_undo.due, record.timed_undo.phone_id, AgendaKind.UNDO, body)

    def _keep(self) -> None:
        try:
            self.path.touch(mode=0o600)
            self.path.write_bytes(_RECORDS.dump_json(self._waiting))
        except OSError as error:
            # The action stays announced and unfinished: after a restart the phone is asked.
            log.error("nor can %s be written: %s", self.path, error)

    def _read(self) -> list[AfterRecord]:
        try:
            return _RECORDS.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            log.error("%s cannot be read, so the phone is asked instead: %s", self.path, error)
            return []


def waiting_path(journal: Path) -> Path:
    """The file beside ``journal`` with what could not be written yet; absent as a rule."""
    return journal.with_name(f"{journal.name}-waiting")
