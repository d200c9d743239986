"""What every source is: one small class that turns readings of the phone, a file or a library into facts.

Built-ins and plug-ins register alike, as an iterable of ``Source`` classes in the entry-point group
``heed.collectors``. A source declares what it needs from the phone; the snapshot reads the needs of all sources
together and hands each source what it asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from android_bridge.facts.reader import Reader
from collectors.config import CollectorsConfig
from collectors.context import Dimension, Trigger
from heed.errors import PersonError, UsageError
from heed.messages import msg
from heed.trust import Trust

T = TypeVar("T")


class Cost(StrEnum):
    """What one reading costs on a phone."""

    QUICK = "quick"
    """Tens of milliseconds: ``dumpsys``, ``settings``, ``cmd``; all of them share one round trip."""
    SLOW = "slow"
    """Up to a second, because a Java process starts: ``content``; each has a round trip of its own, side by side."""


@dataclass(frozen=True)
class Need(Generic[T]):
    """Something to read from the phone, and how long what was read may be used again."""

    reader: Reader[T]
    fresh: float = 0.0
    """Seconds."""
    cost: Cost = Cost.QUICK
    refreshed_by: frozenset[str] = frozenset()
    """Kinds of trigger after which it is read again, fresh or not."""


class Reading(NamedTuple):
    """One thing that a source found; the snapshot redacts it and makes a ``Fact`` of it."""

    name: str
    value: Any
    """JSON; checked when it becomes a fact."""
    trust: Trust = Trust.DEVICE
    confidence: float = 1.0
    origin: str = ""
    """File or library; empty = the commands whose readings were used."""


class Seen:
    """The phone as one source may see it at one moment."""

    def __init__(self, now: datetime, trigger: Trigger, values: dict[Reader[Any], Any | PersonError]) -> None:
        self.now, self.trigger = now, trigger
        """The phone's wall clock, timezone-aware; and what made us look."""
        self._values = values
        self.used: list[Reader[Any]] = []
        """The readers whose values were asked for, in order."""

    def __getitem__(self, reader: Reader[T]) -> T:
        """What ``reader`` read; raises the error that reading it gave."""
        value = self._values[reader]
        if isinstance(value, PersonError):
            raise value
        if reader not in self.used:
            self.used.append(reader)
        return value  # type: ignore[no-any-return]

    def get(self, reader: Reader[T]) -> T | None:
        """What ``reader`` read; None when it could not be read: for what a source can do without."""
        return None if isinstance(self._values[reader], PersonError) else self[reader]


class Source(ABC):
    """One source of facts. It is made once with the configuration and asked at each snapshot."""

    name: ClassVar[str]
    """Unique; ``CollectorsConfig.disabled`` and ``Missing`` name it."""
    dimension: ClassVar[Dimension]
    needs: ClassVar[tuple[Need[Any], ...]] = ()
    deadline: ClassVar[float] = 2.0
    """Seconds that ``read`` may take; what it needs from the phone was read before."""

    def __init__(self, config: CollectorsConfig) -> None:
        self.config = config

    @abstractmethod
    async def read(self, seen: Seen) -> Iterable[Reading]:
        """The facts, in a stable order.

        Whatever cannot be read is raised as a ``heed.errors.PersonError`` (``Seen`` does so by itself) and never
        replaced by a guess; what is simply not there has no reading.
        """


def load_sources(config: CollectorsConfig) -> tuple[Source, ...]:
    """Every registered source that is not switched off: built-ins first, then plug-ins by name."""
    entries = sorted(entry_points(group="heed.collectors"), key=lambda entry: (entry.name != "builtin", entry.name))
    classes: list[type[Source]] = [source for entry in entries for source in entry.load()]
    known = {source.name for source in classes}
    if unknown := sorted(config.disabled - known):
        raise UsageError(
            msg("There is no source called {unknown!r} to switch off.", unknown=unknown[0]),
            msg("There are {known}.", known=sorted(known)),
        )
    return tuple(source(config) for source in classes if source.name not in config.disabled)
