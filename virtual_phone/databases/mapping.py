"""A SQLite file whose rows are records of the phone's state."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from virtual_phone.state import PhoneState
from virtual_phone.state.files import FileError

Cell = str | int | float | bytes | None
TableRow = dict[str, Cell]


@dataclass(frozen=True)
class MappedTable:
    """One table: how records become rows, and rows records.

    Attributes:
        name: of the table in the schema.
        rows: the rows that show the state. Columns that a row leaves out take the schema's default.
        put: stores a new or changed row; gets every column. None for a table that only shows what others hold: what is
            written into it is lost, as a trigger of the provider would overwrite it.
        remove: deletes the record with a key.
        key: the column of the integer primary key.
    """

    name: str
    rows: Callable[[PhoneState], list[TableRow]]
    put: Callable[[PhoneState, TableRow], None] | None = None
    remove: Callable[[PhoneState, int], object] | None = None
    key: str = "_id"


@dataclass(frozen=True)
class MappedDatabase:
    """One database file.

    Attributes:
        path: on the phone.
        schema: the name of the file with the ``CREATE TABLE`` statements, beside this module.
        tables: in the order in which changes are taken over: what others refer to comes first.
    """

    path: str
    schema: str
    tables: tuple[MappedTable, ...]


@contextmanager
def opened(data: bytes) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """A connection to a temporary copy of a database file, with the copy's path. Empty data is an empty database."""
    with tempfile.TemporaryDirectory(prefix="heed-sqlite-") as folder:
        copy = Path(folder, "database")
        copy.write_bytes(data)
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            yield connection, copy
        finally:
            connection.close()


class StateDatabase:
    """A database file of one phone (a ``StateFile``): reading builds it from the state, writing changes the state."""

    def __init__(self, state: PhoneState, database: MappedDatabase) -> None:
        self._state, self._database = state, database

    def read(self) -> bytes:
        """The file, made from the state as it is now."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            connection.executescript(_schema(self._database.schema))
            for table in self._database.tables:
                for row in table.rows(self._state):
                    _insert(connection, table.name, row)
            return bytes(connection.serialize())
        finally:
            connection.close()

    def write(self, data: bytes) -> None:
        """Take over each row that differs from the state.

        Raises:
            FileError: ``data`` is no such database, or a row holds what the phone cannot store.
        """
        try:
            with opened(self.read()) as (before, _), opened(data) as (after, _):
                for table in self._database.tables:
                    self._take_over(table, _rows(before, table), _rows(after, table))
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise FileError(self._database.path, str(error).splitlines()[0]) from error

    def clear(self) -> None:
        """Delete the records of every table."""
        for table in self._database.tables:
            if table.remove is None:
                continue
            for key in sorted((_key(row[table.key]) for row in table.rows(self._state)), reverse=True):
                table.remove(self._state, key)

    def _take_over(self, table: MappedTable, old: dict[int, TableRow], new: dict[int, TableRow]) -> None:
        if table.put is None or table.remove is None:
            return
        # From the highest number down: where rows are numbered by their place, lower ones keep their number.
        for key in sorted(old.keys() - new.keys(), reverse=True):
            table.remove(self._state, key)
        for key, row in new.items():
            if old.get(key) != row:
                table.put(self._state, row)


def _schema(name: str) -> str:
    return resources.files("virtual_phone.databases").joinpath(name).read_text("utf-8")


def _insert(connection: sqlite3.Connection, table: str, row: TableRow) -> None:
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))  # noqa: S608 - ours


def _rows(connection: sqlite3.Connection, table: MappedTable) -> dict[int, TableRow]:
    cursor = connection.execute(f"SELECT * FROM {table.name}")  # noqa: S608 - the name is ours
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, values, strict=True)) for values in cursor]
    return {_key(row[table.key]): row for row in rows}


def _key(value: Cell) -> int:
    if not isinstance(value, int):
        raise ValueError("a row has no number")
    return value
