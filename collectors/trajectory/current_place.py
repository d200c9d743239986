"""The place of the phone at the time of a log entry."""

from android_bridge.device import Device
from collectors.config import CollectorsConfig
from collectors.context import Trigger, TriggerKind
from collectors.phone_reader import PhoneReader
from collectors.source import PhoneValues
from collectors.sources.owner import PlaceSource
from heed.clock import Clock
from heed.errors import PersonError


class CurrentPlace:
    """Infers the current place of one phone."""

    def __init__(self, device: Device, clock: Clock, config: CollectorsConfig) -> None:
        self._clock, self._phone, self._source = clock, PhoneReader(device, clock), PlaceSource(config)

    async def place(self) -> str:
        """``home``, ``work`` or the label of another place of the profile; empty when it is none of them or unknown."""
        try:
            samples = await self._phone.read(self._source.needs)
            values = {reader: sample.value for reader, sample in samples.items()}
            found = await self._source.read(PhoneValues(self._clock.wall(), Trigger(kind=TriggerKind.CLOCK), values))
        except PersonError:
            return ""
        return next((str(reading.value) for reading in found if reading.name == "place"), "")
