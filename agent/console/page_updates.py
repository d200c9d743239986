"""Tells every open page which parts of what it shows have changed; the page then reads them anew.

Nothing is queued but names of parts, so a page that is slow or was away misses nothing and holds no memory.
"""

import asyncio
from collections.abc import AsyncGenerator
from enum import StrEnum


class PagePart(StrEnum):
    """A part of the page."""

    QUESTIONS = "questions"
    JOURNAL = "journal"
    MEMORY = "memory"
    SCREEN = "screen"


class _Watcher:
    def __init__(self) -> None:
        self.parts = set(PagePart)
        self.some = asyncio.Event()
        self.some.set()


class PageUpdates:
    """The parts that changed since each page last read them."""

    def __init__(self) -> None:
        self._watchers: set[_Watcher] = set()
        self._closed = False

    def report(self, *parts: PagePart) -> None:
        """Report that these parts changed."""
        for watcher in self._watchers:
            watcher.parts.update(parts)
            watcher.some.set()

    def close(self) -> None:
        """End every ``watch``."""
        self._closed = True
        self.report()

    async def watch(self) -> AsyncGenerator[list[PagePart], None]:
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
