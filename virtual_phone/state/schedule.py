"""What happens on a phone by itself when its time comes: alarms, timers, reminders, the entries of a scenario.

However time passes (as it does, many times faster, or in one jump), each thing happens in the order of its time, and
while it does, the phone's clock shows just that time.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from virtual_phone.state.clock import VirtualClock


class Scheduled(Protocol):
    """Something of the phone that happens by itself."""

    def next_due(self, after: datetime) -> datetime | None:
        """The first moment at which something here is due; before ``after`` when it is late, None for never."""
        ...

    def ring(self, after: datetime, moment: datetime) -> None:
        """Let happen what is due at ``moment`` and was not yet at ``after``."""
        ...


class Schedule:
    """Everything of one phone that happens by itself."""

    def __init__(self, clock: VirtualClock, sources: Iterable[Scheduled]) -> None:
        self._clock, self._sources = clock, list(sources)
        self.seen = clock.wall()
        """Until when everything has happened."""

    def add(self, source: Scheduled) -> None:
        """From now on ``source`` happens too; at the same moment after those that were there before."""
        self._sources.append(source)

    def next_due(self) -> datetime | None:
        """The next moment at which something happens by itself."""
        return min((due for source in self._sources if (due := source.next_due(self.seen)) is not None), default=None)

    def catch_up(self) -> None:
        """Let happen what became due since the last look."""
        self._until(self._clock.wall())

    def pass_time(self, moment: datetime) -> None:
        """The clock is being set to ``moment``: what lies between happens on the way."""
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
