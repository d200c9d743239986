"""The journal's decisions in pages, with stretches of silence folded into one row each."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from itertools import groupby
from typing import NamedTuple

from agent.journal.database import Database
from agent.journal.records import TimelineEntry
from agent.journal.store import Journal
from agent.policy.verdict import FAULTS, Decision
from heed.messages import Text, restored
from heed.model import Frozen

MOST_READ = 4000
"""Decisions that are looked at for one page."""
_BATCH = 200
"""Decisions that are read at once, and silences that are listed of one stretch at most."""
_MOST_REASONS = 3
_FIELDS = ("json_extract(decision.body, '$.rec')", "json_extract(decision.body, '$.why.text')")
_TRIGGER = "json_extract(context.body, '$.trigger')"
_FOUND = " OR ".join(f"{field} LIKE ?2 ESCAPE '\\'" for field in (*_FIELDS, _TRIGGER, "decision.reason"))


class SilenceReason(NamedTuple):
    """A reason of silences, and how many had it."""

    reason: Text
    times: int


class SilentStretch(Frozen):
    """Consecutive silences of one day."""

    newest: int
    oldest: int
    """The numbers of its last and its first decision."""
    begun: datetime
    ended: datetime
    """In the phone's own zone."""
    count: int
    is_fault: bool
    """Whether heed was silent because something does not work."""
    reasons: tuple[SilenceReason, ...]
    """The most frequent ones first."""


class TouchStretch(Frozen):
    """Touches of the owner in the console, without a decision in between."""

    begun: datetime
    ended: datetime
    count: int


TimelineRow = TimelineEntry | SilentStretch | TouchStretch


class TimelinePage(NamedTuple):
    """Rows of the timeline, newest first."""

    rows: tuple[TimelineRow, ...]
    older: int | None
    """The decision that the next page begins before; None when there is none."""


class Timeline:
    """The decisions of all phones in pages."""

    def __init__(self, database: Database, journal: Journal) -> None:
        self._db, self._journal = database, journal

    def page(self, limit: int, before: int | None = None, text: str = "") -> TimelinePage:
        """At most ``limit`` rows of decisions, newest first, and the owner's touches between them.

        Args:
            limit: the most rows of decisions.
            before: only decisions with a smaller number; None = from the newest on.
            text: only decisions whose trigger, sentence or reason contains it, none of them folded; empty = all.
        """
        rows: list[list[sqlite3.Row]] = []
        for count, found in enumerate(self._decisions(before, text)):
            joins = bool(rows) and not text and _fold_key(found) == _fold_key(rows[-1][0]) is not None
            if not joins and (len(rows) == limit or count >= MOST_READ):
                return TimelinePage(self._finished(rows, before, text), rows[-1][-1]["id"])
            if joins:
                rows[-1].append(found)
            else:
                rows.append([found])
        return TimelinePage(self._finished(rows, before, text, is_last=True), None)

    def silences(self, newest: int, oldest: int) -> list[TimelineEntry]:
        """The silences of a stretch, newest first."""
        found = self._db.execute(
            "SELECT id FROM decision WHERE id BETWEEN ? AND ? AND decision = ? ORDER BY id DESC LIMIT ?",
            (oldest, newest, Decision.SILENT, _BATCH),
        )
        return [self._journal.entry(row["id"]) for row in found.fetchall()]

    def zone(self, phone_id: str = "") -> tzinfo | None:
        """The time zone that a phone, or the phone decided on last, showed last; None before the first decision."""
        shown = self.now(phone_id)
        return shown.tzinfo if shown else None

    def now(self, phone_id: str = "") -> datetime | None:
        """What that phone's clock shows now: its time at the last decision, and the time that has passed since."""
        row = self._db.execute(
            "SELECT json_extract(body, '$.now') AS now, elapsed FROM context WHERE ? IN ('', phone) "
            "ORDER BY id DESC LIMIT 1",
            (phone_id,),
        ).fetchone()
        if row is None:
            return None
        return datetime.fromisoformat(row["now"]) + timedelta(seconds=self._db.elapsed.now() - row["elapsed"])

    def _decisions(self, before: int | None, text: str) -> Iterator[sqlite3.Row]:
        escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        while True:
            found = self._db.execute(
                "SELECT decision.id, decision.at, decision.decision, decision.rule, decision.reason, "  # noqa: S608
                "json_extract(context.body, '$.now') AS now FROM decision "
                "JOIN context ON context.id = decision.context_id "
                f"WHERE (?1 IS NULL OR decision.id < ?1) AND (?2 = '%%' OR {_FOUND}) "
                "ORDER BY decision.id DESC LIMIT ?3",
                (before, f"%{escaped}%", _BATCH),
            ).fetchall()
            yield from found
            if len(found) < _BATCH:
                return
            before = found[-1]["id"]

    def _finished(
        self, rows: Sequence[list[sqlite3.Row]], before: int | None, text: str, *, is_last: bool = False
    ) -> tuple[TimelineRow, ...]:
        """The rows with their contents; a search has no touches."""
        decided = [(group[-1]["at"], self._row(group, text)) for group in rows]
        if text:
            return tuple(row for _, row in decided)
        after = "" if is_last or not rows else rows[-1][-1]["at"]
        touched = self._touches(after, self._time_of(before))
        merged = sorted([*decided, *touched], key=lambda pair: pair[0], reverse=True)
        return tuple(_with_folded_touches([row for _, row in merged]))

    def _row(self, group: list[sqlite3.Row], text: str) -> TimelineRow:
        newest, oldest = group[0], group[-1]
        if text or _fold_key(newest) is None:
            return self._journal.entry(newest["id"])
        counted = Counter(row["reason"] for row in group)
        return SilentStretch(
            newest=newest["id"],
            oldest=oldest["id"],
            begun=_local(oldest),
            ended=_local(newest),
            count=len(group),
            is_fault=newest["rule"] in FAULTS,
            reasons=tuple(
                SilenceReason(restored(reason), count) for reason, count in counted.most_common(_MOST_REASONS)
            ),
        )

    def _time_of(self, decision: int | None) -> str:
        """The time of a decision as it is stored; None = later than all."""
        row = self._db.execute("SELECT at FROM decision WHERE id = ?", (decision,)).fetchone()
        return str(row["at"]) if row else "9"

    def _touches(self, after: str, until: str) -> list[tuple[str, TouchStretch]]:
        found = self._db.execute("SELECT at FROM owner_touch WHERE at > ? AND at <= ? ORDER BY id", (after, until))
        zone = self.zone()
        moments = [(row["at"], datetime.fromisoformat(row["at"]).astimezone(zone)) for row in found.fetchall()]
        return [(at, TouchStretch(begun=moment, ended=moment, count=1)) for at, moment in moments]


def _fold_key(row: sqlite3.Row) -> tuple[str, bool] | None:
    """What the silences of a stretch share: day, and whether something does not work; None = not silent."""
    if row["decision"] != Decision.SILENT:
        return None
    return row["now"][: len("2026-01-01")], row["rule"] in FAULTS


def _local(row: sqlite3.Row) -> datetime:
    """The time of a decision in the zone of its phone."""
    return datetime.fromisoformat(row["at"]).astimezone(datetime.fromisoformat(row["now"]).tzinfo)


def _with_folded_touches(rows: Sequence[TimelineRow]) -> Iterator[TimelineRow]:
    for key, group in groupby(rows, key=lambda row: row.begun.date() if isinstance(row, TouchStretch) else None):
        if key is None:
            yield from group
            continue
        touches = [row for row in group if isinstance(row, TouchStretch)]
        yield TouchStretch(begun=touches[-1].begun, ended=touches[0].ended, count=len(touches))
