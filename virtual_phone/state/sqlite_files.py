"""Contents of SQLite files."""

import sqlite3


def made_by(sql: str) -> bytes:
    """The database file that statements make. Raises ``ValueError`` with SQLite's message."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript(sql)
        return bytes(connection.serialize())
    except sqlite3.Error as error:
        raise ValueError(str(error)) from error
    finally:
        connection.close()
