"""Reads the view hierarchy of one phone, through uiautomator2's helper process or ``uiautomator dump``."""

import logging

from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY, Hierarchy
from android_bridge.ui import Ui
from heed.errors import DeviceError

log = logging.getLogger(__name__)

LOOK_S = 8.0
"""Deadline of reading the screen once, seconds: ``uiautomator dump`` waits until the screen is still."""


class Views:
    """Reads views by the cheapest allowed way.

    The dump starts a Java process on the phone each time. The helper answers in milliseconds but keeps running, and
    while it runs, no dump works, since Android lets one program at a time read views. It is used only if the owner
    allows heed to start it (``uses_helper``): one that another program started is never asked.
    """

    def __init__(self, device: Device, *, uses_helper: bool = False) -> None:
        self._device, self._uses_helper = device, uses_helper
        self._ui: Ui | None = None
        self._failed = False

    async def read(self) -> Hierarchy:
        """The views on the screen; ``DeviceError`` when the screen does not become still or has no views."""
        if self._uses_helper and not self._failed:
            try:
                return await self._helper().hierarchy()
            except DeviceError as error:
                # The dump is used instead; the failure is logged once and the helper not tried again.
                log.warning("%s: views are read without uiautomator2: %s", self._device.serial, error)
                await self.close()
                self._failed = True
        return await self._device.read(HIERARCHY, timeout=LOOK_S)

    async def close(self) -> None:
        """Stop the helper and remove it from the phone; the next ``read`` may start it again."""
        ui, self._ui, self._failed = self._ui, None, False
        if ui is not None:
            await ui.close()

    def _helper(self) -> Ui:
        if self._ui is None:
            self._ui = Ui(self._device, timeout=LOOK_S)
        return self._ui
