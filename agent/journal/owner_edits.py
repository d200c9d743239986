"""The owner's edits of learned habits and switches of declared situations."""

from collections.abc import Mapping

from agent.journal.database import Database
from models.routines.mining.habit import HabitEdit


class HabitEdits:
    """The owner's edits by habit, in the journal's file; the habits themselves are mined anew from the log."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> Mapping[str, HabitEdit]:
        """Every edit, by the habit's id."""
        rows = self._db.execute("SELECT habit, body FROM habit_edit")
        return {row["habit"]: HabitEdit.model_validate_json(row["body"]) for row in rows}

    def set(self, habit: str, edit: HabitEdit) -> None:
        """Store the edit of a habit, replacing an earlier one."""
        self._db.execute(
            "INSERT OR REPLACE INTO habit_edit (habit, body) VALUES (?, ?)", (habit, edit.model_dump_json())
        )


class SituationSwitches:
    """The situations that the owner switched on or off since the configuration was written."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> Mapping[str, bool]:
        """Every switch that the owner set, by the situation's id."""
        rows = self._db.execute("SELECT situation, enabled FROM situation_switch")
        return {row["situation"]: bool(row["enabled"]) for row in rows}

    def set(self, situation: str, *, on: bool) -> None:
        """Store that a situation is on or off, whatever the configuration says."""
        self._db.execute(
            "INSERT OR REPLACE INTO situation_switch (situation, enabled) VALUES (?, ?)", (situation, int(on))
        )
