"""Reads the needs of all sources from the phone in few round trips.

Quick readers share one round trip; slow ones run in parallel to it. If the shared one times out, each of its readers
is tried alone. A reader that timed out alone is not tried again for ``REST_S`` seconds, and then has a round trip of
its own until it answers again.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from android_bridge.device import Device
from android_bridge.facts.reader import Reader, UnreadableError
from collectors.source import ReaderNeed, ReadingCost
from heed.clock import Clock
from heed.errors import DeviceError, PersonError

TOGETHER_S = 2.5
"""Deadline of the round trip that quick readers share, seconds."""
ALONE_S = {ReadingCost.QUICK: 1.5, ReadingCost.SLOW: 4.0}
"""Deadline of one reader alone, seconds."""


REST_S = 60.0
"""A reader that timed out is not tried again for this long, seconds; its error is returned in the meantime."""
PROBE = "true"
"""Command to test whether the phone answers at all."""


class Sample(NamedTuple):
    """The result of one reader: a value, or the error in its place."""

    value: Any
    monotonic: float
    """Time of reading on the host's monotonic clock, seconds."""

    @property
    def failed(self) -> bool:
        return isinstance(self.value, PersonError)


class PhoneReader:
    """Reads one phone and caches values for as long as the needs allow."""

    def __init__(self, device: Device, clock: Clock) -> None:
        self._device, self._clock = device, clock
        self._samples: dict[Reader[Any], Sample] = {}
        self._hung: set[Reader[Any]] = set()

    def forget(self, needs: Iterable[ReaderNeed[Any]]) -> None:
        """Drop the cached values of these needs."""
        for need in needs:
            self._samples.pop(need.reader, None)

    async def read(self, needs: Sequence[ReaderNeed[Any]]) -> Mapping[Reader[Any], Sample]:
        """A sample for each need; ``DeviceError`` when the phone itself does not answer."""
        due = {need.reader: need.cost for need in needs if not self._is_fresh(need)}
        together = [reader for reader, cost in due.items() if cost is ReadingCost.QUICK and reader not in self._hung]
        alone = [reader for reader in due if reader not in together]
        batches = [self._together(together)] + [self._alone(reader, due[reader]) for reader in alone]
        for found in await asyncio.gather(*batches):
            self._samples |= found
        if due and all(_is_unanswered(self._samples[reader].value) for reader in due):
            await self._probe(due)
        return {need.reader: self._samples[need.reader] for need in needs}

    async def _probe(self, unanswered: Iterable[Reader[Any]]) -> None:
        """Raise ``DeviceError`` if the whole phone does not answer, and not just these readers."""
        try:
            await self._device.shell(PROBE, timeout=ALONE_S[ReadingCost.QUICK])
        except DeviceError:
            for reader in unanswered:
                self._samples.pop(reader)
            self._hung.difference_update(unanswered)
            raise

    def _is_fresh(self, need: ReaderNeed[Any]) -> bool:
        sample = self._samples.get(need.reader)
        if sample is None or isinstance(sample.value, UnreadableError):
            return False
        limit = REST_S if _is_unanswered(sample.value) else need.fresh
        return self._clock.monotonic() - sample.monotonic < limit

    async def _together(self, readers: Sequence[Reader[Any]]) -> dict[Reader[Any], Sample]:
        if not readers:
            return {}
        try:
            values = await self._device.read_many(readers, timeout=TOGETHER_S)
        except DeviceError:
            found = await asyncio.gather(*(self._alone(reader, ReadingCost.QUICK) for reader in readers))
            return {reader: sample for one in found for reader, sample in one.items()}
        return {reader: self._sample(value) for reader, value in zip(readers, values, strict=True)}

    async def _alone(self, reader: Reader[Any], cost: ReadingCost) -> dict[Reader[Any], Sample]:
        try:
            value = await self._device.read(reader, timeout=ALONE_S[cost])
        except DeviceError as error:
            value = error
        if _is_unanswered(value):
            self._hung.add(reader)
        else:
            self._hung.discard(reader)
        return {reader: self._sample(value)}

    def _sample(self, value: Any) -> Sample:
        return Sample(value, self._clock.monotonic())


def _is_unanswered(value: Any) -> bool:
    """Whether the phone did not answer, in contrast to an answer that could not be parsed."""
    return isinstance(value, DeviceError) and not isinstance(value, UnreadableError)
