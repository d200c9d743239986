"""Contents of SQLite files."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

Cell = str | int | float | bytes | None


@contextmanager
def _database(data: bytes = b"") -> Iterator[sqlite3.Connection]:
    """A database in memory; SQLite's errors are raised as ``ValueError`` with its message."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if data:
            connection.deserialize(data)
        yield connection
    except sqlite3.Error as error:
        raise ValueError(str(error)) from error
    finally:
        connection.close()


def made_by(sql: str) -> bytes:
    """The database file that statements make. Raises ``ValueError`` with SQLite's message."""
    with _database() as connection:
        connection.executescript(sql)
        return bytes(connection.serialize())


def rows_in(data: bytes, query: str, *values: Cell) -> list[dict[str, Cell]]:
    """The rows of a query on a database file. Raises ``ValueError`` with SQLite's message."""
    with _database(data) as connection:
        cursor = connection.execute(query, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]


def with_row(data: bytes, table: str, row: Mapping[str, Cell]) -> bytes:
    """The database file with a row that is new, or replaces the one with the same key.

    Raises ``ValueError`` with SQLite's message.
    """
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" for _ in row)
    with _database(data) as connection:
        connection.execute(f'REPLACE INTO "{table}" ({names}) VALUES ({marks})', [*row.values()])  # noqa: S608 - ours
        return bytes(connection.serialize())


def without_row(data: bytes, table: str, key: str, value: Cell) -> bytes:
    """The database file without the rows that have a value in a column. Raises ``ValueError`` with SQLite's message."""
    with _database(data) as connection:
        connection.execute(f'DELETE FROM "{table}" WHERE "{key}" = ?', [value])  # noqa: S608 - ours
        return bytes(connection.serialize())
