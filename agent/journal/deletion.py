"""Deletes rows of the journal's file by date or by what they hold, in every table, and leaves no copy in the file."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from agent.journal.agenda import AgendaKind
from agent.journal.database import Database, utc

_DATES = ("at", "due", "until")
"""Columns with a row's time."""
_KEPT = frozenset({"situation_switch", "pause"})
"""Tables with nothing but the owner's settings."""


class JournalDeletion:
    """Deletion in one journal file; every table is searched, those of later versions too."""

    def __init__(self, database: Database) -> None:
        self._db = database
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        self._tables = [row["name"] for row in names.fetchall() if row["name"] not in _KEPT]

    def documents(self) -> Iterator[Any]:
        """Every JSON document in the file, parsed."""
        for table in self._tables:
            for row in self._db.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
                for value in tuple(row):
                    if isinstance(value, str) and value[:1] in ("{", "["):
                        yield _parsed(value)

    def delete_before(self, moment: datetime) -> int:
        """Delete the rows with a time before ``moment``, and what followed from them; their number."""
        return sum(
            self._db.execute(f'DELETE FROM "{table}" WHERE {_is_before(column)}', (utc(moment),)).rowcount  # noqa: S608
            for table, column in self._dated()
        )

    def count_before(self, moment: datetime) -> int:
        """The rows with a time before ``moment``."""
        counts = (
            self._db.execute(f'SELECT COUNT(*) FROM "{table}" WHERE {_is_before(column)}', (utc(moment),))  # noqa: S608
            for table, column in self._dated()
        )
        return sum(count.fetchone()[0] for count in counts)

    def delete_matching(self, matches: Callable[[str], bool]) -> int:
        """Delete the rows with a text that ``matches``, and what followed from them; their number."""
        deleted = 0
        for table, row in self._matching(matches):
            deleted += self._db.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row,)).rowcount  # noqa: S608
        return deleted

    def count_matching(self, matches: Callable[[str], bool]) -> int:
        """The rows with a text that ``matches``."""
        return len(self._matching(matches))

    def delete_remains(self) -> None:
        """Delete contexts without a decision and timed undos without an action, then rewrite the file."""
        self._db.execute("DELETE FROM context WHERE id NOT IN (SELECT context_id FROM decision)")
        self._db.execute(
            "DELETE FROM agenda WHERE kind = ? AND json_extract(body, '$.action') NOT IN (SELECT id FROM action)",
            (AgendaKind.UNDO,),
        )
        self._db.execute("PRAGMA temp_store = MEMORY")
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _dated(self) -> Iterator[tuple[str, str]]:
        for table in self._tables:
            columns = [row["name"] for row in self._db.execute(f'PRAGMA table_info("{table}")').fetchall()]
            yield from ((table, column) for column in columns if column in _DATES)

    def _matching(self, matches: Callable[[str], bool]) -> list[tuple[str, int]]:
        return [
            (table, row["_row"])
            for table in self._tables
            for row in self._db.execute(f'SELECT rowid AS _row, * FROM "{table}"')  # noqa: S608
            if any(isinstance(value, str) and matches(value) for value in tuple(row))
        ]


def _is_before(column: str) -> str:
    # A number is smaller than any text; an empty time stands beside an elapsed one.
    return f'typeof("{column}") = \'text\' AND "{column}" <> \'\' AND "{column}" < ?'


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
