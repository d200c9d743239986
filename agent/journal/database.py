"""The SQLite file behind the journal.

One process writes at a time: the daemon, or a command that holds the phone's lock.
"""

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.journal.elapsed_time import ElapsedTime
from agent.journal.schema import MIGRATIONS
from heed import paths
from heed.clock import Clock, SystemClock
from heed.errors import PersonError, UsageError
from heed.messages import Message, msg
from heed.unicode import valid_text

log = logging.getLogger(__name__)

BUSY_TIMEOUT_MS = 5000


class JournalError(PersonError):
    """The journal cannot be read or written now."""


class Database:
    """The file at ``path``, opened (made, migrated) in WAL mode; ``UsageError`` when it cannot be."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        """``clock`` has the host's monotonic clock, which counts the elapsed time; None = the system's."""
        self.path = path
        paths.create_folder(path.parent)
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            # What is deleted is overwritten with zeros.
            self._db.execute("PRAGMA secure_delete = ON")
            self._db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            self._migrate()
            self.elapsed = ElapsedTime(self._db, clock or SystemClock())
        except sqlite3.DatabaseError as error:
            raise UsageError(
                msg("The journal {path} cannot be opened: {error}.", path=path, error=error), _open_remedy(error)
            ) from error

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._db.close()

    def _migrate(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise UsageError(
                msg("The journal {path} was written by a newer heed.", path=self.path), msg("Update heed.")
            )
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            self._db.executescript(f"BEGIN;{script};PRAGMA user_version = {number};COMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction; ``JournalError`` when it cannot be written, and then nothing is."""
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # After a full disk SQLite has rolled back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def used_bytes(self) -> int:
        """Bytes that the rows take; the file may be larger by free pages, which are used again."""
        pages, free, size = (
            int(self._db.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def compact(self) -> None:
        """Rewrite the file without unused space; put off while it is read elsewhere or the disk is full."""
        try:
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            log.warning("the journal could not be compacted: %s", error)

    def insert(self, table: str, **values: Any) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        row = self.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values.values())  # noqa: S608
        return int(row.lastrowid or 0)

    def execute(self, query: str, arguments: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; outside a transaction it is committed at once.

        ``JournalError`` when it cannot be carried out now. Text is made valid Unicode.
        """
        with self._told():
            return self._db.execute(query, tuple(map(_valid, arguments)))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn SQLite's errors into a sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise _journal_error(self.path, error) from error


def _journal_error(path: Path, error: sqlite3.OperationalError) -> JournalError:
    code = error.sqlite_errorcode & 0xFF if error.sqlite_errorcode else 0
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(
            msg("Another program holds the journal {path}.", path=path), msg("End it, if it is not a backup.")
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return JournalError(
            msg("The journal {path} cannot be written: {reason}.", path=path, reason=str(error)),
            msg("Is the disk full, or read-only?"),
        )
    raise error


def _valid(value: Any) -> Any:
    return valid_text(value) if isinstance(value, str) else value


_NOT_WRITABLE = msg("You may not write there: change its permissions, or name another folder.")
_OPEN_REMEDIES = {
    sqlite3.SQLITE_FULL: msg("The disk is full: make room on it."),
    sqlite3.SQLITE_BUSY: msg("Another program holds it: wait until that is done."),
    sqlite3.SQLITE_READONLY: _NOT_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: _NOT_WRITABLE,
    sqlite3.SQLITE_IOERR: msg("The disk cannot be written: see whether it is full or damaged."),
}


def _open_remedy(error: sqlite3.DatabaseError) -> Message:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    return _OPEN_REMEDIES.get(code, msg("Move it away to start a new one; nothing in it is deleted."))


def utc(moment: datetime) -> str:
    """ISO text in UTC: it sorts as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
