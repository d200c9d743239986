"""Reports to every open page of the console which of its parts changed; the page then reads them again.

Only the names of parts are queued, so a slow page misses no change and its queue is bounded.
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


class _Page:
    def __init__(self) -> None:
        self.parts = set(PagePart)
        self.is_ended = False
        self.changed = asyncio.Event()
        self.changed.set()


class PageUpdates:
    """The parts that changed since each page last read them."""

    def __init__(self) -> None:
        self._pages: set[_Page] = set()
        self._closed = False

    def report(self, *parts: PagePart) -> None:
        """Report that these parts changed."""
        for page in self._pages:
            page.parts.update(parts)
            page.changed.set()

    def disconnect(self) -> None:
        """End every ``watch`` that runs now; whoever may, comes back."""
        pages, self._pages = self._pages, set()
        for page in pages:
            page.is_ended = True
            page.changed.set()

    def close(self) -> None:
        """End every ``watch``."""
        self._closed = True
        self.report()

    async def watch(self) -> AsyncGenerator[list[PagePart], None]:
        """All parts first, then those that change, as often as they do, until ``close``."""
        page = _Page()
        self._pages.add(page)
        try:
            while not self._closed and not page.is_ended:
                await page.changed.wait()
                if page.is_ended:
                    return
                page.changed.clear()
                parts, page.parts = sorted(page.parts), set()
                if parts:
                    yield parts
        finally:
            self._pages.discard(page)
