"""The owner's calendar: what is next, the first appointment of the morning, and what comes back every week."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo

from pydantic import JsonValue

from android_bridge.facts.alarms import NEXT_ALARM
from android_bridge.facts.content import Row
from android_bridge.facts.location import LOCATION
from android_bridge.facts.network import WIFI
from android_bridge.facts.people import CALENDAR_AHEAD, CALENDAR_REPEATED
from collectors.config import CollectorsConfig
from collectors.context import Dimension, TriggerKind
from collectors.links import links, meeting
from collectors.profile import Profile
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source
from collectors.sources.appointments import current_position, whereabouts
from collectors.sources.owner import ProfileFile
from collectors.sources.times import WEEKDAYS, iso, moment
from heed.errors import UsageError
from heed.trust import Trust

CALENDAR_NEED = ReaderNeed(
    CALENDAR_AHEAD,
    fresh=600.0,
    cost=ReadingCost.SLOW,
    refreshed_by=frozenset(
        {
            TriggerKind.CALENDAR_EVENT,
            TriggerKind.CALENDAR_ADDED,
            TriggerKind.EVENING_BEFORE,
            TriggerKind.SMS_RECEIVED,
            TriggerKind.NOTIFICATION,
        }
    ),
)
_MOST = 10
_NEXT_MINUTES = 12 * 60
"""An appointment that begins later is not one of the next."""
_MORNING = (3, 12)
"""Hours between which the first appointment of a morning begins."""
_SHOWN_OF_FIRST = ("title", "start", "minutes_ahead")
_DESCRIPTION = 600
"""Characters of a description; its links are read from the whole text."""
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_FREQUENCY = re.compile(r"(?:^|;)FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;|$)")
_DAYS = re.compile(r"(?:^|;)BYDAY=([A-Z0-9,+-]+)(?:;|$)", re.ASCII)
_RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""In the order of ``WEEKDAYS``."""


class CalendarSource(Source):
    """What is going on or begins within twelve hours, soonest first, and the first appointment of the next morning.

    Whoever invites chooses the words.
    """

    name = "calendar"
    dimension = Dimension.DEVICE
    needs = (CALENDAR_NEED, ReaderNeed(NEXT_ALARM), ReaderNeed(WIFI), ReaderNeed(LOCATION, fresh=60.0))

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._file = ProfileFile(config)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        events = [event for row in phone[CALENDAR_AHEAD].items if (event := upcoming(row, phone.now))]
        near = [event for event in events if _minutes(event) <= _NEXT_MINUTES][:_MOST]
        if any("location" in event for event in near):
            near = self._located(near, phone)
        readings = [Reading("calendar.next", near, Trust.THIRD_PARTY)] if near else []
        alarm = phone.get(NEXT_ALARM)
        first = first_of_morning(events, phone.now, alarm.at if alarm else None)
        return [*readings, Reading("calendar.first", first, Trust.THIRD_PARTY)] if first else readings

    def _located(self, events: list[dict[str, JsonValue]], phone: PhoneValues) -> list[dict[str, JsonValue]]:
        try:
            profile = self._file.load() or Profile()
        except UsageError:  # a profile with a fault hides places, and no appointments
            return events
        here = current_position(phone, profile)
        return [{**event, **whereabouts(profile, str(event.get("location", "")), here)} for event in events]


def first_of_morning(
    events: Iterable[dict[str, JsonValue]], now: datetime, alarm: datetime | None
) -> dict[str, JsonValue] | None:
    """The first appointment to come that begins in the morning, with the minutes from the next alarm to it.

    They are negative when the alarm rings after it has begun, and absent when no alarm is set.
    """
    for event in events:
        if "start" not in event or _minutes(event) <= 0:
            continue
        start = datetime.fromisoformat(str(event["start"]))
        if _MORNING[0] <= start.hour < _MORNING[1]:
            first: dict[str, JsonValue] = {name: value for name, value in event.items() if name in _SHOWN_OF_FIRST}
            if alarm is not None:
                first["minutes_after_alarm"] = round((start - alarm).total_seconds() / 60)
            return first
    return None


def _minutes(event: dict[str, JsonValue]) -> int:
    """How far ahead an event is; 0 for one of the whole day."""
    return int(str(event.get("minutes_ahead", 0)))


def upcoming(row: Row, now: datetime) -> dict[str, JsonValue] | None:
    """An event as a value; None for one that is over.

    One that takes the whole day has dates instead of times; its days are days in UTC, as the provider has them.
    """
    begin, end = moment(row["begin"]), moment(row["end"])
    named = _named(row)
    if row["allDay"] == "1":
        first, last = begin.astimezone(UTC).date(), (end.astimezone(UTC) - timedelta(seconds=1)).date()
        return {**named, "date": first.isoformat(), "all_day": True} if first <= now.date() <= last else None
    if end <= now:
        return None
    ahead = round((begin - now).total_seconds() / 60)
    return {**named, "start": iso(begin, now), "end": iso(end, now), "minutes_ahead": ahead}


def _named(row: Row) -> dict[str, JsonValue]:
    """What its author wrote: title, location, description, and the links in location and description."""
    location, description = row["eventLocation"] or "", row["description"] or ""
    linked = links(f"{location}\n{description}")
    found: dict[str, JsonValue] = {
        "title": row["title"] or "",
        "location": location,
        "description": description[:_DESCRIPTION],
        "links": list(linked),
        **dict(zip(("meeting_url", "meeting_platform"), meeting(linked) or (), strict=False)),
    }
    return {name: value for name, value in found.items() if value}


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
