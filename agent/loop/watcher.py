"""Watching one phone: its events and what is due on its clock become triggers, one at a time. No polling."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Any

from agent.journal import Appointment
from agent.loop.attendant import UNDO_APPOINTMENT, Attendant
from agent.loop.deferred import HELD_APPOINTMENT
from agent.loop.wakeup import Alarm, HostAlarm
from collectors.context import Trigger
from collectors.upcoming import DueTrigger
from executors.executor import RefusedError
from heed.clock import Clock, PhoneClock
from heed.errors import DeviceError

log = logging.getLogger(__name__)

CLOCK_APPOINTMENT = "clock"
"""Agenda kind: a habit or situation is due, and only the time is the reason to look."""

RETENTION_APPOINTMENT = "retention"
"""Agenda kind: delete what is older than the journal's retention."""

_RETENTION_HOUR = 4
"""O'clock on the phone, when nobody is likely to be asked anything."""

TRIGGER_APPOINTMENT = "trigger"
"""Agenda kind: something that no event of the phone tells is about to happen; the body is its trigger."""

_WAITING_TRIGGERS = 32
"""Bound of the queue between the event stream and the (slower) decisions."""

_JUMP_SECONDS = 2.0
"""A phone's clock that differs by more from what we believed has jumped: what is due is looked at anew."""

_CORRECTION = timedelta(minutes=5)
"""A phone's clock that goes back by less was corrected: what it already showed is not due a second time."""

_TOO_LATE_SECONDS = 1800.0
"""A habit that was due longer ago, while the phone was away, is not brought up any more, nor what was held; an undo
always is."""

_TOO_LATE_FOR_TRIGGERS = 300.0
"""What was about to happen longer ago, while the phone was away, has happened."""


class Arrival:
    """Triggers waiting to be attended: bounded, and a newer one of the same kind replaces an older."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[Trigger, datetime]] = {}
        self._some = asyncio.Event()
        self.settled = asyncio.Event()
        self.settled.set()

    def put(self, trigger: Trigger, at: datetime) -> None:
        """Add a trigger of ``at``. Of a kind that only tells a state (battery level), the newest is enough."""
        key = trigger.kind if trigger.kind not in _EACH_COUNTS else f"{trigger.kind} {sorted(trigger.data.items())!r}"
        self._waiting.pop(key, None)
        if len(self._waiting) >= _WAITING_TRIGGERS:
            dropped = self._waiting.pop(next(iter(self._waiting)))
            log.warning("too many events at once: %s was not looked at", dropped[0].kind)
        self._waiting[key] = trigger, at
        self._some.set()
        self.settled.clear()

    def put_back(self, trigger: Trigger, at: datetime) -> None:
        """What was got could not be looked at: it waits again, before all others."""
        others, self._waiting = self._waiting, {}
        self.put(trigger, at)
        self._waiting |= others

    def drop_before(self, moment: datetime) -> None:
        """Let go of what is older."""
        self._waiting = {key: (trigger, at) for key, (trigger, at) in self._waiting.items() if at >= moment}

    async def get(self) -> tuple[Trigger, datetime]:
        """The oldest waiting trigger, and when it happened."""
        while not self._waiting:
            self.settled.set()
            self._some.clear()
            await self._some.wait()
        return self._waiting.pop(next(iter(self._waiting)))


_EACH_COUNTS = frozenset({"sms_received", "notification", "call", "calendar_event"})


class Watcher:
    """Runs one phone's attendant until the phone goes away (``DeviceError``) or the task is cancelled."""

    def __init__(
        self,
        attendant: Attendant,
        *,
        clock: PhoneClock,
        triggers: Callable[[], AsyncIterator[tuple[Trigger, datetime | None]]],
        dues: Callable[[datetime], Sequence[datetime]],
        host: Clock,
        upcoming: Callable[[datetime], Awaitable[Sequence[DueTrigger]]] | None = None,
        record: Callable[[], Coroutine[Any, Any, None]] | None = None,
        alarm: Alarm | None = None,
        arrivals: Arrival | None = None,
    ) -> None:
        """``triggers`` streams what happens with the phone's own time; ``dues`` says when habits are next due and
        ``upcoming`` which triggers will be; ``record`` runs beside them for as long. ``alarm`` rings on ``host``'s
        clock; None = the host's own. ``arrivals`` holds what an earlier watcher of this phone did not get to."""
        self._attendant = attendant
        self._clock = clock
        self._triggers = triggers
        self._dues = dues
        self._host = host
        self._upcoming = upcoming
        self._record = record
        self._arrivals = arrivals or Arrival()
        self._alarm = alarm or HostAlarm()
        self._kept: datetime | None = None
        """The latest due time that was kept."""

    async def run(self) -> None:
        """Recover what was interrupted, then attend to what happens and what is due."""
        await self._attendant.recover()
        self._arrivals.drop_before(self._clock.wall() - timedelta(seconds=_TOO_LATE_FOR_TRIGGERS))
        self._alarm.start()
        await self.keep_appointments()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen())
                tasks.create_task(self._work())
                if self._record is not None:
                    tasks.create_task(self._record())
        except* DeviceError as lost:
            raise lost.exceptions[0] from lost
        finally:
            self._alarm.stop()

    async def idle(self) -> None:
        """Wait until everything that has arrived is attended to."""
        await self._arrivals.settled.wait()

    async def _listen(self) -> None:
        async for trigger, at in self._triggers():
            if at is not None:
                self._follow_clock(at)
            self._arrivals.put(trigger, at or self._clock.wall())
            if trigger.kind == "screen" and trigger.data.get("state") != "off":
                self._look_at_what_was_held()

    async def _work(self) -> None:
        while True:
            trigger, at = await self._arrivals.get()
            try:
                context, judged = await self._attendant.look(trigger)
            except (DeviceError, asyncio.CancelledError):
                # Whoever notices first that the phone is gone ends the others: this look, too.
                self._arrivals.put_back(trigger, at)
                raise
            await self._attendant.settle(context, judged)
            await self.keep_appointments()

    def _look_at_what_was_held(self) -> None:
        """Somebody looks at the phone: what could not be said into its dark screen need not wait for its turn."""
        self._attendant.books.agenda.bring_forward(self._attendant.serial, HELD_APPOINTMENT, self._clock.wall())
        self._wake_for_next()

    def _follow_clock(self, shown: datetime) -> None:
        jumped = abs((shown - self._clock.wall()).total_seconds()) > _JUMP_SECONDS
        self._clock.set(shown)
        if jumped:
            self._wake_for_next()

    async def _plan_ahead(self) -> None:
        agenda, serial = self._attendant.books.agenda, self._attendant.serial
        now = self._planned_from()
        agenda.replace(serial, CLOCK_APPOINTMENT, now, [(due, {}) for due in self._dues(now) if due > now])
        agenda.replace(serial, RETENTION_APPOINTMENT, now, [(_next(_RETENTION_HOUR, now), {})])
        await self._expect(now)
        self._wake_for_next()

    def _planned_from(self) -> datetime:
        """Now; or, when the phone's clock was corrected backwards a little since, what was kept last."""
        now = self._clock.wall()
        corrected = self._kept is not None and now < self._kept < now + _CORRECTION
        return self._kept if self._kept and corrected else now

    async def _expect(self, now: datetime) -> None:
        if self._upcoming is None:
            return
        try:
            dues = await self._upcoming(now)
        except DeviceError as error:  # what was expected before still is
            log.info("%s: what is coming could not be read: %s", self._attendant.serial, error)
            return
        rows = [(due.at, due.trigger.model_dump(mode="json")) for due in dues]
        self._attendant.books.agenda.replace(self._attendant.serial, TRIGGER_APPOINTMENT, now, rows)

    def _wake_for_next(self) -> None:
        due = self._attendant.books.agenda.next_due(self._attendant.serial)
        if due is None:
            return
        # The phone's clock and the host's may differ; the distance to the due time is the same on both.
        at = self._host.wall() + (due - self._clock.wall())
        self._alarm.set(at, self.keep_appointments)

    async def keep_appointments(self) -> None:
        """Attend to everything that is due on the phone's clock, then set the alarm for what comes next."""
        books, serial = self._attendant.books, self._attendant.serial
        for appointment in books.agenda.take_due(serial, self._clock.wall()):
            self._kept = appointment.due
            await self._keep(appointment)
            books.agenda.done(appointment)
        await self._plan_ahead()

    async def _keep(self, appointment: Appointment) -> None:
        late = (self._clock.wall() - appointment.due).total_seconds()
        if appointment.kind == CLOCK_APPOINTMENT and late <= _TOO_LATE_SECONDS:
            self._arrivals.put(Trigger(kind="clock", data={"due": appointment.due.isoformat()}), appointment.due)
        elif appointment.kind == HELD_APPOINTMENT and late <= _TOO_LATE_SECONDS:
            self._arrivals.put(Trigger.model_validate(appointment.body), self._clock.wall())
        elif appointment.kind == TRIGGER_APPOINTMENT and late <= _TOO_LATE_FOR_TRIGGERS:
            self._arrivals.put(Trigger.model_validate(appointment.body), appointment.due)
        elif appointment.kind == RETENTION_APPOINTMENT:
            self._attendant.forget_old()
        elif appointment.kind == UNDO_APPOINTMENT:
            try:
                await self._attendant.undo(int(str(appointment.body["action"])))
            except RefusedError as reason:
                log.info("appointment %d: %s", appointment.id, reason)


def _next(hour: int, now: datetime) -> datetime:
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)
