"""Where a line of the log was lived."""

from android_bridge.device import Device
from collectors.config import CollectorsConfig
from collectors.context import Trigger
from collectors.phone_reader import PhoneReader
from collectors.source import PhoneValues
from collectors.sources.owner import PlaceSource
from heed.clock import Clock
from heed.errors import PersonError


class CurrentPlace:
    """The place of one phone, in the owner's words."""

    def __init__(self, device: Device, clock: Clock, config: CollectorsConfig) -> None:
        self._clock, self._phone, self._source = clock, PhoneReader(device, clock), PlaceSource(config)

    async def place(self) -> str:
        """``home``, ``work``, another place of the profile; empty where it is none of them or not known."""
        try:
            samples = await self._phone.read(self._source.needs)
            values = {reader: sample.value for reader, sample in samples.items()}
            found = await self._source.read(PhoneValues(self._clock.wall(), Trigger(kind="clock"), values))
        except PersonError:
            return ""
        return next((str(reading.value) for reading in found if reading.name == "place"), "")
