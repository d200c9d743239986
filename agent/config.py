"""The whole configuration: each package's section and the agent's own.

Sources, strongest first: flags, environment (``HEED_POLICY__QUIET_FROM=23:00``), the TOML file, defaults.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from datetime import time
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from agent.assistants.config import McpConfig
from agent.channels.config import ChannelsConfig
from android_bridge.config import BridgeConfig
from collectors.config import CollectorsConfig
from collectors.config import stored_files as collectors_files
from executors.config import ExecutorsConfig
from executors.config import stored_files as executors_files
from heed import paths
from heed.errors import UsageError
from heed.language import Language
from heed.library_messages import from_library
from heed.messages import Message, msg
from heed.model import Frozen
from heed.stored_files import FileKind, StoredFile
from models.config import ModelsConfig

_ADB_ENVIRONMENT = {
    "ANDROID_SERIAL": "serial",
    "ANDROID_ADB_SERVER_HOST": "host",
    "ANDROID_ADB_SERVER_PORT": "port",
}


class PolicyConfig(Frozen):
    """When heed may make suggestions."""

    quiet_from: time = time(0, 0)
    """Start of the quiet hours on the phone's clock; nothing is suggested during them."""
    quiet_until: time = time(7, 0)
    """End of the quiet hours; equal to ``quiet_from`` = no quiet hours."""
    per_hour: int = Field(default=4, ge=0)
    """At most so many suggestions in any 60 minutes."""
    per_day: int = Field(default=8, ge=0)
    """At most so many suggestions in any 24 hours."""
    kept_per_hour: int = Field(default=1, ge=0)
    """Of ``per_hour``, so many are kept for messages, calls, appointments and states of the phone: what only the time
    of day or an app that was opened brings (habits) yields to them."""
    kept_per_day: int = Field(default=2, ge=0)
    """The same of ``per_day``."""
    cool_down_hours: float = Field(default=12.0, gt=0)
    """Hours of the cool-down after "not now"; doubled by each further rejection of the same suggestion."""
    unanswered_pause_minutes: float = Field(default=60.0, ge=0)
    """Minutes in which a question that nobody answered is not asked again; it is no rejection, and is never doubled."""
    decision_timeout: float = Field(default=120.0, gt=0)
    """Seconds that a reasoner may take for one recommendation; then heed stays silent. The default fits a small
    language model on a CPU; `heed model check` measures what yours needs."""
    minimum_confidence: float = Field(default=0.5, ge=0, le=1)
    """The threshold: a recommendation with a known, lower confidence is not made."""


class ConsentConfig(Frozen):
    """Consent requests."""

    timeout: float = Field(default=120.0, gt=0)
    """Seconds until a question is closed without an answer; nothing is done then."""
    valid_for: float = Field(default=300.0, gt=0)
    """Seconds within which an allowed plan must begin; later it is not begun."""


class ConsoleConfig(Frozen):
    """The web console; it is reachable from this machine only."""

    enabled: bool = True
    """Serve it while ``heed run`` runs."""
    port: int = Field(default=0, ge=0, le=65535)
    """Its port on this machine's loopback; 0 = any free one."""
    phone: bool = True
    """Ask on the phone too, with a notification that opens a page in the phone's browser."""
    phone_port: int = Field(default=8746, ge=1024, le=65535)
    """The port of the phone's own loopback that leads to that page while a question is open."""


class JournalConfig(Frozen):
    """The journal and its retention."""

    path: Path = Field(default_factory=lambda: paths.data_dir() / "journal.sqlite3")
    """The SQLite file."""
    retention_days: int = Field(default=90, ge=1)
    """Older rows are deleted; days in which this machine is off do not count."""
    max_megabytes: float = Field(default=200.0, gt=0)
    """Most megabytes of rows; beyond them the oldest silences are deleted, and nothing that was suggested or done."""


class Config(Frozen):
    """Everything that can be set; each section belongs to the package of its name."""

    language: Language = Language.EN
    """The language of sentences shown to you: ``en`` or ``zh``."""
    bridge: BridgeConfig = Field(default_factory=BridgeConfig)
    collectors: CollectorsConfig = Field(default_factory=CollectorsConfig)
    models: ModelsConfig = Field(default_factory=ModelsConfig)
    executors: ExecutorsConfig = Field(default_factory=ExecutorsConfig)
    policy: PolicyConfig = Field(default_factory=PolicyConfig)
    consent: ConsentConfig = Field(default_factory=ConsentConfig)
    console: ConsoleConfig = Field(default_factory=ConsoleConfig)
    channels: ChannelsConfig = Field(default_factory=ChannelsConfig)
    mcp: McpConfig = Field(default_factory=McpConfig)
    journal: JournalConfig = Field(default_factory=JournalConfig)


def default_path() -> Path:
    """The configuration file that is read when no other is named."""
    return paths.config_dir() / "config.toml"


def stored_files(config: Config) -> tuple[StoredFile, ...]:
    """Every file and folder that heed writes."""
    journal = config.journal.path
    beside = tuple(f"{journal.name}-{end}" for end in ("wal", "shm", "journal", "waiting"))
    run = paths.runtime_dir()
    return (
        StoredFile(path=journal, holds="the journal", kind=FileKind.JOURNAL, companions=beside),
        *collectors_files(config.collectors),
        *executors_files(config.executors),
        StoredFile(path=paths.cache_dir(), holds="saved beginnings of prompts", kind=FileKind.CACHE),
        StoredFile(path=paths.log_dir(), holds="the daemon's log", kind=FileKind.CACHE),
        StoredFile(
            path=journal.with_name("console-sessions.json"),
            holds="the browsers that are signed in to the console",
            kind=FileKind.STATE,
            companions=("console-sessions.*.part",),
        ),
        StoredFile(path=default_path(), holds="your configuration", kind=FileKind.OWNER),
        StoredFile(
            path=paths.config_dir() / "rules.yaml", holds="your rules", kind=FileKind.OWNER, companions=("rules.new",)
        ),
        StoredFile(
            path=run / "daemon.sock",
            holds="the daemon's socket",
            kind=FileKind.PROCESS,
            companions=("daemon.lock",),
        ),
        StoredFile(path=run / "console.html", holds="a link to the console", kind=FileKind.PROCESS),
        StoredFile(
            path=run / "phone.lock", holds="process numbers", kind=FileKind.PROCESS, companions=("phone-*.lock",)
        ),
    )


def load(path: Path | None = None, flags: Mapping[str, Any] | None = None) -> Config:
    """The configuration from file, environment and flags; ``UsageError`` names the file, the field and the fault."""
    merged = _merge(_read_toml(path), _environment(), flags or {})
    if "language" in merged:
        # One language for everything, unless the context is to be worded in another.
        merged = _merge({"collectors": {"language": merged["language"]}}, merged)
    try:
        return Config(**merged)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        fault = from_library(first["msg"])
        raise UsageError(
            msg("Configuration field `{field}`: {fault}.", field=field, fault=fault),
            _remedy(tuple(map(str, first["loc"])), path or default_path(), flags or {}),
        ) from error


def _remedy(field: tuple[str, ...], path: Path, flags: Mapping[str, Any]) -> Message:
    """Where a wrong field is corrected: on the command line, in the environment or in the file."""
    if _is_set(flags, field):
        return msg("Correct it on the command line.")
    for name, place in _variables():
        if place[: len(field)] == field or field[: len(place)] == place:
            example = '["one", "two"]'
            return msg(
                "Set {name} to another value, or unset it; a list is written as {example}.", name=name, example=example
            )
    return msg("Correct it in {where}.", where=path)


def _is_set(values: Any, field: tuple[str, ...]) -> bool:
    for name in field:
        if not isinstance(values, Mapping) or name not in values:
            return False
        values = values[name]
    return True


def _read_toml(path: Path | None) -> dict[str, Any]:
    file = path or default_path()
    if path is None and not file.exists():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            msg("Cannot read the configuration {file}: {strerror}.", file=file, strerror=error.strerror)
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            msg("{file} is not valid TOML: {error}.", file=file, error=error),
            msg("Correct it, or write a new one with `heed init`."),
        ) from error


def _environment() -> dict[str, Any]:
    """``HEED_SECTION__FIELD`` and adb's own variables, as nested data."""
    found: dict[str, Any] = {"bridge": {}}
    for name, (*sections, field) in _variables():
        inner = found
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[field] = os.environ[name] if name in _ADB_ENVIRONMENT else _decode(os.environ[name])
    return found


def _variables() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The variables that set a field, each with the field's place; the strongest comes last."""
    for name, field in _ADB_ENVIRONMENT.items():
        if os.environ.get(name):
            yield name, ("bridge", field)
    for name in os.environ:
        place = tuple(name.removeprefix("HEED_").lower().split("__"))
        if name.startswith("HEED_") and (len(place) > 1 or name == "HEED_LANGUAGE"):
            yield name, place


def _decode(value: str) -> Any:
    """Lists and tables come as JSON; everything else is text that the field's type reads."""
    if not value.startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _merge(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Later layers win, field by field."""
    result: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            inner = result.get(key)
            result[key] = _merge(inner, value) if isinstance(value, Mapping) and isinstance(inner, Mapping) else value
    return result
