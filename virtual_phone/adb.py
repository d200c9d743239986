"""What a virtual phone needs of the adb server that it is connected to."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol


class AdbHost(Protocol):
    """An adb server, running. heed's ``android_bridge.adb.AdbServer`` is one; ``LocalAdbServer`` needs no heed."""

    async def connect(self, address: str) -> None:
        """Have the server connect to a network phone (``host:port``)."""

    async def disconnect(self, address: str) -> None:
        """Have the server drop one network phone."""

    async def register_emulator(self, port: int) -> None:
        """Have the server look for an emulator whose adbd listens on ``port``."""

    def track(self) -> AsyncGenerator[Sequence[tuple[str, str]], None]:
        """The phones as (serial, state), now and again after each change."""
