"""Virtual time for a phone and for heed: the clocks are set from one due time to the next instead of waiting.

Due times are the phone's (alarms, reminders: ``PhoneState.schedule``) and heed's (its agenda: habits, expected
triggers, timed undos). At each of them the clocks stand still until heed has processed everything.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Protocol

from agent.compose import Phone
from agent.loop.watcher import Watcher
from android_bridge.device import Device
from android_bridge.events import NotificationRemoved, PhoneEvent, PhoneEvents
from heed.clock import Clock, SystemClock
from heed.errors import DeviceError
from heed.messages import msg
from virtual_phone import PhoneState

SYNC_TIMEOUT = 60.0
"""Seconds of real time within which heed must have received the phone's events."""
_MARKER = "heed.marker"


class AdvanceableClock(Clock, Protocol):
    """A clock that can be advanced."""

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        ...


class OffsetClock:
    """The host's clock plus the time by which it was advanced."""

    def __init__(self) -> None:
        self._host, self._offset = SystemClock(), timedelta()

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self._offset += timedelta(seconds=seconds)

    def wall(self) -> datetime:
        return self._host.wall() + self._offset

    @property
    def boot(self) -> str:
        return f"{self._host.boot} {id(self)}"

    def monotonic(self) -> float:
        return self._host.monotonic() + self._offset.total_seconds()


class VirtualTimer:
    """A ``WakeupTimer`` that ``VirtualTime`` fires."""

    def __init__(self) -> None:
        self.next: Callable[[], Awaitable[None]] | None = None
        """The function to call when the next entry of the agenda is due."""

    def start(self) -> None:
        """Do nothing."""

    def set(self, seconds: float, fire: Callable[[], Awaitable[None]]) -> None:
        """Store what is called at the time that ``VirtualTime`` finds in the agenda itself."""
        self.next = fire

    def stop(self) -> None:
        """Clear the timer."""
        self.next = None


class SyncedPhoneEvents(PhoneEvents):
    """The events of a virtual phone, with marker events that tell when all earlier ones have been consumed."""

    def __init__(self, device: Device, state: PhoneState) -> None:
        super().__init__(device)
        self._state = state
        self._consumed: dict[int, asyncio.Event] = {}

    async def listen(self) -> AsyncGenerator[PhoneEvent, None]:
        """Yield the phone's events without the markers."""
        async with aclosing(super().listen()) as events:
            async for event in events:
                if not (isinstance(event, NotificationRemoved) and event.package == _MARKER):
                    yield event
                    continue
                for found in await self.ask():
                    yield found
                if event.id in self._consumed:
                    self._consumed.pop(event.id).set()

    async def wait_until_consumed(self) -> None:
        """Wait until the consumer has received every event so far; raises ``DeviceError`` after ``SYNC_TIMEOUT``."""
        number = self._state.log.sequence
        consumed = self._consumed[number] = asyncio.Event()
        self._state.log.event("notification_canceled", f"0|{_MARKER}|{number}|null|1000", 8, 0, 0, 0, 0, 0, "NULL")
        try:
            async with asyncio.timeout(SYNC_TIMEOUT):
                await consumed.wait()
        except TimeoutError as error:
            raise DeviceError(
                msg("Nobody has listened to the virtual phone for {timeout:g} s.", timeout=SYNC_TIMEOUT)
            ) from error


class VirtualTime:
    """Advances the clocks of a virtual phone, of its agent and of the host together."""

    def __init__(
        self,
        state: PhoneState,
        phone: Phone,
        events: SyncedPhoneEvents,
        watcher: Watcher,
        timer: VirtualTimer,
        host: AdvanceableClock,
    ) -> None:
        self._state, self._phone, self._events = state, phone, events
        self._watcher, self._timer, self._host = watcher, timer, host

    async def advance_to(self, end: datetime) -> None:
        """Advance from one due time to the next up to ``end``; heed is idle before each advance."""
        while (due := self._next_due()) is not None and due <= end:
            self._set_clocks(due)
            appointment = self._next_appointment()
            if self._timer.next is not None and appointment is not None and appointment <= due:
                await self._timer.next()
            await self.wait_until_idle()
        self._set_clocks(end)

    async def wait_until_idle(self) -> None:
        """Wait until heed has processed every event and everything that is due."""
        await self._events.wait_until_consumed()
        await self._watcher.process_due()
        await self._watcher.idle()

    def _next_due(self) -> datetime | None:
        return min((due for due in (self._state.schedule.next_due(), self._next_appointment()) if due), default=None)

    def _next_appointment(self) -> datetime | None:
        agent = self._phone.agent
        return agent.stores.agenda.next_due(agent.phone.id, self._phone.clock.wall())

    def _set_clocks(self, time: datetime) -> None:
        clock = self._state.clock
        time = max(time, clock.wall())
        self._host.advance((time - clock.wall()).total_seconds())
        clock.set(time)
        # In the phone's time zone.
        self._phone.clock.set(clock.wall())
