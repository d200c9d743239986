"""Pictures of the screen that belong to a run: what the owner or a model is shown."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from android_bridge.device import Device
from android_bridge.facts.hierarchy import Hierarchy
from heed.model import Frozen


class ScreenPicture(Frozen):
    """A stored picture, without secrets."""

    sha256: str
    path: str


class PictureTaker(Protocol):
    """Takes pictures of phones."""

    async def take(self, phone: Device, views: Callable[[], Awaitable[Hierarchy]]) -> ScreenPicture:
        """Takes and stores a picture of what is on the screen now, with secrets covered.

        Args:
            phone: the phone.
            views: reads the views on its screen; a helper may hold the phone's own way to do so.

        Raises ``DeviceError`` where no picture may be taken: an excluded app, a protected window, a password.
        """
