"""The views of one phone's screen, by the cheaper of the two ways that Android offers."""

import logging

from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY, Hierarchy
from android_bridge.ui import Ui
from heed.errors import DeviceError

log = logging.getLogger(__name__)

LOOK_S = 8.0
"""Deadline of one look, seconds: ``uiautomator dump`` waits until the screen is still."""
HELPER = "tcp:9008"
"""Where uiautomator2's helper listens on the phone."""


class Views:
    """Reads them through uiautomator2's helper process, or through ``uiautomator dump``.

    The dump starts a Java process on the phone for each look. The helper answers in milliseconds but keeps running,
    and while it runs, no dump works: Android lets one program at a time read views. So the helper is asked where it
    runs already, or where the owner lets heed start it (``starts_helper``).
    """

    def __init__(self, device: Device, *, starts_helper: bool = False) -> None:
        self._device, self._starts_helper = device, starts_helper
        self._ui: Ui | None = None
        self._failed = False

    async def read(self) -> Hierarchy:
        """What is on the screen; ``DeviceError`` when it does not hold still, or shows no views."""
        if not self._failed and (self._starts_helper or await self._helper_runs()):
            try:
                return await self._helper().hierarchy()
            except DeviceError as error:
                # One way is enough, and the person has nothing to do: it is told once, and not tried again.
                self._failed = True
                log.info("%s: views are read without uiautomator2: %s", self._device.serial, error)
        return await self._device.read(HIERARCHY, timeout=LOOK_S)

    async def close(self) -> None:
        """End the helper that this started; the next reading begins anew."""
        ui, self._ui, self._failed = self._ui, None, False
        if ui is not None:
            await ui.close()

    def _helper(self) -> Ui:
        if self._ui is None:
            self._ui = Ui(self._device, timeout=LOOK_S)
        return self._ui

    async def _helper_runs(self) -> bool:
        try:
            async with self._device.server.open(f"host:transport:{self._device.serial}", HELPER):
                return True
        except DeviceError:
            return False
