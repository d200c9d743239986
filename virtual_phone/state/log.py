"""The phone's log buffers, as ``logcat`` shows them."""

import asyncio
from collections import deque
from datetime import datetime, timedelta
from typing import NamedTuple

from virtual_phone.state.clock import VirtualClock

BUFFER_LINES = 5000


class StoredLogLine(NamedTuple):
    """One log record; ``sequence`` grows by one with each record of a phone."""

    sequence: int
    moment: datetime
    buffer: str
    process: int
    priority: str
    tag: str
    message: str


class LogState:
    """The log buffers, and waiting for new records."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._entries: deque[StoredLogLine] = deque(maxlen=BUFFER_LINES)
        self._sequence = 0
        self._grown = asyncio.Event()
        self._followed = asyncio.Event()

    def event(self, tag: str, *values: int | str, ago: float = 0.0) -> None:
        """A binary event (``logcat -b events``), seconds ago; one value is printed bare, several as ``[a,b]``."""
        text = ",".join(str(value) for value in values)
        self._add("events", 1000, "I", tag, text if len(values) == 1 else f"[{text}]", ago)

    def line(self, tag: str, message: str, priority: str = "I", process: int = 1000, *, ago: float = 0.0) -> None:
        """A line of the main buffer, seconds ago."""
        self._add("main", process, priority, tag, message, ago)

    def _add(self, buffer: str, process: int, priority: str, tag: str, message: str, ago: float = 0.0) -> None:
        self._sequence += 1
        moment = self._clock.wall() - timedelta(seconds=ago)
        self._entries.append(StoredLogLine(self._sequence, moment, buffer, process, priority, tag, message))
        self._grown.set()
        self._grown = asyncio.Event()

    def entries(self, buffers: frozenset[str], after: int = 0) -> list[StoredLogLine]:
        """The records of these buffers after a sequence number, oldest first."""
        return [entry for entry in self._entries if entry.buffer in buffers and entry.sequence > after]

    @property
    def sequence(self) -> int:
        """The newest record's number."""
        return self._sequence

    def clear(self) -> None:
        """``logcat -c``."""
        self._entries.clear()

    async def grown(self, after: int) -> None:
        """Wait until there is a record after ``after``."""
        self._followed.set()
        while self._sequence <= after:
            await self._grown.wait()

    async def followed(self) -> None:
        """Wait until a reader such as ``logcat`` has read everything and waits for more."""
        await self._followed.wait()
