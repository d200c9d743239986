"""The timer that wakes the daemon for the next entry of its agenda."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from heed.clock import Clock

log = logging.getLogger(__name__)

LONGEST_SLEEP = 30.0
"""Seconds; an event loop's own timers stand still while the host sleeps, and are late by this much at most."""


class WakeupTimer(Protocol):
    """Fires once, after the time that was set last."""

    def start(self) -> None: ...

    def set(self, seconds: float, fire: Callable[[], Awaitable[None]]) -> None:
        """Call ``fire`` after so many seconds, at once if there are none left; replaces what was set."""
        ...

    def stop(self) -> None: ...


class HostWakeupTimer:
    """Waits on the host's monotonic clock: turning a clock does not move it, and the host's sleep counts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: asyncio.Task[None] | None = None
        self._firing: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Do nothing: it runs once it is set."""

    def set(self, seconds: float, fire: Callable[[], Awaitable[None]]) -> None:
        """Fire in ``seconds``."""
        self._stop_waiting()
        self._waiting = asyncio.create_task(self._wait(self._clock.monotonic() + seconds, fire), name="wake-up timer")

    def stop(self) -> None:
        """Fire no more, and end what was fired."""
        self._stop_waiting()
        for task in self._firing:
            task.cancel()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = None

    async def _wait(self, due: float, fire: Callable[[], Awaitable[None]]) -> None:
        while (left := due - self._clock.monotonic()) > 0:  # noqa: ASYNC110  # a clock, not an event
            await asyncio.sleep(min(left, LONGEST_SLEEP))
        # A task of its own: ``fire`` sets the timer anew, which ends this one.
        firing = asyncio.ensure_future(fire())
        self._firing.add(firing)
        firing.add_done_callback(self._fired)

    def _fired(self, task: asyncio.Task[None]) -> None:
        self._firing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("what was due could not be done: %s", error, exc_info=error)
