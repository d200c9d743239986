"""Touches that the owner makes on the live screen of the console, sent to the phone.

They are the owner's own: recorded as such before they are sent, never as an action of heed, and without where they
were. No touch is sent while the screen may not be shown: then nobody saw what would be touched.
"""

import asyncio
from typing import Annotated

from pydantic import Field

from agent.loop.environment import Environment
from android_bridge.device import Device
from android_bridge.facts.display import SCREEN_SIZE
from collectors.frames import FrameTaker, visible
from heed.model import Frozen

Share = Annotated[float, Field(ge=0.0, le=1.0)]
"""A place on the screen, as a share of its width or height."""
_TAP_SHARE = 0.015
"""A touch that moves by less, as a share of the screen, is a tap."""
_LONG_PRESS_MS = 500
"""A tap that is held this long is a long press (``ViewConfiguration.DEFAULT_LONG_PRESS_TIMEOUT`` is 400 ms)."""


class ScreenTouch(Frozen):
    """A finger that goes down at one place and up at another."""

    from_x: Share
    from_y: Share
    to_x: Share
    to_y: Share
    milliseconds: int = Field(ge=0, le=5000)

    @property
    def moves(self) -> bool:
        return max(abs(self.to_x - self.from_x), abs(self.to_y - self.from_y)) >= _TAP_SHARE

    @property
    def kind(self) -> str:
        """``tap``, ``long_press`` or ``swipe``."""
        if self.moves:
            return "swipe"
        return "long_press" if self.milliseconds >= _LONG_PRESS_MS else "tap"

    def command(self, width: int, height: int) -> str:
        """The shell line for a screen of this size in pixels.

        ``input swipe`` between the same two points holds the finger still (AOSP ``InputShellCommand.java``).
        """
        start = f"{_pixel(self.from_x, width)} {_pixel(self.from_y, height)}"
        if self.kind == "tap":
            return f"input tap {start}"
        end = f"{_pixel(self.to_x, width)} {_pixel(self.to_y, height)}" if self.moves else start
        return f"input swipe {start} {end} {max(self.milliseconds, 50)}"


class OwnerToucher:
    """Sends the owner's touches to one phone, one after the other."""

    def __init__(self, device: Device, environment: Environment) -> None:
        self._device, self._environment = device, environment
        self._taker = FrameTaker(device, environment.config.collectors.excluded_apps)
        self._turn = asyncio.Lock()

    async def send(self, touch: ScreenTouch) -> None:
        """Record and send a touch; ``NoFrameError`` while the screen may not be shown."""
        async with self._turn:
            picture = await asyncio.to_thread(visible, (await self._taker.take()).png)
            size = await self._device.read(SCREEN_SIZE)
            turned = (picture.width > picture.height) != (size.width > size.height)
            width, height = (size.height, size.width) if turned else (size.width, size.height)
            environment = self._environment
            at = environment.clock.wall()
            environment.stores.touches.record(environment.phone.id, self._device.serial, at, touch.kind)
            await self._device.shell(touch.command(width, height))


def _pixel(share: float, length: int) -> int:
    return min(length - 1, round(share * length))
