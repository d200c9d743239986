"""Takes snapshots: reads all sources at one moment into a ``Context``."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.reader import Reader
from android_bridge.frames import Screenshot
from collectors.config import CollectorsConfig
from collectors.context import Context, Dimension, Fact, Missing, OtherKind, Section, Trigger, TriggerKind
from collectors.frames import Album
from collectors.limits import clean_fields, clean_value
from collectors.phone_reader import PhoneReader, Sample
from collectors.place import UNKNOWN
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from heed.clock import PhoneClock
from heed.errors import PersonError
from heed.messages import message_of, msg
from heed.redaction import redact_text

JUMP_S = 60.0
"""A difference of the phone's clock, in seconds, after which cached values are read again: the clock was set."""
_LONG_COMMAND = 80

log = logging.getLogger(__name__)


class _Found(NamedTuple):
    dimension: Dimension
    facts: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()


class Snapshotter:
    """Takes snapshots of one phone, one at a time."""

    def __init__(
        self,
        device: Device,
        sources: Sequence[Source],
        clock: PhoneClock,
        config: CollectorsConfig | None = None,
        *,
        album: Album | None = None,
    ) -> None:
        """Create a snapshotter.

        Args:
            device: the phone.
            sources: asked at each snapshot, in the order of their facts.
            clock: of the phone; set at each snapshot.
            config: the collectors' configuration; None = the defaults.
            album: stores the pictures of the screen; pass the recorder's where there is one.
        """
        self._device, self._sources, self._clock = device, sources, clock
        self._album = album or Album(device, config or CollectorsConfig())
        self._phone = PhoneReader(device, clock)
        self._needs: tuple[ReaderNeed[Any], ...] = (
            ReaderNeed(CLOCK),
            *(need for source in sources for need in source.needs),
        )
        self._last: datetime | None = None
        self._turn = asyncio.Lock()

    @property
    def serial(self) -> str:
        return self._device.serial

    def refresh(self, kind: TriggerKind | OtherKind) -> None:
        """Mark the values that a trigger of this kind makes outdated; the next snapshot reads them again."""
        self._phone.forget(need for need in self._needs if kind in need.refreshed_by)

    async def snapshot(self, trigger: Trigger | None = None) -> Context:
        """Reads all sources; facts that could not be read are in ``Section.missing``.

        Args:
            trigger: the reason for the snapshot; None = the clock.

        Raises:
            DeviceError: the phone does not answer (``DeviceLostError`` if the connection was lost).
        """
        trigger = trigger or Trigger(kind=TriggerKind.CLOCK)
        async with self._turn:
            self.refresh(trigger.kind)
            picture = asyncio.create_task(self._picture())
            try:
                return await self._look(trigger, picture)
            finally:
                picture.cancel()

    async def _look(self, trigger: Trigger, picture: asyncio.Task[Screenshot | Missing | None]) -> Context:
        samples, unclear = await self._read()
        self._last = now = self._clock.wall()
        found = await asyncio.gather(*(self._ask(source, trigger, samples, now) for source in self._sources))
        unseen = await self._keep(await picture, now)
        return self._context(trigger, now, [_Found(Dimension.DEVICE, missing=(*unclear, *unseen)), *found])

    async def _read(self) -> tuple[Mapping[Reader[Any], Sample], tuple[Missing, ...]]:
        """Reads the needs of all sources and sets the clock to the phone's."""
        expected = self._clock.wall()
        samples = dict(await self._phone.read(self._needs))
        shown = samples[CLOCK].value
        if isinstance(shown, PersonError):
            return samples, (Missing(name="clock", reason=message_of(shown)),)
        self._clock.set(shown)
        if self._last and abs((shown - expected).total_seconds()) > JUMP_S:
            aged = [need for need in self._needs if need.fresh]
            self._phone.forget(aged)
            samples |= await self._phone.read(aged)
        return samples, ()

    async def _ask(
        self, source: Source, trigger: Trigger, samples: Mapping[Reader[Any], Sample], now: datetime
    ) -> _Found:
        phone = PhoneValues(now, trigger, {need.reader: samples[need.reader].value for need in source.needs})
        try:
            async with asyncio.timeout(source.deadline):
                readings = tuple(await source.read(phone))
            age = max((self._clock.monotonic() - samples[reader].monotonic for reader in phone.used), default=0.0)
            origin = ", ".join(map(_origin, phone.used)) or source.name
            read_at = now - timedelta(seconds=round(age))
            return _Found(source.dimension, tuple(_fact(reading, origin, read_at) for reading in readings))
        except PersonError as error:
            reason = message_of(error)
        except TimeoutError:
            reason = msg("It was not ready within {deadline:g} s.", deadline=source.deadline)
        except Exception as error:
            # A bug in one source, most likely a plug-in, must not affect the others.
            log.exception("source %s failed", source.name)
            reason = msg("The source has a mistake ({error}).", error=type(error).__name__)
        return _Found(source.dimension, missing=(Missing(name=source.name, reason=redact_text(reason)),))

    async def _picture(self) -> Screenshot | Missing | None:
        if not self._album.enabled:
            return None
        try:
            return await self._album.take()
        except PersonError as error:
            return Missing(name="frame", reason=message_of(error))

    async def _keep(self, picture: Screenshot | Missing | None, now: datetime) -> tuple[Missing, ...]:
        if not isinstance(picture, Screenshot):
            return (picture,) if picture else ()
        try:
            await self._album.keep(picture, now)
        except PersonError as error:
            return (Missing(name="frame", reason=message_of(error)),)
        return ()

    def _context(self, trigger: Trigger, now: datetime, found: Sequence[_Found]) -> Context:
        sections = {dimension.value: _section(found, dimension) for dimension in Dimension}
        context = Context(
            serial=self.serial,
            phone=self._device.identity.id if self._device.identity else "",
            now=now,
            trigger=trigger.model_copy(update={"data": clean_fields(trigger.data)}),
            frames=self._album.recent(now),
            **sections,
        )
        return context.model_copy(update={"place": context.value("place", UNKNOWN)})


def _section(found: Sequence[_Found], dimension: Dimension) -> Section:
    mine = [one for one in found if one.dimension is dimension]
    facts = tuple(fact for one in mine for fact in one.facts)
    return Section(facts=facts, missing=tuple(missing for one in mine for missing in one.missing))


def _origin(reader: Reader[Any]) -> str:
    return reader.command if len(reader.command) <= _LONG_COMMAND else reader.name


def _fact(reading: Reading, origin: str, read_at: datetime) -> Fact:
    return Fact(
        name=reading.name,
        value=clean_value(reading.value),
        source=reading.origin or origin,
        read_at=read_at,
        trust=reading.trust,
        confidence=reading.confidence,
    )
