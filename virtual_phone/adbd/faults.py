"""Faults on demand, switched on and off by tests and scenarios: of the line, and of what the phone's ROM allows."""

import asyncio
import math

_STEP = 0.05
"""Seconds: how soon a slow line notices that it is slow no more."""


class Faults:
    """What is wrong with the phone; all well by default."""

    def __init__(self) -> None:
        self.authorized = True
        """False: the person has not accepted this computer (adb shows ``unauthorized``)."""
        self.offline = False
        """True: the phone takes the connection and says nothing (adb shows ``offline``)."""
        self.bytes_per_second: float | None = None
        """How much the line carries towards the host; None for as much as it can."""
        self.garbled: set[str] = set()
        """Commands of which the output is noise."""
        self.refuses_input = False
        """The ROM lets no program inject touches and keys (Xiaomi, OPPO and realme before one more switch is set)."""
        self.refuses_settings = False
        """The ROM lets the shell user change no settings."""
        self._thawed = asyncio.Event()
        self._thawed.set()
        self._drop_after: int | None = None

    def freeze(self) -> None:
        """Stop reading and answering; the line stays up."""
        self._thawed.clear()

    def thaw(self) -> None:
        """Go on where it stopped."""
        self._thawed.set()

    async def thawed(self) -> None:
        """Wait until the phone is not frozen."""
        await self._thawed.wait()

    async def slowed(self, size: int) -> None:
        """Wait as long as the line takes for so many bytes."""
        while self.bytes_per_second is not None and size > 0:
            part = min(float(size), self.bytes_per_second * _STEP)
            await asyncio.sleep(part / self.bytes_per_second)
            size -= math.ceil(part)

    def drop_after(self, size: int) -> None:
        """Cut the line once ``size`` more bytes were sent; one time."""
        self._drop_after = size

    def allowance(self, size: int) -> int | None:
        """How many of ``size`` bytes may still be sent before the line is cut; None for all of them."""
        if self._drop_after is None:
            return None
        if self._drop_after >= size:
            self._drop_after -= size
            return None
        allowed, self._drop_after = self._drop_after, None
        return allowed
