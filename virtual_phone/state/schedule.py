"""The schedule of a phone: alarms, timers, reminders, the entries of a scenario.

However time passes (as it does, many times faster, or in one jump), each thing happens in the order of its time, and
while it does, the phone's clock shows just that time.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from virtual_phone.state.clock import VirtualClock


class Scheduled(Protocol):
    """A source of things that happen at a set time."""

    def next_due(self, after: datetime) -> datetime | None:
        """The first moment at which something here is due; before ``after`` when it is late, None for never."""
        ...

    def ring(self, after: datetime, moment: datetime) -> None:
        """Run what became due after ``after``, up to ``moment``."""
        ...


class Schedule:
    """Everything of one phone that happens at a set time."""

    def __init__(self, clock: VirtualClock, sources: Iterable[Scheduled]) -> None:
        self._clock, self._sources = clock, list(sources)
        self.seen = clock.wall()
        """The moment up to which everything has been run."""

    def add(self, source: Scheduled) -> None:
        """Add a source; at the same moment it runs after those that were added before."""
        self._sources.append(source)

    def next_due(self) -> datetime | None:
        """The next moment at which something is due."""
        return min((due for source in self._sources if (due := source.next_due(self.seen)) is not None), default=None)

    def catch_up(self) -> None:
        """Run what became due since the last call."""
        self._until(self._clock.wall())

    def pass_time(self, moment: datetime) -> None:
        """Run what is due on the way to ``moment``, to which the clock is being set."""
        self.catch_up()
        self._until(moment)
        self.seen = moment

    def _until(self, moment: datetime) -> None:
        while (due := self.next_due()) is not None and due <= moment:
            with self._clock.showing(max(due, self.seen)):
                for source in self._sources:
                    source.ring(self.seen, due)
            self.seen = max(due, self.seen)
        self.seen = max(moment, self.seen)
