"""The timer that wakes the daemon for the next entry of its agenda."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger


class WakeupTimer(Protocol):
    """Fires once, at the time that was set last."""

    def start(self) -> None: ...

    def set(self, at: datetime, fire: Callable[[], Awaitable[None]]) -> None:
        """Call ``fire`` when the host's clock shows ``at``, or at once when it is past; replaces what was set."""
        ...

    def stop(self) -> None: ...


class HostWakeupTimer:
    """APScheduler on the host's clock: survives a suspended host, and fires late rather than never."""

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def start(self) -> None:
        """Begin to fire."""
        self._scheduler.start()

    def set(self, at: datetime, fire: Callable[[], Awaitable[None]]) -> None:
        """Fire at ``at``."""
        self._scheduler.add_job(
            fire, DateTrigger(run_date=at), id="next", replace_existing=True, misfire_grace_time=None
        )

    def stop(self) -> None:
        """Fire no more."""
        self._scheduler.shutdown(wait=False)
