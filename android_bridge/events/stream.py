"""The events of one phone, from its event log and, for facts that it does not log, from polling."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.events.last_reported import LastReported
from android_bridge.events.log import TAGS, EventRecord, continues, events_of, is_torn, join, parse_record
from android_bridge.events.model import NotificationPosted, NotificationRemoved, PhoneEvent
from android_bridge.events.topics import CALLS, NOTIFIED, TOPICS, Topic
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.reader import UnreadableError
from android_bridge.server_connection import ServerConnection
from heed.errors import DeviceLostError
from heed.messages import msg

POLL_SECONDS = 60.0
_TIMEOUT = 30.0
_CALL_REST = 3.0
_LOGCAT = "logcat -b events -v threadtime -v year -v zone"
_FILTER = " ".join(f"{tag}:I" for tag in TAGS) + " '*:S'"

_log = logging.getLogger(__name__)


async def phone_events(device: Device, *, poll_seconds: float = POLL_SECONDS) -> AsyncGenerator[PhoneEvent, None]:
    """Yields the events of one phone from now on.

    Args:
        device: the phone.
        poll_seconds: interval of polling for facts that the phone does not log.

    Ends with ``DeviceError``, mostly ``DeviceLostError``; ``PhoneEvents`` can resume after it. Use
    ``contextlib.aclosing``.
    """
    async with aclosing(PhoneEvents(device, poll_seconds=poll_seconds).listen()) as events:
        async for event in events:
            yield event


class PhoneEvents:
    """The events of one phone, across interruptions.

    ``listen`` ends with a ``DeviceError``, mostly ``DeviceLostError``, when the phone goes away or freezes. Call it
    again when the phone is back: it resumes with the events that the log holds from the meantime, and repeats only an
    event that was not processed.
    """

    def __init__(self, device: Device, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._device, self._poll_seconds = device, poll_seconds
        self._reported = LastReported()
        self._undelivered: deque[PhoneEvent] = deque()
        """Events that the consumer has not finished processing; delivered again after an interruption."""
        self._logged: set[str] = set()
        self._last: EventRecord | None = None
        self._call_asked = float("-inf")
        self._started = False
        self._warned = False
        self.begun = asyncio.Event()
        """Set once ``listen`` yields every event from now on."""

    async def listen(self) -> AsyncGenerator[PhoneEvent, None]:
        """Yields events as they happen, oldest first. Use ``contextlib.aclosing`` to leave before the end.

        An event counts as processed when the next one is requested; otherwise it is yielded again next time.
        """
        async with aclosing(self._collect()) as additions:
            while True:
                while self._undelivered:
                    yield self._undelivered[0]
                    self._undelivered.popleft()
                await anext(additions)

    async def _collect(self) -> AsyncGenerator[None, None]:
        """Adds events to ``_undelivered`` and yields after each addition; ends only with a ``DeviceError``."""
        now = await self._device.read(CLOCK, timeout=_TIMEOUT)
        history = await self._history(now)
        resumed, self._started = self._started, True
        for record in _after(history, self._last) if resumed else history:
            new = list(self._reported.new_events(events_of(record)))
            self._undelivered += new if resumed else []
        self._last = history[-1] if history else self._last
        self.begun.set()
        # The first poll records the state; after an interruption it gives the changes of the meantime.
        changed = await self.ask()
        self._undelivered += changed if resumed else []
        yield
        self._warn_of_polling()
        async with self._device.stream(self._live_line()) as connection:
            async for _ in self._follow(_Lines(connection, now), history):
                yield

    async def _history(self, now: datetime) -> list[EventRecord]:
        result = await self._device.shell(f"{_LOGCAT} -d {_FILTER}", timeout=_TIMEOUT)
        records = [record for line in result.stdout.splitlines() if (record := parse_record(line, now))]
        self._logged |= {record.tag for record in records}
        return _joined(records)

    def _live_line(self) -> str:
        since = quote(self._last.local) if self._last else "1"
        return f"{_LOGCAT} -T {since} {_FILTER}"

    async def _follow(self, lines: "_Lines", history: Sequence[EventRecord]) -> AsyncGenerator[None, None]:
        # `-T` repeats the last millisecond of the history, each record once.
        known = Counter(record for record in history if self._last and record.at == self._last.at)
        next_poll = _now() + self._poll_seconds
        while True:
            record = await lines.next(until=next_poll)
            if record is not None and known[record]:
                known[record] -= 1
            elif record is not None:
                await self._process(record)
            if _now() >= next_poll:
                next_poll = _now() + self._poll_seconds
                self._undelivered += await self.ask()
            yield
            if lines.ended:
                self._check_ended()
                await asyncio.sleep(max(0.0, next_poll - _now()))

    async def _process(self, record: EventRecord) -> None:
        self._last = record
        self._logged.add(record.tag)
        new = list(self._reported.new_events(events_of(record)))
        self._undelivered += new
        for event in new:
            if self._hints_at_a_call(event):
                self._call_asked = _now()
                self._undelivered += await self._poll((CALLS,))

    def _hints_at_a_call(self, event: PhoneEvent) -> bool:
        # Phones do not log calls, but show a notification during a call; some update it every second.
        if isinstance(event, NotificationPosted):
            rests = event.update and _now() - self._call_asked < _CALL_REST
            return event.category == "call" and not rests
        return isinstance(event, NotificationRemoved) and self._reported.in_call

    def _check_ended(self) -> None:
        if self._logged:
            raise DeviceLostError(
                msg("The event log of {serial} ended.", serial=self._device.serial), msg("Reconnect it.")
            )

    def _unlogged(self) -> tuple[Topic, ...]:
        return tuple(topic for topic in TOPICS if not topic.tags & self._logged)

    async def ask(self) -> list[PhoneEvent]:
        """Polls the facts that this phone does not log and returns their changes."""
        return await self._poll(self._unlogged())

    async def _poll(self, topics: Sequence[Topic]) -> list[PhoneEvent]:
        """Reads the facts of ``topics`` and returns their changes; a fact that cannot be read is left out."""
        readers = [reader for topic in topics for reader in topic.readers]
        at, *values = await self._device.read_many([CLOCK, *readers], timeout=_TIMEOUT)
        if isinstance(at, UnreadableError):
            raise at
        facts: dict[str, Any] = dict(zip((reader.name for reader in readers), values, strict=True))
        new: list[PhoneEvent] = []
        for topic in topics:
            read = [facts[reader.name] for reader in topic.readers]
            if not any(isinstance(value, UnreadableError) for value in read):
                present = topic.state(at, *read)
                new += self._reported.compare(at, present) if topic is NOTIFIED else self._reported.new_events(present)
        return new

    def _warn_of_polling(self) -> None:
        names = [topic.name for topic in self._unlogged() if topic.tags]
        if names and not self._warned:
            self._warned = True
            every = f"{self._poll_seconds:g} s"
            _log.warning(
                "%s has not logged %s; heed asks every %s until it does.", self._device.serial, ", ".join(names), every
            )


class _Lines:
    """The records of a stream; records that a line end split are joined."""

    def __init__(self, connection: ServerConnection, near: datetime) -> None:
        self._connection, self._near = connection, near
        self._whole: deque[EventRecord] = deque()
        self._torn: EventRecord | None = None
        self.ended = False

    async def next(self, until: float) -> EventRecord | None:
        """Returns the next record; None at the time ``until`` and at the end."""
        while not self._whole and not self.ended:
            try:
                async with asyncio.timeout_at(until):
                    line = await self._connection.read_line()
            except TimeoutError:
                self._add(None)
                break
            self.ended = not line
            # A line without its end was cut off: half a value would be a wrong value.
            self._add(self._parse(line) if line.endswith(b"\n") else None)
        return self._whole.popleft() if self._whole else None

    def _parse(self, line: bytes) -> EventRecord | None:
        record = parse_record(line.decode(errors="replace"), self._near)
        self._near = record.at if record else self._near
        return record

    def _add(self, record: EventRecord | None) -> None:
        waiting, self._torn = self._torn, None
        if waiting and record and continues(waiting, record):
            record = join(waiting, record)
        elif waiting:
            self._whole.append(waiting)
        if record and is_torn(record):
            self._torn = record
        elif record:
            self._whole.append(record)


def _joined(records: Sequence[EventRecord]) -> list[EventRecord]:
    whole: list[EventRecord] = []
    for record in records:
        if whole and continues(whole[-1], record):
            whole[-1] = join(whole[-1], record)
        else:
            whole.append(record)
    return whole


def _after(history: Sequence[EventRecord], last: EventRecord | None) -> Sequence[EventRecord]:
    """Returns the records after ``last``, compared by time where the buffer no longer holds it."""
    if last is None:
        return history
    if last in history:
        return history[len(history) - list(reversed(history)).index(last) :]
    return [record for record in history if record.at > last.at]


def _now() -> float:
    return asyncio.get_running_loop().time()
