"""Reads the views of the screen, except where excluded apps or protected windows forbid it."""

from enum import StrEnum
from typing import NamedTuple

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.hierarchy import Hierarchy
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.facts.settings import setting
from android_bridge.facts.windows import SECURE_WINDOWS
from collectors.trajectory.target import has_password
from collectors.trajectory.views import LOOK_S, Views
from heed.errors import DeviceError
from heed.redaction import holds_secret

KEYBOARD: Reader[str | None] = setting("secure", "default_input_method")


class HiddenReason(StrEnum):
    """Why the screen must not be read."""

    NO = ""
    ASLEEP = "asleep"
    """The screen is off or locked, or it is not known whether it is."""
    PRIVATE = "private"
    """An excluded app is in the foreground."""
    PROTECTED = "protected"
    """The window is protected: neither its picture nor its views are read."""


class ScreenObservation(NamedTuple):
    """The result of reading the screen once."""

    hidden: HiddenReason
    package: str = ""
    """The app in the foreground, where it may be named."""
    tree: Hierarchy | None = None
    """The view hierarchy; None if it must not or could not be read."""
    keyboard: str = ""
    """Package of the phone's keyboard."""

    @property
    def withheld(self) -> str:
        """Why no picture may be taken of this screen; empty when it is allowed."""
        if self.hidden is not HiddenReason.NO:
            return f"The screen is {self.hidden}."
        if self.tree is not None and has_password(self.tree):
            return "A password field is on the screen."
        if self.tree is not None and holds_secret(self.tree.texts()):
            return "A code, card or key is on the screen."
        return ""


class ScreenObserver:
    """Reads one phone's screen."""

    def __init__(self, device: Device, excluded: frozenset[str], views: Views) -> None:
        self._device, self._excluded, self._views = device, excluded, views

    async def observe(self) -> ScreenObservation:
        """Reads the current screen; ``DeviceError`` when the phone does not answer."""
        before = await self._front()
        if before.hidden is not HiddenReason.NO:
            return before
        try:
            tree = await self._views.read()
        except DeviceError:  # the screen did not hold still, or shows no views
            return before
        # Another app may have come to the front in the meantime.
        after = await self._front()
        return before._replace(tree=tree) if after == before else after

    async def _front(self) -> ScreenObservation:
        readers = (ACTIVITIES, POWER, SECURE_WINDOWS, KEYBOARD)
        activities, power, secure, keyboard = await self._device.read_many(readers, timeout=LOOK_S)
        if isinstance(activities, UnreadableError) or isinstance(power, UnreadableError) or not power.awake:
            return ScreenObservation(HiddenReason.ASLEEP)
        app = activities.foreground
        if activities.locked or app is None:
            return ScreenObservation(HiddenReason.ASLEEP)
        if app.package in self._excluded:
            return ScreenObservation(HiddenReason.PRIVATE)
        title = f"{app.package}/{app.activity}"
        if not isinstance(secure, UnreadableError) and {title, activities.focus} & secure:
            return ScreenObservation(HiddenReason.PROTECTED, app.package)
        known = None if isinstance(keyboard, UnreadableError) else keyboard
        return ScreenObservation(HiddenReason.NO, app.package, keyboard=(known or "").partition("/")[0])
