"""Virtual time for a phone and for heed at once: it jumps from one thing that is due to the next.

What is due is the phone's own (alarms, reminders: ``PhoneState.schedule``) or heed's (habits, meetings, actions to
take back: its agenda). At each of them time stands still until heed has dealt with what happened, however long that
takes; no time is waited for.
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

DEADLINE = 60.0
"""Seconds of real time within which heed must have dealt with what happened."""
_MARK = "heed.mark"


class HostClock(Clock, Protocol):
    """A host's clock that can be told that time has been jumped over."""

    def advance(self, seconds: float) -> None:
        """Show so much more."""
        ...


class JumpingClock:
    """The host's own clocks, and on top of them all that was jumped over."""

    def __init__(self) -> None:
        self._host, self._jumped = SystemClock(), timedelta()

    def advance(self, seconds: float) -> None:
        """Jump over so much time."""
        self._jumped += timedelta(seconds=seconds)

    def wall(self) -> datetime:
        return self._host.wall() + self._jumped

    def monotonic(self) -> float:
        return self._host.monotonic() + self._jumped.total_seconds()


class JumpingAlarm:
    """Rings when the jump has got there."""

    def __init__(self) -> None:
        self.next: tuple[datetime, Callable[[], Awaitable[None]]] | None = None
        """What rings next, on the host's clock."""

    def start(self) -> None:
        """Nothing to start."""

    def set(self, at: datetime, ring: Callable[[], Awaitable[None]]) -> None:
        """Remember it."""
        self.next = at, ring

    def stop(self) -> None:
        """Ring no more."""
        self.next = None


class MarkedEvents(PhoneEvents):
    """The events of a virtual phone, in whose log a mark can be put to know when all before it has been heard."""

    def __init__(self, device: Device, state: PhoneState) -> None:
        super().__init__(device)
        self._state = state
        self._heard: dict[int, asyncio.Event] = {}

    async def listen(self) -> AsyncGenerator[PhoneEvent, None]:
        """As of any phone, without the marks."""
        async with aclosing(super().listen()) as events:
            async for event in events:
                if not (isinstance(event, NotificationRemoved) and event.package == _MARK):
                    yield event
                    continue
                for found in await self.ask():
                    yield found
                if event.id in self._heard:
                    self._heard.pop(event.id).set()

    async def caught_up(self) -> None:
        """Wait until whoever listens has taken all that has happened on the phone so far."""
        number = self._state.log.sequence
        heard = self._heard[number] = asyncio.Event()
        self._state.log.event("notification_canceled", f"0|{_MARK}|{number}|null|1000", 8, 0, 0, 0, 0, 0, "NULL")
        try:
            async with asyncio.timeout(DEADLINE):
                await heard.wait()
        except TimeoutError as error:
            raise DeviceError(
                msg("Nobody has listened to the virtual phone for {deadline:g} s.", deadline=DEADLINE)
            ) from error


class Jumps:
    """Drives one virtual phone, its attendant and the host's clock, all from this task."""

    def __init__(
        self, state: PhoneState, phone: Phone, events: MarkedEvents, watcher: Watcher, alarm: JumpingAlarm,
        host: HostClock,
    ) -> None:  # fmt: skip
        self._state, self._phone, self._events = state, phone, events
        self._watcher, self._alarm, self._host = watcher, alarm, host

    async def until(self, end: datetime) -> None:
        """Jump from one due thing to the next up to ``end``; heed has dealt with each before the next one happens."""
        while (due := self._next_due()) is not None and due <= end:
            self._show(due)
            if self._alarm.next is not None and self._heeds_due() == due:
                await self._alarm.next[1]()
            await self.settle()
        self._show(end)

    async def settle(self) -> None:
        """Wait until heed has dealt with everything that has happened and is due."""
        await self._events.caught_up()
        await self._watcher.keep_appointments()
        await self._watcher.idle()

    def _next_due(self) -> datetime | None:
        return min((due for due in (self._state.schedule.next_due(), self._heeds_due()) if due), default=None)

    def _heeds_due(self) -> datetime | None:
        attendant = self._phone.attendant
        return attendant.books.agenda.next_due(attendant.serial)

    def _show(self, moment: datetime) -> None:
        clock = self._state.clock
        moment = max(moment, clock.wall())
        self._host.advance((moment - clock.wall()).total_seconds())
        clock.set(moment)
        # As the phone shows it: in its own time zone.
        self._phone.clock.set(clock.wall())
