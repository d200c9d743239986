"""The owner's calendar: what is next, and what comes back every week."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo

from pydantic import JsonValue

from android_bridge.facts.content import Row
from android_bridge.facts.people import CALENDAR_AHEAD, CALENDAR_REPEATED
from collectors.context import Dimension, TriggerKind
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source
from collectors.sources.times import WEEKDAYS, iso, moment
from heed.trust import Trust

CALENDAR_NEED = ReaderNeed(
    CALENDAR_AHEAD, fresh=600.0, cost=ReadingCost.SLOW, refreshed_by=frozenset({TriggerKind.CALENDAR_EVENT})
)
_MOST = 10
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_FREQUENCY = re.compile(r"(?:^|;)FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;|$)")
_DAYS = re.compile(r"(?:^|;)BYDAY=([A-Z0-9,+-]+)(?:;|$)", re.ASCII)
_RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""In the order of ``WEEKDAYS``."""


class CalendarSource(Source):
    """What is going on or begins within twelve hours, soonest first. Whoever invites chooses the words."""

    name = "calendar"
    dimension = Dimension.DEVICE
    needs = (CALENDAR_NEED,)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        events = [upcoming(row, phone.now) for row in phone[CALENDAR_AHEAD].items]
        value = [event for event in events if event][:_MOST]
        return [Reading("calendar.next", value, Trust.THIRD_PARTY)] if value else []


def upcoming(row: Row, now: datetime) -> dict[str, JsonValue] | None:
    """An event as a value; None for one that is over.

    One that takes the whole day has dates instead of times; its days are days in UTC, as the provider has them.
    """
    begin, end = moment(row["begin"]), moment(row["end"])
    named: dict[str, JsonValue] = {"title": row["title"] or "", "location": row["eventLocation"] or ""}
    named = {name: value for name, value in named.items() if value}
    if row["allDay"] == "1":
        first, last = begin.astimezone(UTC).date(), (end.astimezone(UTC) - timedelta(seconds=1)).date()
        return {**named, "date": first.isoformat(), "all_day": True} if first <= now.date() <= last else None
    if end <= now:
        return None
    ahead = round((begin - now).total_seconds() / 60)
    return {**named, "start": iso(begin, now), "end": iso(end, now), "minutes_ahead": ahead}


class RegularSource(Source):
    """What the calendar repeats: lessons, meetings, birthdays."""

    name = "regular"
    dimension = Dimension.PROFILE
    needs = (ReaderNeed(CALENDAR_REPEATED, fresh=6 * 3600.0, cost=ReadingCost.SLOW),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        events = [_regular(row, phone.now.tzinfo) for row in phone[CALENDAR_REPEATED].items]
        value = [event for event in events if event][:_MOST]
        return [Reading("calendar.regular", value, Trust.THIRD_PARTY)] if value else []


def _regular(row: Row, zone: tzinfo | None) -> dict[str, JsonValue] | None:
    frequency = _FREQUENCY.search(row["rrule"] or "")
    if frequency is None or not row["title"]:
        return None
    value: dict[str, JsonValue] = {"title": row["title"], "every": _EVERY[frequency[1]]}
    if days := _days(row["rrule"] or ""):
        value["days"] = days
    if row["allDay"] != "1":
        value["clock"] = f"{moment(row['dtstart']).astimezone(zone):%H:%M}"
    return value


def _days(rule: str) -> list[JsonValue]:
    match = _DAYS.search(rule)
    named = [day[-2:] for day in match[1].split(",")] if match else []
    return [WEEKDAYS[_RULE_DAYS.index(day)] for day in named if day in _RULE_DAYS]
