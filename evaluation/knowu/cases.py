"""Loads the cases, and builds from each the context and log that the system may use.

Per the data set's README the system may see ``role``, ``now``, ``location``, ``events``, ``device_state``,
``prompt_context``, one log file and the profile. Everything else is for scoring and never part of a ``Context``.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from collectors.context import Context, Fact, LogEntry, Section, Trigger, TriggerKind
from heed.errors import UsageError
from heed.trust import Trust

SERIAL = "recorded"
_OLD_DAYS = 30


class _Read(BaseModel):
    """Ignores unused fields of the files."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Expectation(_Read):
    """The right answer."""

    decision: Literal["act", "silent"]
    functions: tuple[tuple[str, ...], ...] = ()
    key_parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class RejectStep(_Read):
    """What follows after the first proposal was rejected."""

    step: str
    now: datetime
    events: tuple[Mapping[str, JsonValue], ...] | None = None


class KnowuCase(_Read):
    """One moment."""

    id: str
    role: str
    now: datetime
    location: str
    events: tuple[Mapping[str, JsonValue], ...]
    device_state: Mapping[str, JsonValue]
    logs: Mapping[str, str]
    profile: str
    expect: Expectation
    contested: bool
    if_rejected: tuple[RejectStep, ...] = ()

    def context(self, step: RejectStep | None = None) -> Context:
        """The context of this case, or of a later step of it."""
        now = step.now if step else self.now
        events = self.events if step is None or step.events is None else step.events
        return Context(
            serial=SERIAL,
            now=now,
            place=self.location,
            trigger=_trigger(events),
            device=Section(facts=tuple(_facts(self.device_state, now))),
            world=Section(facts=tuple(_fact(name, value, now) for name, value in _clock(now))),
        )


_CASES = TypeAdapter(list[KnowuCase])


def load_cases(folder: Path) -> list[KnowuCase]:
    """The cases and reject cases of a folder; ``UsageError`` names the file that cannot be used."""
    return [case for name in ("cases.json", "reject_cases.json") for case in _load(folder / name)]


def _load(path: Path) -> list[KnowuCase]:
    try:
        return _CASES.validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{path} holds no KnowU cases: {place}: {first['msg']}.") from error


def load_log(path: Path) -> list[LogEntry]:
    """The entries of a log file, with their lines."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from error
    return [LogEntry(**json.loads(line), line=number) for number, line in enumerate(lines, 1) if line.strip()]


# --- triggers ---

_RENAMED: Mapping[str, Mapping[str, str]] = {TriggerKind.SMS_RECEIVED: {"sender": "number"}}
_THIRD_PARTY = frozenset({TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION, TriggerKind.CALENDAR_EVENT})


def _trigger(events: Sequence[Mapping[str, JsonValue]]) -> Trigger:
    """The event of the moment; without one, only the clock can be the trigger."""
    if not events:
        return Trigger(kind=TriggerKind.CLOCK)
    kind = str(events[0]["type"])
    names = _RENAMED.get(kind, {})
    data = {names.get(name, name): value for name, value in events[0].items() if name != "type"}
    return Trigger(kind=kind, data=data, trust=Trust.THIRD_PARTY if kind in _THIRD_PARTY else Trust.DEVICE)


# --- device facts ---


def _fact(name: str, value: JsonValue, now: datetime, trust: Trust = Trust.DEVICE) -> Fact:
    return Fact(name=name, value=value, source="recorded case", read_at=now, trust=trust)


def _clock(now: datetime) -> Iterator[tuple[str, str]]:
    yield "time.local", now.isoformat()
    yield "time.weekday", ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[now.weekday()]


def _facts(state: Mapping[str, JsonValue], now: datetime) -> Iterator[Fact]:
    for key, facts in _STATE.items():
        if key in state:
            for name, value, trust in facts(state[key], now):
                yield _fact(name, value, now, trust)


_Named = tuple[str, JsonValue, Trust]


def _plain(name: str) -> Callable[[Any, datetime], Iterator[_Named]]:
    return lambda value, _now: iter([(name, value, Trust.DEVICE)])


def _battery(value: Any, _now: datetime) -> Iterator[_Named]:
    yield "battery.level", value["level"], Trust.DEVICE
    yield "battery.plugged", value["plugged"], Trust.DEVICE


def _alarms(value: Any, now: datetime) -> Iterator[_Named]:
    """The next enabled alarm; those of the cases ring every day."""
    moments = [
        {"time": _next(alarm["time"], now).isoformat(), "label": alarm.get("label")}
        for alarm in value
        if alarm["enabled"]
    ]
    yield "alarms.next", min(moments, key=lambda alarm: str(alarm["time"]), default=None), Trust.DEVICE


def _next(clock: str, now: datetime) -> datetime:
    hour, minute = map(int, clock.split(":"))
    moment = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return moment if moment > now else moment + timedelta(days=1)


def _files(value: Any, now: datetime) -> Iterator[_Named]:
    yield "files.documents", [{"path": file["path"]} for file in value], Trust.THIRD_PARTY
    old = [file for file in value if "Screenshot" in file["path"] and file.get("age_days", 0) > _OLD_DAYS]
    if any("age_days" in file for file in value):
        before = (now - timedelta(days=_OLD_DAYS)).date().isoformat()
        yield "media.screenshots_old", {"count": len(old), "before": before}, Trust.DEVICE


def _volume(value: Any, _now: datetime) -> Iterator[_Named]:
    yield "media.volume", 0 if value["muted"] else value["level"], Trust.DEVICE


_STATE: Mapping[str, Callable[[Any, datetime], Iterator[_Named]]] = {
    "power_saving_mode": _plain("power_saving.enabled"),
    "battery": _battery,
    "dark_mode": _plain("dark_mode.enabled"),
    "do_not_disturb": _plain("dnd.mode"),
    "ringer_mode": _plain("ringer.mode"),
    "recent_app": _plain("foreground.app"),
    "alarms": _alarms,
    "files": _files,
    "media_volume": _volume,
}
