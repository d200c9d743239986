"""The phone's clock: real time from a chosen start by default; can be set, advanced, frozen and sped up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo

from heed.clock import Clock, SystemClock


class VirtualClock:
    """Wall clock and uptime of one phone, driven by the host's monotonic clock (injectable) times ``rate``.

    ``wall`` and ``elapsed`` move together: setting the clock forward also makes the phone older, so that
    alarms and uptimes agree. Setting it back leaves uptime alone.
    """

    def __init__(self, now: datetime, *, host: Clock | None = None, uptime: timedelta = timedelta(hours=50)) -> None:
        if now.tzinfo is None:
            raise ValueError("the phone's clock needs a time with an offset from UTC")
        self._host = host or SystemClock()
        self._wall, self._uptime = now, uptime
        self._read_at = self._host.monotonic()
        self._shown: datetime | None = None
        self._on_the_way: Callable[[datetime], None] = lambda moment: None
        self._changed: Callable[[], None] = lambda: None
        self.rate = 1.0
        """Phone seconds per host second; 0 = frozen. Change it with ``speed``."""

    def wall(self) -> datetime:
        """The phone's time, with its offset from UTC."""
        return self._shown or self._wall + self._run()

    def uptime(self) -> timedelta:
        """Time since boot, sleep included (Android's elapsedRealtime)."""
        return self._uptime + (self._shown - self._wall if self._shown else self._run())

    def milliseconds(self) -> int:
        """Milliseconds since 1970, as Android counts time."""
        return round(self.wall().timestamp() * 1000)

    def _run(self) -> timedelta:
        return timedelta(seconds=(self._host.monotonic() - self._read_at) * self.rate)

    def _settle(self) -> None:
        run = self._run()
        self._wall += run
        self._uptime += run
        self._read_at = self._host.monotonic()

    def speed(self, rate: float) -> None:
        """Let phone time pass ``rate`` times as fast as the host's; 0 freezes it."""
        if rate < 0:
            raise ValueError("time does not run backwards")
        self._settle()
        self.rate = rate
        self._changed()

    def freeze(self) -> None:
        """Stop: only ``set`` and ``advance`` move the clock then."""
        self.speed(0)

    def set(self, moment: datetime) -> None:
        """Set the time. When it goes forward, what is due on the way happens at its own moment."""
        self._on_the_way(moment)
        self.jump(moment)

    def advance(self, seconds: float) -> None:
        """Move the time forward by ``seconds``."""
        self.set(self.wall() + timedelta(seconds=seconds))

    @contextmanager
    def showing(self, moment: datetime) -> Iterator[None]:
        """While in the block it is ``moment``, however late the host is."""
        self._shown = moment.astimezone(self._wall.tzinfo)
        try:
            yield
        finally:
            self._shown = None

    def attach(self, on_the_way: Callable[[datetime], None], changed: Callable[[], None]) -> None:
        """Set the callbacks: ``on_the_way`` before the time is set, ``changed`` after a change of speed."""
        self._on_the_way, self._changed = on_the_way, changed

    def restore(self, wall: datetime, uptime: timedelta) -> None:
        """Go back to the time and uptime of a snapshot."""
        self._settle()
        self._wall, self._uptime = wall, uptime

    def change_zone(self, zone: tzinfo) -> None:
        """Show times in another zone from now on."""
        self._wall = self._wall.astimezone(zone)

    def jump(self, moment: datetime) -> None:
        """Set the time without running what is due."""
        self._settle()
        self._uptime += max(timedelta(), moment - self._wall)
        self._wall = moment.astimezone(self._wall.tzinfo)
