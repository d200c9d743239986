"""The live screen: pictures of the phones for open pages of the console; none is stored."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from collectors.frames import FrameTaker
from heed.clock import Clock

FRESH_SECONDS = 0.4
"""A picture of at most this age is reused."""


class _Picture(NamedTuple):
    png: bytes
    taken_at: float


class LiveScreens:
    """Takes one picture at a time per phone; apps that are excluded from frames are not shown."""

    def __init__(self, taker: Callable[[str], FrameTaker], clock: Clock) -> None:
        """``taker`` gives the one for a serial."""
        self._taker, self._clock = taker, clock
        self._newest: dict[str, _Picture] = {}
        self._busy: dict[str, asyncio.Lock] = {}

    def forget(self, serial: str) -> None:
        """Take a new picture next time: the screen has just been touched."""
        self._newest.pop(serial, None)

    async def picture(self, serial: str) -> bytes:
        """The screen as PNG; ``DeviceError`` (``NoFrameError``) says why there is none now."""
        async with self._busy.setdefault(serial, asyncio.Lock()):
            newest = self._newest.get(serial)
            if newest is None or self._clock.monotonic() - newest.taken_at > FRESH_SECONDS:
                shot = await self._taker(serial).take()
                newest = self._newest[serial] = _Picture(shot.png, self._clock.monotonic())
            return newest.png
