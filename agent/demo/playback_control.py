"""Delay and pause between the entries of a demo."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext


class PlaybackControl:
    """Delays each entry of a demo, and pauses it.

    Args:
        seconds: the delay between two entries.
        while_waiting: context manager that is entered during each delay, and left while a question is open.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        while_waiting: Callable[["PlaybackControl"], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        self._seconds, self._while_waiting = seconds, while_waiting
        self._running = asyncio.Event()
        self._running.set()

    @property
    def paused(self) -> bool:
        return not self._running.is_set()

    def set_paused(self, paused: bool) -> None:
        """Pause the demo, or continue it."""
        if paused:
            self._running.clear()
        else:
            self._running.set()

    async def wait(self) -> None:
        """Wait for the delay, and until the demo is not paused."""
        with self._while_waiting(self):
            await asyncio.sleep(self._seconds)
            await self._running.wait()
