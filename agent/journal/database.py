"""The SQLite file behind the journal.

One process writes at a time: the daemon, or a command that holds the phone's lock.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.journal.schema import MIGRATIONS
from heed import paths
from heed.errors import UsageError
from heed.messages import msg

BUSY_TIMEOUT_MS = 5000


class Database:
    """The file at ``path``, opened (made, migrated) in WAL mode; ``UsageError`` when it cannot be."""

    def __init__(self, path: Path) -> None:
        self.path = path
        paths.create_folder(path.parent)
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            self._migrate()
        except sqlite3.DatabaseError as error:
            remedy = msg("Move it away to start a new one; nothing in it is deleted.")
            raise UsageError(
                msg("The journal {path} cannot be opened: {error}.", path=path, error=error), remedy
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
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def insert(self, table: str, **values: Any) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        row = self._db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608
        return int(row.lastrowid or 0)

    def execute(self, query: str, arguments: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; outside a transaction it is committed at once."""
        return self._db.execute(query, tuple(arguments))


def utc(moment: datetime) -> str:
    """ISO text in UTC: it sorts as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
