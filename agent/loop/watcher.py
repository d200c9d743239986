"""Watches one phone: its events and its agenda become triggers, decided on one at a time. No polling."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Any

from agent.journal import AgendaEntry, AgendaKind, JournalError
from agent.loop.expected_triggers import ExpectedTriggers
from agent.loop.phone_agent import PhoneAgent
from agent.loop.trigger_queue import TriggerQueue
from agent.loop.wakeup import HostWakeupTimer, WakeupTimer
from collectors.appointment_triggers import DueTrigger
from collectors.context import Trigger, TriggerKind
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from heed.clock import Clock, PhoneClock
from heed.errors import DeviceError, UsageError

log = logging.getLogger(__name__)

_RETENTION_EVERY = timedelta(hours=1)
"""Of elapsed time; what is older than the journal's retention or beyond its size is deleted then."""

_JUMP_SECONDS = 2.0
"""A phone's clock that differs from ours by more has jumped: the wake-up timer is set anew."""

_CORRECTION = timedelta(minutes=5)
"""A phone's clock that goes back by less was corrected: what was due already is not due a second time."""

_TOO_LATE_SECONDS = 1800.0
"""Habits and deferred triggers that were due longer ago, while the phone was away, are dropped; an undo never is."""

_TOO_LATE_FOR_TRIGGERS = 300.0
"""Triggers from longer ago, while the phone was away, are dropped."""


class Watcher:
    """Runs one phone's agent until the phone goes away (``DeviceError``) or the task is cancelled."""

    def __init__(
        self,
        agent: PhoneAgent,
        *,
        clock: PhoneClock,
        triggers: Callable[[], AsyncIterator[tuple[Trigger | None, datetime | None]]],
        dues: Callable[[datetime], Sequence[datetime]],
        host: Clock,
        upcoming: Callable[[datetime], Awaitable[Sequence[DueTrigger]]] | None = None,
        record: Callable[[], Coroutine[Any, Any, None]] | None = None,
        timer: WakeupTimer | None = None,
        queue: TriggerQueue | None = None,
    ) -> None:
        """``triggers`` yields triggers with the phone's time, None where only what is expected may have changed.

        ``dues`` returns when habits are next due, ``upcoming`` the expected triggers; ``record`` runs beside them for
        as long. ``timer`` waits on the monotonic clock of ``host``; None = the host's own timer. ``queue`` holds the
        triggers that an earlier watcher of this phone did not decide on."""
        self._agent = agent
        self._clock = clock
        self._triggers = triggers
        self._dues = dues
        self._upcoming = upcoming
        self._record = record
        self._queue = queue or TriggerQueue()
        self._expected = ExpectedTriggers(agent.stores, agent.phone.id)
        self._timer = timer or HostWakeupTimer(host)
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Set to the error when what the timer fires fails."""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the watch has ended, with the error that ended it."""
        self._processed: datetime | None = None
        """The due time of the last entry that was processed."""

    async def run(self) -> None:
        """Recover interrupted actions, then decide on triggers as they arrive or become due."""
        try:
            await self._run()
        except Exception as error:
            self._ended.set_exception(error)
            self._ended.exception()  # marks it as retrieved: it is raised here as well
            raise

    async def _run(self) -> None:
        await self._agent.recover()
        # Before it is read, the clock shows the host's time in the host's zone.
        await self._agent.read_clock(self._clock)
        self._queue.drop_before(self._clock.monotonic() - _TOO_LATE_FOR_TRIGGERS)
        self._queue_missed_habit()
        self._timer.start()
        await self.process_due()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen())
                tasks.create_task(self._work())
                tasks.create_task(self._timer_failure())
                if self._record is not None:
                    tasks.create_task(self._record())
        except* DeviceError as lost:
            raise lost.exceptions[0] from lost
        finally:
            self._timer.stop()

    async def idle(self) -> None:
        """Wait until every trigger that arrived has been decided on; raises the error that ended the watch before."""
        idle = asyncio.ensure_future(self._queue.idle.wait())
        either: set[asyncio.Future[Any]] = {idle, self._ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not idle.done():
                self._ended.result()
        finally:
            idle.cancel()

    async def _listen(self) -> None:
        async for trigger, at in self._triggers():
            if at is not None:
                self._follow_clock(at)
            if trigger is None:
                await self._plan_ahead()
                continue
            self._queue.put(trigger, self._clock.monotonic())
            if trigger.kind is TriggerKind.SCREEN and trigger.data.get("state") != "off":
                self._bring_deferred_forward()

    async def _work(self) -> None:
        while True:
            trigger, at = await self._queue.get()
            try:
                context, decision = await self._agent.decide(trigger)
            except (DeviceError, JournalError, asyncio.CancelledError):
                # Whichever task notices first that the phone is gone cancels the others, this one too.
                self._queue.put_back(trigger, at)
                raise
            try:
                await self._agent.act_on(context, decision)
            except JournalError:
                # Nothing was begun, because it could not be announced.
                self._queue.put_back(trigger, at)
                raise
            await self.process_due()

    def _queue_missed_habit(self) -> None:
        """Queue the due time of a habit that passed a short while ago, when heed did not watch this phone yet."""
        now, decided = self._clock.wall(), self._agent.stores.history.last_decision(self._agent.phone.id)
        earliest = now - timedelta(seconds=_TOO_LATE_SECONDS)
        missed = [due for due in self._dues(earliest) if due <= now and (decided is None or due > decided)]
        if missed:
            self._queue.put(_clock_trigger(max(missed)), self._clock.monotonic())

    def _bring_deferred_forward(self) -> None:
        """The screen went on: what was deferred because it was off can be shown now."""
        self._agent.stores.agenda.bring_forward(self._agent.phone.id, AgendaKind.DEFERRED)
        self._wake_for_next()

    def _follow_clock(self, shown: datetime) -> None:
        jumped = abs((shown - self._clock.wall()).total_seconds()) > _JUMP_SECONDS
        self._clock.set(shown)
        if jumped:
            self._wake_for_next()

    async def plan_anew(self) -> None:
        """What is due changed by the owner's own doing: plan it anew."""
        await self._plan_ahead()

    async def _plan_ahead(self) -> None:
        agenda, phone_id = self._agent.stores.agenda, self._agent.phone.id
        now = self._planned_from()
        agenda.replace(phone_id, AgendaKind.CLOCK, now, [(due, {}) for due in self._dues(now) if due > now])
        agenda.add_once(_RETENTION_EVERY, phone_id, AgendaKind.RETENTION)
        await self._plan_expected(now)
        self._wake_for_next()

    def _planned_from(self) -> datetime:
        """Now; after a small backward correction of the phone's clock, the due time that was processed last."""
        now = self._clock.wall()
        corrected = self._processed is not None and now < self._processed < now + _CORRECTION
        return self._processed if self._processed and corrected else now

    async def _plan_expected(self, now: datetime) -> None:
        if self._upcoming is None:
            return
        try:
            dues = await self._upcoming(now)
        except DeviceError as error:  # what was expected before stays
            log.info("%s: the expected triggers could not be read: %s", self._agent.serial, error)
            return
        for overdue in self._expected.plan(dues, now):
            self._queue.put(overdue, self._clock.monotonic())

    def _wake_for_next(self) -> None:
        now = self._clock.wall()
        due = self._agent.stores.agenda.next_due(self._agent.phone.id, now)
        if due is not None:
            self._timer.set((due - now).total_seconds(), self._fire)

    async def _fire(self) -> None:
        """``process_due``; an error ends the watch, not only this call of the timer."""
        try:
            await self.process_due()
        except Exception as error:
            if self._failure.done():
                log.exception("%s: what was due failed", self._agent.serial)
            else:
                self._failure.set_exception(error)

    async def _timer_failure(self) -> None:
        await self._failure

    async def process_due(self) -> None:
        """Process what is due on the phone's clock, then set the timer for what is due next."""
        stores, phone_id = self._agent.stores, self._agent.phone.id
        for entry in stores.agenda.take_due(phone_id, self._clock.wall()):
            self._processed = entry.due
            await self._process_entry(entry)
            stores.agenda.done(entry)
        await self._plan_ahead()

    async def _process_entry(self, entry: AgendaEntry) -> None:
        """``_process``; an entry that fails for a reason of its own is left out, because it would fail each time."""
        try:
            await self._process(entry)
        except (DeviceError, JournalError):
            raise
        except Exception:
            log.exception("agenda entry %d (%s) was left out", entry.id, entry.kind)

    async def _process(self, entry: AgendaEntry) -> None:
        late, now = entry.late.total_seconds(), self._clock.monotonic()
        match entry.kind:
            case AgendaKind.CLOCK if late <= _TOO_LATE_SECONDS:
                self._queue.put(_clock_trigger(entry.due), now)
            case AgendaKind.DEFERRED if late <= _TOO_LATE_SECONDS:
                self._queue.put(Trigger.model_validate(entry.body), now)
            case AgendaKind.TRIGGER if late <= _TOO_LATE_FOR_TRIGGERS:
                self._queue.put(Trigger.model_validate(entry.body), now)
            case AgendaKind.RETENTION:
                self._agent.delete_expired()
            case AgendaKind.UNDO:
                await self._undo(entry)

    async def _undo(self, entry: AgendaEntry) -> None:
        """Undo the entry's action; ``DeviceError`` when the phone is lost: it is finished when the phone is back."""
        try:
            outcome = await self._agent.undo(int(str(entry.body["action"])))
        except (RefusedError, UsageError) as reason:
            log.info("agenda entry %d: %s", entry.id, reason)
            return
        if outcome.kind is OutcomeKind.UNKNOWN:
            raise DeviceError(outcome.message)


def _clock_trigger(due: datetime) -> Trigger:
    return Trigger(kind=TriggerKind.CLOCK, data={"due": due.isoformat()})
