"""Triggers that are due at a known time: appointments and long use of the phone.

Neither causes an event on the phone, so the agent enters these times in its agenda.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.events import (
    AppForeground,
    DataSynced,
    NotificationPosted,
    PhoneEvent,
    ScreenChanged,
    ScreenState,
)
from android_bridge.facts.people import CALENDAR_AHEAD
from collectors import apps
from collectors.appointment_triggers import AddedAppointments, DueTrigger, appointment_dues, evening_dues
from collectors.config import CollectorsConfig
from collectors.context import Trigger, TriggerKind
from collectors.phone_reader import PhoneReader
from collectors.source import PhoneValues
from collectors.sources.agenda import CALENDAR_NEED, upcoming
from heed.clock import Clock

_CALENDAR_PROVIDER = "com.android.calendar"
_CALENDAR_KIND = "calendar"


class Upcoming:
    """The due triggers of one phone: call ``handle`` with each event, and ``due_triggers`` when planning ahead."""

    def __init__(self, device: Device, clock: Clock, config: CollectorsConfig) -> None:
        self._phone, self._config = PhoneReader(device, clock), config
        self._in_use_since: datetime | None = None
        self._package = ""
        self._added = AddedAppointments()

    def handle(self, event: PhoneEvent) -> bool:
        """Process one event of the phone's stream; whether the calendar may have changed, and is read again."""
        changed = self._may_change_calendar(event)
        match event:
            case ScreenChanged():
                self._in_use_since = event.at if event.state is ScreenState.UNLOCKED else None
            case AppForeground():
                self._package = event.package
        if changed:
            self._phone.forget([CALENDAR_NEED])
        return changed

    def _may_change_calendar(self, event: PhoneEvent) -> bool:
        """A sync of the calendar, a notification of a calendar app, leaving one, or unlocking the phone."""
        match event:
            case DataSynced():
                return event.provider == _CALENDAR_PROVIDER
            case NotificationPosted():
                return apps.kind(event.package) == _CALENDAR_KIND
            case AppForeground():
                return apps.kind(self._package) == _CALENDAR_KIND and event.package != self._package
            case ScreenChanged():
                return event.state is ScreenState.UNLOCKED
        return False

    async def due_triggers(self, now: datetime) -> Sequence[DueTrigger]:
        """The triggers due after ``now``, soonest first; ``DeviceError`` when the phone does not answer.

        An appointment that has not begun is among them even if its trigger was due before ``now``. A calendar that
        cannot be read gives no due triggers; the next snapshot reports it as missing.
        """
        samples = await self._phone.read([CALENDAR_NEED])
        phone = PhoneValues(
            now, Trigger(kind=TriggerKind.CLOCK), {reader: sample.value for reader, sample in samples.items()}
        )
        found = [*self._calendar(phone), *self._screen_time(now)]
        return sorted(found, key=lambda due: due.at)

    def _calendar(self, phone: PhoneValues) -> Sequence[DueTrigger]:
        rows = phone.get(CALENDAR_AHEAD)
        if rows is None:
            return []
        read = (upcoming(row, phone.now) for row in rows.items)
        events = [event for event in read if event and _ahead(event) > 0]
        looks = (due for event in events for due in self._event_dues(event, phone.now))
        return [*looks, *evening_dues(events, phone.now), *self._added.dues(events, phone.now)]

    def _event_dues(self, event: dict[str, JsonValue], now: datetime) -> Sequence[DueTrigger]:
        """The looks before an appointment; of those that have passed only the last."""
        dues = appointment_dues(event, timedelta(minutes=self._config.calendar_lead_minutes))
        passed = [due for due in dues if due.at <= now]
        return [*passed[-1:], *dues[len(passed) :]]

    def _screen_time(self, now: datetime) -> Sequence[DueTrigger]:
        """``screen_time`` {minutes, package, app}: each time the phone was in use for so long without a break."""
        step = timedelta(minutes=self._config.screen_time_minutes)
        if self._in_use_since is None or not step:
            return []
        times = (now - self._in_use_since) // step + 1
        data: dict[str, JsonValue] = {"minutes": times * self._config.screen_time_minutes}
        if self._package and self._package not in self._config.excluded_apps:
            data |= {"package": self._package, "app": apps.name(self._package, self._config.language)}
        return [DueTrigger(self._in_use_since + times * step, Trigger(kind=TriggerKind.SCREEN_TIME, data=data))]


def _ahead(event: dict[str, JsonValue]) -> int:
    """Minutes until an appointment begins; 0 for one of the whole day."""
    return int(str(event.get("minutes_ahead", 0)))
