"""Triggers that are due at a known time: calendar events and long use of the phone.

Neither causes an event on the phone, so the agent enters these times in its agenda.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.events import AppForeground, PhoneEvent, ScreenChanged, ScreenState
from android_bridge.facts.people import CALENDAR_AHEAD
from collectors import apps
from collectors.config import CollectorsConfig
from collectors.context import Trigger, TriggerKind
from collectors.limits import clean_fields
from collectors.phone_reader import PhoneReader
from collectors.source import PhoneValues
from collectors.sources.agenda import CALENDAR_NEED, upcoming
from heed.clock import Clock
from heed.trust import Trust


class DueTrigger(NamedTuple):
    """A trigger that is due at a time of the phone's clock."""

    at: datetime
    trigger: Trigger


class Upcoming:
    """The due triggers of one phone: call ``handle`` with each event, and ``due_triggers`` when planning ahead."""

    def __init__(self, device: Device, clock: Clock, config: CollectorsConfig) -> None:
        self._phone, self._config = PhoneReader(device, clock), config
        self._in_use_since: datetime | None = None
        self._package = ""

    def handle(self, event: PhoneEvent) -> None:
        """Process one event of the phone's stream."""
        match event:
            case ScreenChanged():
                self._in_use_since = event.at if event.state is ScreenState.UNLOCKED else None
            case AppForeground():
                self._package = event.package

    async def due_triggers(self, now: datetime) -> Sequence[DueTrigger]:
        """The triggers due after ``now``, soonest first; ``DeviceError`` when the phone does not answer.

        A calendar that cannot be read gives no due triggers; the next snapshot reports it as missing.
        """
        samples = await self._phone.read([CALENDAR_NEED])
        phone = PhoneValues(
            now, Trigger(kind=TriggerKind.CLOCK), {reader: sample.value for reader, sample in samples.items()}
        )
        found = [*self._calendar(phone), *self._screen_time(now)]
        return sorted((due for due in found if due.at > now), key=lambda due: due.at)

    def _calendar(self, phone: PhoneValues) -> Sequence[DueTrigger]:
        rows = phone.get(CALENDAR_AHEAD)
        events = [upcoming(row, phone.now) for row in rows.items] if rows else []
        return [self._event_due(event) for event in events if event and "start" in event]

    def _event_due(self, event: dict[str, JsonValue]) -> DueTrigger:
        """``calendar_event`` {title, location, start, end}, some minutes before the start."""
        start = datetime.fromisoformat(str(event["start"]))
        data = {name: value for name, value in event.items() if name != "minutes_ahead"}
        trigger = Trigger(kind=TriggerKind.CALENDAR_EVENT, data=clean_fields(data), trust=Trust.THIRD_PARTY)
        return DueTrigger(start - timedelta(minutes=self._config.calendar_lead_minutes), trigger)

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
