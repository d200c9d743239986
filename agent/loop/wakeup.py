"""What wakes the daemon for the next row of its agenda."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger


class Alarm(Protocol):
    """Rings once, at the time that was set last."""

    def start(self) -> None: ...

    def set(self, at: datetime, ring: Callable[[], Awaitable[None]]) -> None:
        """Call ``ring`` when the host's clock shows ``at``, or at once when it is past; replaces what was set."""
        ...

    def stop(self) -> None: ...


class HostAlarm:
    """APScheduler on the host's clock: survives a suspended host, and rings late rather than never."""

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def start(self) -> None:
        """Begin to ring."""
        self._scheduler.start()

    def set(self, at: datetime, ring: Callable[[], Awaitable[None]]) -> None:
        """Ring at ``at``."""
        self._scheduler.add_job(
            ring, DateTrigger(run_date=at), id="next", replace_existing=True, misfire_grace_time=None
        )

    def stop(self) -> None:
        """Ring no more."""
        self._scheduler.shutdown(wait=False)
