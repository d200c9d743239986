"""Training examples of the reader, from files of labelled messages."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from collectors import apps
from heed.language import Language
from models.reader.description import Appointment, Moment, describe, said
from models.reader.roles import role_of, roles
from models.reader.text_input import ReaderInput
from models.values.incoming import IncomingText

_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class Span(NamedTuple):
    """Where a role's value stands in the text, in characters."""

    role: int
    start: int
    end: int


class ReaderExample(NamedTuple):
    """A labelled text."""

    hand: str
    kind: str
    """``need``, ``lookalike`` or ``ordinary``."""
    given: ReaderInput
    text: IncomingText
    moment: Moment
    functions: tuple[str, ...]
    """Those that serve it; empty = silence."""
    spans: tuple[Span, ...]
    spans_known: bool
    """Whether ``spans`` are labelled."""
    appointments: tuple[Appointment, ...] = ()
    """Those that its calls create."""


def load(path: Path, hand: str) -> Iterator[ReaderExample]:
    """The examples of one hand's file, one JSON object per line."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield example(json.loads(line), hand)


def example(row: Mapping[str, Any], hand: str) -> ReaderExample:
    """One labelled message."""
    text = IncomingText(
        app=row["app"],
        app_name=app_name(row["app"]),
        sender=row["from"],
        known=row["known"],
        title=row.get("title") or "",
        text=row["text"],
    )
    moment = _moment(row)
    calls = row.get("calls") or []
    spans = dict.fromkeys(span for call in calls for span in _spans(call, said(text)))
    return ReaderExample(
        hand, row["kind"], describe(text, moment), text, moment,
        tuple(dict.fromkeys(call["function"] for call in calls)), tuple(spans), True,
        tuple(_created(calls, moment.now)),
    )  # fmt: skip


def app_name(package: str) -> str:
    """The app's usual English name, as heed knows it on the phone."""
    return apps.name(package, Language.EN) or ""


def _moment(row: Mapping[str, Any]) -> Moment:
    now = datetime.fromisoformat(row["now"])
    facts = row.get("facts") or {}
    appointments = [_appointment(one, "start", now) for one in facts.get("calendar") or []]
    alarms = [_time(str(time), now) for time in facts.get("alarms") or []]
    battery = facts.get("battery")
    return Moment(
        now=now,
        appointments=tuple(one for one in appointments if one),
        next_alarm=min((alarm for alarm in alarms if alarm), default=None),
        battery=battery if isinstance(battery, int) else None,
        ringer=facts.get("ringer") or "",
        do_not_disturb=facts.get("do_not_disturb") or "",
        place=facts.get("place") if facts.get("place") in ("home", "work") else "",
    )


def _created(calls: Sequence[Mapping[str, Any]], now: datetime) -> Iterator[Appointment]:
    for call in calls:
        made = _appointment(call.get("arguments") or {}, "start_time", now)
        if call["function"] == "create_calendar_event" and made:
            yield made


def _appointment(stated: Mapping[str, Any], start: str, now: datetime) -> Appointment | None:
    """An event with a title and a date; None for anything else."""
    try:
        begins = datetime.fromisoformat(stated[start])
    except (ValueError, KeyError, TypeError):
        return None
    title = stated.get("title")
    return Appointment(title=title, start=begins.replace(tzinfo=now.tzinfo)) if title else None


def _time(stated: str, now: datetime) -> datetime | None:
    """The next moment with a time of day that stands first in ``stated``; None without one."""
    found = _CLOCK.match(stated)
    if found is None:
        return None
    alarm = now.replace(hour=int(found[1]), minute=int(found[2]), second=0)
    return alarm if alarm > now else alarm + timedelta(days=1)


def _spans(call: Mapping[str, Any], text: str) -> Iterator[Span]:
    for parameter, shown in (call.get("spans") or {}).items():
        role = role_of(call["function"], parameter)
        at = text.find(str(shown)) if role and not isinstance(shown, list) else -1
        if role and at >= 0 and str(shown).strip():
            yield Span(roles().index(role), at, at + len(str(shown)))


def by_kind(found: Sequence[ReaderExample]) -> dict[str, int]:
    """Numbers of examples per kind."""
    return {kind: sum(one.kind == kind for one in found) for kind in ("need", "lookalike", "ordinary")}
