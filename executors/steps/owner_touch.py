"""Watches whether the owner touches the screen while a run operates it: their touch always wins."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from android_bridge.device import Device
from android_bridge.events.touch import contacts
from heed.errors import DeviceError
from heed.messages import Text, message_of, msg

_START_S = 10.0
"""Deadline until the touch panel is read, seconds."""


class OwnerTouch:
    """Whether the owner has touched the screen since the run began."""

    def __init__(self) -> None:
        """Nothing is watched before ``watch_touches``."""
        self.touched = False
        self.unwatched: Text = ""
        """Why touches cannot be read (any more); empty while they are."""


@asynccontextmanager
async def watch_touches(device: Device) -> AsyncIterator[OwnerTouch]:
    """Watches the touch panel of a phone; begins when it is being read, or cannot be."""
    seen, ready = OwnerTouch(), asyncio.Event()
    task = asyncio.create_task(_follow(device, seen, ready))
    try:
        async with asyncio.timeout(_START_S):
            await ready.wait()
    except TimeoutError:
        seen.unwatched = msg("The touch panel did not answer.")
    try:
        yield seen
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _follow(device: Device, seen: OwnerTouch, ready: asyncio.Event) -> None:
    try:
        async with aclosing(contacts(device)) as touches:
            async for _ in touches:
                seen.touched = ready.is_set()
                ready.set()
    except DeviceError as error:
        seen.unwatched = message_of(error)
    finally:
        ready.set()
