"""The touch panel as the kernel sees it: only the person's own fingers, never what programs inject."""

import asyncio
from collections import deque
from typing import NamedTuple

from android_bridge.virtual.state.clock import VirtualClock

Point = tuple[int, int]
_KEPT = 1000


class RawTouch(NamedTuple):
    """One input event; ``sequence`` grows by one with each."""

    sequence: int
    seconds: float
    """Since the phone booted."""
    kind: str
    code: str
    value: str


class Touches:
    """The events of the panel's device, and whoever waits for the next one (Linux' multi-touch protocol B)."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._events: deque[RawTouch] = deque(maxlen=_KEPT)
        self._finger = 0
        self._grown = asyncio.Event()
        self._followed = asyncio.Event()
        self.sequence = 0
        """The newest event's number."""

    def drag(self, start: Point, end: Point) -> None:
        """The person puts a finger down, moves it and lifts it; a tap ends where it began."""
        self._finger += 1
        self._report(("EV_ABS", "ABS_MT_TRACKING_ID", f"{self._finger:08x}"), ("EV_KEY", "BTN_TOUCH", "DOWN"),
                     *_at(start))  # fmt: skip
        if end != start:
            self._report(*_at(end))
        self._report(("EV_ABS", "ABS_MT_TRACKING_ID", "ffffffff"), ("EV_KEY", "BTN_TOUCH", "UP"))

    def _report(self, *events: tuple[str, str, str]) -> None:
        seconds = self._clock.uptime().total_seconds()
        for event in (*events, ("EV_SYN", "SYN_REPORT", "00000000")):
            self.sequence += 1
            self._events.append(RawTouch(self.sequence, seconds, *event))
        self._grown.set()
        self._grown = asyncio.Event()

    async def after(self, sequence: int) -> list[RawTouch]:
        """The events after a number, as soon as there is one."""
        self._followed.set()
        while self.sequence <= sequence:
            await self._grown.wait()
        return [event for event in self._events if event.sequence > sequence]

    async def followed(self) -> None:
        """Wait until somebody waits for events: ``getevent`` runs."""
        await self._followed.wait()


def _at(point: Point) -> tuple[tuple[str, str, str], ...]:
    return tuple(("EV_ABS", f"ABS_MT_POSITION_{axis}", f"{value:08x}") for axis, value in zip("XY", point, strict=True))
