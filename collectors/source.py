"""The interface of sources: classes that turn values of the phone, a file or a library into facts.

Built-in sources and plug-ins register in the same way: an entry point in the group ``heed.collectors`` names an
iterable of ``Source`` classes. A source declares the readers it needs; a snapshot reads the needs of all sources
together and passes each source the values it asked for.
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
from collectors.context import Dimension, OtherKind, Trigger, TriggerKind
from heed.errors import PersonError, UsageError
from heed.messages import msg
from heed.trust import Trust

T = TypeVar("T")


class ReadingCost(StrEnum):
    """The cost of one reader on a phone."""

    QUICK = "quick"
    """Tens of milliseconds: ``dumpsys``, ``settings``, ``cmd``. All of them share one round trip."""
    SLOW = "slow"
    """Up to a second, because a Java process starts: ``content``. Each has a round trip of its own, in parallel."""


@dataclass(frozen=True)
class ReaderNeed(Generic[T]):
    """A reader that a source needs, and for how long its value may be cached."""

    reader: Reader[T]
    """The command and its parser (``android_bridge.facts``)."""
    fresh: float = 0.0
    """Seconds for which the value may be used again; 0 = read at every snapshot."""
    cost: ReadingCost = ReadingCost.QUICK
    refreshed_by: frozenset[TriggerKind | OtherKind] = frozenset()
    """Kinds of trigger (``Trigger.kind``) after which a cached value is read again."""


class Reading(NamedTuple):
    """One value that a source found; the snapshot redacts it and makes a ``Fact`` of it."""

    name: str
    """Dotted and stable, e.g. ``battery.level``; unique among all facts."""
    value: Any
    """A JSON value, independent of language; validated when it becomes a fact."""
    trust: Trust = Trust.DEVICE
    """Who could have written the value: the device, the owner or a third party."""
    confidence: float = 1.0
    """Probability that the value is correct, 0 to 1."""
    origin: str = ""
    """The file or library it comes from; empty = the commands of the readers that were used."""


class PhoneValues:
    """The values of a source's readers at one moment, with the time and the trigger of the snapshot.

    Args:
        now: the phone's wall clock, timezone-aware.
        trigger: the reason for the snapshot.
        values: the value of each reader, or the error of reading it.
    """

    def __init__(self, now: datetime, trigger: Trigger, values: dict[Reader[Any], Any | PersonError]) -> None:
        self.now, self.trigger = now, trigger
        self._values = values
        self.used: list[Reader[Any]] = []
        """The readers whose values were requested, in order; they become the origin of the facts."""

    def __getitem__(self, reader: Reader[T]) -> T:
        """The value of ``reader``.

        Raises:
            PersonError: the value could not be read; the snapshot then reports the source as missing.
            KeyError: the source does not declare the reader in ``needs``.
        """
        value = self._values[reader]
        if isinstance(value, PersonError):
            raise value
        if reader not in self.used:
            self.used.append(reader)
        return value  # type: ignore[no-any-return]

    def get(self, reader: Reader[T]) -> T | None:
        """The value of ``reader``, or None if it could not be read: for values that the source does not depend on."""
        return None if isinstance(self._values[reader], PersonError) else self[reader]


class Source(ABC):
    """One source of facts: created once per phone, and asked at each snapshot.

    Args:
        config: the collectors' configuration.
    """

    name: ClassVar[str]
    """Unique; used in ``CollectorsConfig.disabled`` and in ``Missing``."""
    dimension: ClassVar[Dimension]
    """The section of the context that its facts belong to."""
    needs: ClassVar[tuple[ReaderNeed[Any], ...]] = ()
    """The readers whose values ``read`` uses."""
    deadline: ClassVar[float] = 2.0
    """Seconds that ``read`` may take; the readers are not included."""

    def __init__(self, config: CollectorsConfig) -> None:
        self.config = config

    @abstractmethod
    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        """Read the facts of this source.

        Args:
            phone: the values of the readers in ``needs``.

        Returns:
            The readings in a stable order. A fact that does not apply (no alarm is set) has no reading.

        Raises:
            PersonError: something could not be read (``phone[...]`` raises it itself); never return a guess instead.
        """


def load_sources(config: CollectorsConfig) -> tuple[Source, ...]:
    """Creates every registered source that is not disabled: built-in ones first, then plug-ins by name.

    Raises:
        UsageError: ``config.disabled`` names an unknown source.
    """
    entries = sorted(entry_points(group="heed.collectors"), key=lambda entry: (entry.name != "builtin", entry.name))
    classes: list[type[Source]] = [source for entry in entries for source in entry.load()]
    known = {source.name for source in classes}
    if unknown := sorted(config.disabled - known):
        raise UsageError(
            msg("There is no source called {unknown!r} to switch off.", unknown=unknown[0]),
            msg("There are {known}.", known=sorted(known)),
        )
    return tuple(source(config) for source in classes if source.name not in config.disabled)
