"""Reads episodes in FingerTip-20K's format; the only module that knows it (``docs/evaluation.md`` says what is read).

A folder holds ``USER/TIME/survey_result.json`` with ``USER/TIME/action.jsonl``, and may hold the tables of the release
beside the users: ``user_profile.csv``, ``test_suggestion.csv`` and ``test_execution.csv``. A file is one such table of
episodes, without actions.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from heed.errors import UsageError
from heed.model import Frozen

CHINA = timezone(timedelta(hours=8))
"""The times of the release have no zone; its users live in mainland China."""
_TIME = "%Y%m%d_%H%M%S"
_KINDS = ("action", "action_type", "type", "name")
"""The fields in which an action written as an object names its kind; the release does not document it."""

Key = tuple[str, str]
"""User and time: what names an episode."""


class Episode(Frozen):
    """Something that a user wanted and did.

    Attributes:
        stamp: the time as the release writes it; with ``user`` it names the episode.
        scenario: where the user was, in one word or two.
        app: package or name of the app.
        intent: what the user wanted, in their words.
        category: of the intent.
        actions: what the user did, one text each, such as ``click(coordinates=(540,1200), content='Search')``.
    """

    user: str
    stamp: str
    scenario: str = ""
    app: str = ""
    intent: str = Field(min_length=1)
    category: str = ""
    actions: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """What names it."""
        return self.user, self.stamp

    @property
    def time(self) -> datetime:
        """When it began."""
        return datetime.strptime(self.stamp, _TIME).replace(tzinfo=CHINA)


class FingertipData(Frozen):
    """The episodes, oldest first, and which of them are evaluated.

    Attributes:
        profiles: by user, what is known of them, by column.
        suggestion: the episodes of the suggestion track; None = all that have an earlier one of the same user.
        execution: the episodes of the execution track; None = all with actions that have an earlier one.
    """

    episodes: tuple[Episode, ...]
    profiles: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    suggestion: frozenset[Key] | None = None
    execution: frozenset[Key] | None = None

    @cached_property
    def by_user(self) -> Mapping[str, Sequence[Episode]]:
        """The episodes of each user, oldest first."""
        found: dict[str, list[Episode]] = {}
        for episode in self.episodes:
            found.setdefault(episode.user, []).append(episode)
        return found


class Execution(Frozen):
    """What an agent did on a phone for one episode; one line of ``--executions``.

    Attributes:
        success: whether the task was done, as a person or a checker says; None where nobody says.
    """

    user_id: str
    time: str
    actions: tuple[str, ...] = Field(min_length=1)
    success: bool | None = None


class _Survey(BaseModel):
    """The fields of a row or of ``survey_result.json`` that are read."""

    scenario: str = ""
    app: str = ""
    intentDescription: str = Field(min_length=1)  # noqa: N815 - the release's name
    intentClass: str = ""  # noqa: N815


_ACTION = TypeAdapter[JsonValue](JsonValue)


def load_data(path: Path) -> FingertipData:
    """The episodes of a folder or a table; ``UsageError`` names what cannot be read."""
    episodes = sorted(_of_folder(path) if path.is_dir() else _of_table(path), key=lambda one: (one.stamp, one.user))
    if not episodes:
        raise UsageError(f"{path} holds no episodes of FingerTip-20K.", "A folder needs USER/TIME/survey_result.json.")
    folder = path if path.is_dir() else path.parent
    return FingertipData(
        episodes=tuple(episodes),
        profiles={row["user_id"]: row for row in _rows(folder / "user_profile.csv") if row.get("user_id")},
        suggestion=_keys(folder / "test_suggestion.csv") if path.is_dir() else None,
        execution=_keys(folder / "test_execution.csv") if path.is_dir() else None,
    )


def load_executions(path: Path) -> dict[Key, Execution]:
    """The executions of a file with one JSON object per line; ``UsageError`` names the line that cannot be used."""
    found: dict[Key, Execution] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.strip():
            try:
                one = Execution.model_validate_json(line)
            except ValidationError as error:
                raise UsageError(f"{path}, line {number}, is no execution: {_first(error)}.") from error
            found[one.user_id, one.time] = one
    return found


def _of_folder(folder: Path) -> Iterator[Episode]:
    for survey in sorted(folder.glob("*/*/survey_result.json")):
        user, stamp = survey.parts[-3:-1]
        yield _episode(survey, user, stamp, _json(survey), _actions(survey.with_name("action.jsonl")))


def _of_table(file: Path) -> Iterator[Episode]:
    for number, row in enumerate(_rows(file), 2):
        place = f"{file}, line {number}"
        yield _episode(place, row.get("user_id") or "", row.get("time") or "", dict(row), ())


def _episode(place: Path | str, user: str, stamp: str, fields: JsonValue, actions: tuple[str, ...]) -> Episode:
    try:
        survey = _Survey.model_validate(fields)
        datetime.strptime(stamp, _TIME).replace(tzinfo=CHINA)
    except ValidationError as error:
        raise UsageError(f"{place} is no episode of FingerTip-20K: {_first(error)}.") from error
    except ValueError as error:
        raise UsageError(f"{place} has no time like 20250309_133115: {stamp!r}.") from error
    return Episode(
        user=user, stamp=stamp, scenario=survey.scenario, app=survey.app, intent=survey.intentDescription,
        category=survey.intentClass, actions=actions,
    )  # fmt: skip


def _actions(file: Path) -> tuple[str, ...]:
    if not file.exists():
        return ()
    lines = [line for line in _text(file).splitlines() if line.strip()]
    try:
        return tuple(action_text(_ACTION.validate_json(line)) for line in lines)
    except ValidationError as error:
        raise UsageError(f"{file} does not hold one JSON value per line: {_first(error)}.") from error


def action_text(action: JsonValue) -> str:
    """An action as the release's prompts write it, ``KIND(NAME=VALUE, …)``; a text is kept as it is."""
    if not isinstance(action, dict):
        return str(action)
    kind = next((name for name in _KINDS if isinstance(action.get(name), str)), "")
    shown = [f"{name}={_value(value)}" for name, value in action.items() if name != kind]
    return f"{action.get(kind, '')}({', '.join(shown)})"


def _value(value: JsonValue) -> str:
    if isinstance(value, list):
        return f"({','.join(map(str, value))})"
    return repr(value) if isinstance(value, str) else str(value)


def _keys(file: Path) -> frozenset[Key] | None:
    return frozenset((row["user_id"], row["time"]) for row in _rows(file)) if file.exists() else None


def _rows(file: Path) -> list[dict[str, str]]:
    """The rows of a table, which may begin with a byte-order mark; none where the file is absent."""
    if not file.exists():
        return []
    rows = list(csv.DictReader(io.StringIO(_text(file, "utf-8-sig"))))
    if rows and "user_id" not in rows[0]:
        raise UsageError(f"{file} has no column user_id.", "Name a table of FingerTip-20K, or its folder.")
    return [{name: (value or "").strip() for name, value in row.items() if name} for row in rows]


def _json(file: Path) -> JsonValue:
    try:
        found: JsonValue = json.loads(_text(file))
    except ValueError as error:
        raise UsageError(f"{file} is not JSON: {error}.") from error
    return found


def _text(file: Path, encoding: str = "utf-8") -> str:
    try:
        return re.sub(r"\r\n?", "\n", file.read_text(encoding))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read {file}: {error}.") from error


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
