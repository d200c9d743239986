"""Answers that the owner wanted to be remembered, in the journal's file."""

import json
from datetime import datetime

from pydantic import JsonValue

from agent.journal.database import Database, utc


class Preferences:
    """The remembered value of a parameter of a function, for requests that do not state it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, function: str, parameter: str) -> JsonValue:
        """The remembered value; None where there is none."""
        rows = self._db.execute(
            "SELECT value FROM preference WHERE function = ? AND parameter = ?", (function, parameter)
        ).fetchall()
        value: JsonValue = json.loads(rows[0]["value"]) if rows else None
        return value

    def set(self, function: str, parameter: str, value: JsonValue, at: datetime) -> None:
        """Remember a value, in place of an earlier one; ``at`` is the wall clock."""
        self._db.execute(
            "INSERT OR REPLACE INTO preference (function, parameter, value, at) VALUES (?, ?, ?, ?)",
            (function, parameter, json.dumps(value, ensure_ascii=False), utc(at)),
        )
