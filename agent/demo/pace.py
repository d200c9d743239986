"""How fast the demo's day goes by for those who watch it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext


class Pace:
    """A breath between two moments, held for as long as somebody wants to look around."""

    def __init__(
        self,
        seconds: float = 0.0,
        meanwhile: Callable[["Pace"], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        """``seconds`` lie between two moments; ``meanwhile`` is open as long as nobody is being asked."""
        self._seconds, self._meanwhile = seconds, meanwhile
        self._going = asyncio.Event()
        self._going.set()

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    def hold(self, paused: bool) -> None:
        """Pause the day, or let it go on."""
        if paused:
            self._going.clear()
        else:
            self._going.set()

    async def between(self) -> None:
        """Wait until the next moment may begin."""
        with self._meanwhile(self):
            await asyncio.sleep(self._seconds)
            await self._going.wait()
