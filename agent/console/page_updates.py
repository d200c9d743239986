"""Tells every open page which parts of what it shows have changed; the page then reads them anew.

Nothing is queued but names of parts, so a page that is slow or was away misses nothing and holds no memory.
"""

import asyncio
from collections.abc import AsyncGenerator
from enum import StrEnum


class Part(StrEnum):
    """A part of the page."""

    QUESTIONS = "questions"
    JOURNAL = "journal"
    MEMORY = "memory"
    SCREEN = "screen"


class _Watcher:
    def __init__(self) -> None:
        self.parts = set(Part)
        self.some = asyncio.Event()
        self.some.set()


class Changes:
    """What has changed since each page last looked."""

    def __init__(self) -> None:
        self._watchers: set[_Watcher] = set()
        self._closed = False

    def tell(self, *parts: Part) -> None:
        """These parts are different now."""
        for watcher in self._watchers:
            watcher.parts.update(parts)
            watcher.some.set()

    def close(self) -> None:
        """End every ``watch``."""
        self._closed = True
        self.tell()

    async def watch(self) -> AsyncGenerator[list[Part], None]:
        """All parts first, then those that change, as often as they do, until ``close``."""
        watcher = _Watcher()
        self._watchers.add(watcher)
        try:
            while not self._closed:
                await watcher.some.wait()
                watcher.some.clear()
                parts, watcher.parts = sorted(watcher.parts), set()
                if parts:
                    yield parts
        finally:
            self._watchers.discard(watcher)
