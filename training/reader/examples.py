"""Training examples of the reader, from files of labelled messages."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from collectors import apps
from heed.language import Language
from models.reader.description import Appointment, Moment, describe, said
from models.reader.roles import role_of, roles
from models.reader.text_input import ReaderInput
from models.values.incoming import IncomingText


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
    )  # fmt: skip


def app_name(package: str) -> str:
    """The app's usual English name, as heed knows it on the phone."""
    return apps.name(package, Language.EN) or ""


def _moment(row: Mapping[str, Any]) -> Moment:
    now = datetime.fromisoformat(row["now"])
    facts = row.get("facts") or {}
    appointments = []
    for one in facts.get("calendar") or []:
        try:
            start = datetime.fromisoformat(one["start"])
        except (ValueError, KeyError):
            continue
        appointments.append(Appointment(title=one["title"], start=start.replace(tzinfo=now.tzinfo)))
    battery = facts.get("battery")
    return Moment(
        now=now,
        appointments=tuple(appointments),
        battery=battery if isinstance(battery, int) else None,
        ringer=facts.get("ringer") or "",
        do_not_disturb=facts.get("do_not_disturb") or "",
        place=facts.get("place") if facts.get("place") in ("home", "work") else "",
    )


def _spans(call: Mapping[str, Any], text: str) -> Iterator[Span]:
    for parameter, shown in (call.get("spans") or {}).items():
        role = role_of(call["function"], parameter)
        at = text.find(str(shown)) if role and not isinstance(shown, list) else -1
        if role and at >= 0 and str(shown).strip():
            yield Span(roles().index(role), at, at + len(str(shown)))


def by_kind(found: Sequence[ReaderExample]) -> dict[str, int]:
    """Numbers of examples per kind."""
    return {kind: sum(one.kind == kind for one in found) for kind in ("need", "lookalike", "ordinary")}
