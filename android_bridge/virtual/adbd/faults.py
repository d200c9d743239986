"""Faults of the phone's end of the line, switched on and off by tests and scenarios."""

import asyncio


class Faults:
    """What is wrong with the connection; all well by default."""

    def __init__(self) -> None:
        self.authorized = True
        """False: the person has not accepted this computer (adb shows ``unauthorized``)."""
        self.offline = False
        """True: the phone takes the connection and says nothing (adb shows ``offline``)."""
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
