"""Faults that tests switch on and off: of the adb connection, and restrictions of the phone's ROM."""

import asyncio
import math

_STEP = 0.05
"""Seconds after which a slow connection notices that the limit was lifted."""


class Faults:
    """The faults of one phone; none by default. Set an attribute or call a method to cause one."""

    def __init__(self) -> None:
        self.authorized = True
        """False: the owner has not accepted this computer (adb shows ``unauthorized``)."""
        self.offline = False
        """True: the phone accepts the connection and does not answer (adb shows ``offline``)."""
        self.bytes_per_second: float | None = None
        """Limit of the connection towards the host; None for no limit."""
        self.garbled: set[str] = set()
        """Names of the programs whose output is random bytes."""
        self.refuses_input = False
        """The ROM refuses injected touches and keys (Xiaomi, OPPO and realme until one more switch is set)."""
        self.refuses_settings = False
        """The ROM refuses changes of settings by the shell user."""
        self._thawed = asyncio.Event()
        self._thawed.set()
        self._drop_after: int | None = None

    def freeze(self) -> None:
        """Stop reading and answering; the connection stays open."""
        self._thawed.clear()

    def thaw(self) -> None:
        """End a freeze: go on where the phone stopped."""
        self._thawed.set()

    async def thawed(self) -> None:
        """Wait until the phone is not frozen."""
        await self._thawed.wait()

    async def slowed(self, size: int) -> None:
        """Wait as long as a connection with this limit takes for so many bytes."""
        while self.bytes_per_second is not None and size > 0:
            part = min(float(size), self.bytes_per_second * _STEP)
            await asyncio.sleep(part / self.bytes_per_second)
            size -= math.ceil(part)

    def drop_after(self, size: int) -> None:
        """Cut the connection once, after ``size`` more bytes were sent."""
        self._drop_after = size

    def allowance(self, size: int) -> int | None:
        """How many of ``size`` bytes may be sent before the connection is cut; None for all of them."""
        if self._drop_after is None:
            return None
        if self._drop_after >= size:
            self._drop_after -= size
            return None
        allowed, self._drop_after = self._drop_after, None
        return allowed
