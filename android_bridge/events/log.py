"""Lines of ``logcat -b events`` as events.

A binary event with several values is printed ``tag: [v1,v2]``, one with a single value ``tag: v``. Strings are not
escaped, so a value may contain commas and brackets; a line break inside one begins a new line with the same prefix.
"""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from android_bridge.events.model import (
    AlarmRang,
    AppForeground,
    BatteryLevel,
    ChargerChanged,
    DataSynced,
    NotificationPosted,
    NotificationRemoved,
    PhoneEvent,
    ScreenChanged,
    ScreenState,
)
from android_bridge.facts.activities import full_name
from android_bridge.facts.battery import Plug


class EventRecord(NamedTuple):
    """One record of the event log."""

    at: datetime
    local: str
    """The time as printed, without its zone: what ``logcat -T`` takes."""
    thread: tuple[int, int]
    tag: str
    text: str


# `threadtime`, with `year` and `zone` where the phone knows these; some phones print the uid too.
_LINE = re.compile(
    r"((?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9})(?: ([+-]\d{4}))? +(?:\S+ +)??(\d{1,9}) +(\d{1,9}) [VDIWEF] "
    r"([\w.-]+) *: (.*)",
    re.ASCII | re.DOTALL,
)


def parse_record(line: str, near: datetime) -> EventRecord | None:
    """Parses one line of ``logcat -v threadtime [-v year -v zone]``; returns None for other lines.

    Args:
        line: the line.
        near: the phone's clock about now, for the year and the zone where the line has none.
    """
    match = _LINE.fullmatch(line.rstrip("\r\n"))
    if match is None:
        return None
    local, zone, process, thread, tag, text = match.groups()
    try:
        at = _moment(local, zone, near)
    except ValueError:
        return None
    return EventRecord(at, local, (int(process), int(thread)), tag, text)


def _moment(local: str, zone: str | None, near: datetime) -> datetime:
    has_year = local[4] == "-"
    at = datetime.fromisoformat((local if has_year else f"{near.year}-{local}")[:26] + (zone or "+0000"))
    at = at if zone else at.replace(tzinfo=near.tzinfo)
    # A line of December that is read in January.
    return at.replace(year=at.year - 1) if not has_year and at > near + _DAY else at


_DAY = timedelta(days=1)


def is_torn(record: EventRecord) -> bool:
    """Whether the record's list was cut by a line end inside a value."""
    return record.text.startswith("[") and not record.text.endswith("]")


def continues(before: EventRecord, after: EventRecord) -> bool:
    """Whether ``after`` is the rest of ``before``."""
    return is_torn(before) and (before.at, before.thread, before.tag) == (after.at, after.thread, after.tag)


def join(before: EventRecord, after: EventRecord) -> EventRecord:
    """Returns the record that a line end in a value split into two lines."""
    return before._replace(text=f"{before.text}\n{after.text}")


def events_of(record: EventRecord) -> list[PhoneEvent]:
    """Returns the events of a record; none for another tag or unexpected values."""
    parse = _PARSERS.get(record.tag)
    if parse is None:
        return []
    try:
        return list(parse(record))
    except ValueError:  # a number out of its range
        return []


_RESUMED = re.compile(r"\[(\d{1,9}),([\w.]+)/([\w.$]+),.*\]", re.ASCII | re.DOTALL)
_BATTERY = re.compile(r"\[(\d{1,3}),-?\d{1,9},-?\d{1,9}\]", re.ASCII)
_STATUS = re.compile(r"\[\d{1,2},\d{1,2},[01],(\d{1,2}),.*\]", re.ASCII | re.DOTALL)
_POSTED = re.compile(
    r"\[-?\d{1,9},-?\d{1,9},([\w.]+),(-?\d{1,10}),(.*),(-?\d{1,9}),Notification\((.*+)", re.ASCII | re.DOTALL
)
_POSTED_END = re.compile(r"\),([012])\]")
"""Looked for alone: an app chooses the tag before it and could make the two repeats try each other's places."""
_CHANNEL = re.compile(r"channel=(.*?) (?:shortcut|contentView|pri)=", re.DOTALL)
_CATEGORY = re.compile(r" category=(\w+)", re.ASCII)
_REMOVED = re.compile(
    r"\[(-?\d{1,9})\|([\w.]+)\|(-?\d{1,10})\|(.*?)\|\d{1,9}(?:\|[^,]{0,400}+)?,(\d{1,3}),.*+", re.ASCII | re.DOTALL
)
_SYNC = re.compile(r"\[([\w.]{1,200}),(\d),-?\d{1,9}(?:,-?\d{1,10})?\]", re.ASCII)
_SYNC_STOPPED = "1"
_SCREEN = {"0": ScreenState.OFF, "1": ScreenState.ON, "2": ScreenState.UNLOCKED}
# BatteryManager.BATTERY_PLUGGED_*: one bit each.
_PLUGS = {1: Plug.AC, 2: Plug.USB, 4: Plug.WIRELESS, 8: Plug.DOCK}
_STATUS_IGNORED = "2"
"""``notification_enqueue`` of a notification that Android did not show."""


def _resumed(record: EventRecord) -> Iterable[PhoneEvent]:
    if match := _RESUMED.fullmatch(record.text):
        user, package, name = match.groups()
        yield AppForeground(at=record.at, package=package, activity=full_name(package, name), user=int(user))


def _screen(record: EventRecord) -> Iterable[PhoneEvent]:
    if record.text in _SCREEN:
        yield ScreenChanged(at=record.at, state=_SCREEN[record.text])


def _battery(record: EventRecord) -> Iterable[PhoneEvent]:
    if match := _BATTERY.fullmatch(record.text):
        yield BatteryLevel(at=record.at, level=int(match[1]))


def _charger(record: EventRecord) -> Iterable[PhoneEvent]:
    match = _STATUS.fullmatch(record.text)
    if match and int(match[1]) < 16:
        yield ChargerChanged(at=record.at, plugged=tuple(plug for bit, plug in _PLUGS.items() if int(match[1]) & bit))


def _posted(record: EventRecord) -> Iterable[PhoneEvent]:
    match = _POSTED.fullmatch(record.text)
    end = _POSTED_END.fullmatch(record.text[-4:])
    if match is None or end is None or end[1] == _STATUS_IGNORED:
        return
    package, number, tag, user, about = match.groups()
    channel, category = _CHANNEL.match(about), _CATEGORY.search(about)
    event = NotificationPosted(
        at=record.at,
        package=package,
        id=int(number),
        tag=None if tag == "NULL" else tag,
        user=int(user),
        channel=channel[1] if channel else "",
        category=category[1] if category else "",
        update=end[1] == "1",
    )
    yield event
    if event.category == "alarm" and not event.update:
        yield AlarmRang(at=record.at, package=package)


def _removed(record: EventRecord) -> Iterable[PhoneEvent]:
    match = _REMOVED.fullmatch(record.text)
    if match and record.text.endswith("]"):
        user, package, number, tag, reason = match.groups()
        yield NotificationRemoved(
            at=record.at,
            package=package,
            id=int(number),
            tag=None if tag == "null" else tag,
            user=int(user),
            reason=int(reason),
        )


def _synced(record: EventRecord) -> Iterable[PhoneEvent]:
    match = _SYNC.fullmatch(record.text)
    if match and match[2] == _SYNC_STOPPED:
        yield DataSynced(at=record.at, provider=match[1])


_PARSERS: dict[str, Callable[[EventRecord], Iterable[PhoneEvent]]] = {
    "wm_set_resumed_activity": _resumed,  # Android 10+; am_… before
    "am_set_resumed_activity": _resumed,
    "screen_toggled": _screen,
    "battery_level": _battery,
    "battery_status": _charger,
    "notification_enqueue": _posted,
    "notification_canceled": _removed,
    "sync": _synced,
}
TAGS = tuple(_PARSERS)
"""The tags that are read."""
