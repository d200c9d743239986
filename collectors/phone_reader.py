"""Reads what all sources need from the phone: together, in few round trips, and nobody waits for a slow one.

Quick readings share one round trip; slow ones run beside it. If the shared one does not come back in time, each of
its readings is tried alone. One that hung is left alone for a while, and then has a round trip of its own until it
answers again.
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
"""Deadline of the round trip that quick readings share, seconds."""
ALONE_S = {ReadingCost.QUICK: 1.5, ReadingCost.SLOW: 4.0}
"""Deadline of one reading alone, seconds."""


REST_S = 60.0
"""A reading that hung is not tried again for so long, seconds; its error stands in the meantime."""
PROBE = "true"
"""What a phone that is there answers when nothing else was."""


class Sample(NamedTuple):
    """What one reading gave: a value, or the error in its place."""

    value: Any
    monotonic: float
    """When it was read, on the host's monotonic clock, seconds."""

    @property
    def failed(self) -> bool:
        return isinstance(self.value, PersonError)


class PhoneReader:
    """Reads one phone and keeps values while they are fresh."""

    def __init__(self, device: Device, clock: Clock) -> None:
        self._device, self._clock = device, clock
        self._samples: dict[Reader[Any], Sample] = {}
        self._hung: set[Reader[Any]] = set()

    def forget(self, needs: Iterable[ReaderNeed[Any]]) -> None:
        """Read these again next time, however fresh they are."""
        for need in needs:
            self._samples.pop(need.reader, None)

    async def read(self, needs: Sequence[ReaderNeed[Any]]) -> Mapping[Reader[Any], Sample]:
        """A sample for each need; raises ``DeviceError`` when the phone itself is gone or does not answer."""
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
        """Raise ``DeviceError`` if it is not these readings that do not answer but the whole phone."""
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
    """Whether the phone gave no answer, as opposed to one that was not understood."""
    return isinstance(value, DeviceError) and not isinstance(value, UnreadableError)
