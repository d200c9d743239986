"""Two clocks, and nobody calls the system's directly.

The *wall* clock is the phone's ("Friday 23:00" is what the phone shows); anybody can turn it. The *monotonic* clock is
the host's: it only goes forward, also while the host sleeps, and begins anew when the host starts. What protects or
deletes is measured on it (``agent/journal/elapsed_time.py``). Tests and scenarios drive both.
"""

import time
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Protocol
from uuid import uuid4

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# CLOCK_BOOTTIME counts the time in which a Linux host sleeps; macOS counts it in CLOCK_MONOTONIC.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Clock(Protocol):
    """The clock interface of all packages."""

    @property
    def boot(self) -> str:
        """The run of the host that ``monotonic`` belongs to; another text after each start of the host."""
        ...

    def wall(self) -> datetime:
        """The phone's wall clock, timezone-aware."""
        ...

    def monotonic(self) -> float:
        """Seconds on the host's monotonic clock, from an arbitrary start; the host's sleep counts."""
        ...


class SystemClock:
    """The host's own clocks; ``offset`` makes its wall clock show the phone's time."""

    def __init__(self, offset: timedelta = timedelta()) -> None:
        self._offset = offset

    @property
    def boot(self) -> str:
        return boot_id()

    def wall(self) -> datetime:
        return datetime.now(UTC).astimezone() + self._offset

    def monotonic(self) -> float:
        return time.clock_gettime(_CLOCK)


@cache
def boot_id() -> str:
    """The kernel's name for this run of the host; empty where it has none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class PhoneClock:
    """A phone's wall clock, kept as an offset from the host's monotonic clock.

    ``set`` is called with each time the phone reports, so a phone whose clock jumps (time zone, virtual
    phone in compressed time) is followed at its next reading.
    """

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._read: tuple[datetime, float] | None = None

    @property
    def boot(self) -> str:
        return self._base.boot

    def set(self, phone_time: datetime) -> None:
        """Remember what the phone's clock showed just now (timezone-aware)."""
        self._read = (phone_time, self._base.monotonic())

    def wall(self) -> datetime:
        if self._read is None:
            return self._base.wall()
        shown, at = self._read
        return shown + timedelta(seconds=self._base.monotonic() - at)

    def monotonic(self) -> float:
        return self._base.monotonic()


class ManualClock:
    """A clock that only moves when told to: for tests and scenarios."""

    def __init__(self, start: datetime) -> None:
        self.boot = str(uuid4())
        self._wall = start
        self._monotonic = 0.0

    def advance(self, seconds: float) -> None:
        """Move both clocks forward."""
        self._wall += timedelta(seconds=seconds)
        self._monotonic += seconds

    def set(self, moment: datetime) -> None:
        """Make the wall clock show ``moment``; the monotonic clock never goes back."""
        self._monotonic += max(0.0, (moment - self._wall).total_seconds())
        self._wall = moment

    def turn(self, by: timedelta) -> None:
        """Turn the wall clock, as a person or a time server does."""
        self._wall += by

    def wall(self) -> datetime:
        return self._wall

    def monotonic(self) -> float:
        return self._monotonic
