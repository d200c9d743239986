"""Reads and operates the screen: through uiautomator2's helper, or with Android's own commands where it is refused.

Both give the same views. The helper is faster and types any script; ``uiautomator dump`` takes seconds, and
``input text`` types ASCII only.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.facts.display import SCREEN_SIZE
from android_bridge.facts.hierarchy import HIERARCHY, Hierarchy, Node
from android_bridge.ui import FOCUSED, Direction, Key, Selector, Ui, swipe_points
from heed.errors import DeviceError, DeviceLostError
from heed.messages import msg

log = logging.getLogger(__name__)

Point = tuple[int, int]
_LOOK_S = 8.0
"""Deadline of one reading, seconds: ``uiautomator dump`` waits until the screen is still."""
_LONG_MS, _SWIPE_MS = 800, 300
_KEYCODES = {Key.BACK: 4, Key.HOME: 3, Key.ENTER: 66}
"""``android.view.KeyEvent`` codes."""


class ScreenDriver(Protocol):
    """Reads and operates one phone's screen; points are pixels. Calls raise ``DeviceError`` when the phone refuses."""

    async def views(self) -> Hierarchy:
        """Returns the views on the screen."""

    async def tap(self, point: Point) -> None:
        """Taps a point."""

    async def long_press(self, point: Point) -> None:
        """Presses a point for 0.8 seconds."""

    async def swipe(self, direction: Direction) -> None:
        """Scrolls by about half a screen."""

    async def press(self, key: Key) -> None:
        """Presses Back, Home or Enter."""

    async def enter(self, text: str, field: Node, alone: bool) -> None:
        """Replaces the text of a field.

        Args:
            text: the new text.
            field: the field, as ``views`` returned it.
            alone: whether no other view has its resource id.
        """


class HelperDriver:
    """Through uiautomator2's helper."""

    def __init__(self, ui: Ui) -> None:
        """Args: ``ui`` is closed by whoever opened it."""
        self._ui = ui

    async def views(self) -> Hierarchy:
        """Returns the views of the focused window and of those over it."""
        return await self._ui.hierarchy()

    async def tap(self, point: Point) -> None:
        """Taps a point."""
        await self._ui.tap(*point)

    async def long_press(self, point: Point) -> None:
        """Presses a point for 0.8 seconds."""
        await self._ui.long_tap(*point, seconds=_LONG_MS / 1000)

    async def swipe(self, direction: Direction) -> None:
        """Scrolls by about half a screen."""
        await self._ui.scroll(direction)

    async def press(self, key: Key) -> None:
        """Presses a key."""
        await self._ui.press(key)

    async def enter(self, text: str, field: Node, alone: bool) -> None:
        """Sets the text through the accessibility service: no keyboard opens where the field is found by its id."""
        if alone and field.resource_id:
            chosen = Selector(resource_id=field.resource_id, class_name=field.class_name, package=field.package)
            await self._ui.enter_text(text, chosen)
            return
        await self._ui.tap(*field.bounds.center)
        await self._ui.enter_text(text, FOCUSED)


class ShellDriver:
    """Through ``uiautomator dump`` and ``input`` (AOSP, ``cmds/uiautomator`` and ``cmds/input``)."""

    def __init__(self, device: Device) -> None:
        """Args: ``device`` is the phone."""
        self._device = device

    async def views(self) -> Hierarchy:
        """Returns the views of the active window."""
        return await self._device.read(HIERARCHY, timeout=_LOOK_S)

    async def tap(self, point: Point) -> None:
        """Taps a point."""
        await self._input(f"tap {point[0]} {point[1]}")

    async def long_press(self, point: Point) -> None:
        """Presses a point for 0.8 seconds."""
        await self._input(f"swipe {point[0]} {point[1]} {point[0]} {point[1]} {_LONG_MS}")

    async def swipe(self, direction: Direction) -> None:
        """Scrolls by about half a screen."""
        size = await self._device.read(SCREEN_SIZE)
        (x, y), (to_x, to_y) = swipe_points(direction, size.width, size.height)
        await self._input(f"swipe {x} {y} {to_x} {to_y} {_SWIPE_MS}")

    async def press(self, key: Key) -> None:
        """Presses a key."""
        await self._input(f"keyevent {_KEYCODES[key]}")

    async def enter(self, text: str, field: Node, alone: bool) -> None:
        """Touches the field and types; refuses what ``input text`` cannot type (it reads ``%s`` as a blank)."""
        if not text.isascii() or not text.isprintable() or "%s" in text:
            raise DeviceError(
                msg("Android's own `input` cannot type “{text}”.", text=text[:60]),
                msg("Allow uiautomator2's helper on the phone."),
            )
        await self.tap(field.bounds.center)
        await self._input(f"text {quote(text.replace(' ', '%s'))}")

    async def _input(self, arguments: str) -> None:
        result = await self._device.shell(f"input {arguments}")
        if result.rejected:
            raise DeviceError(msg("The phone refused a touch: {reason}.", reason=result.rejected))


@asynccontextmanager
async def open_driver(device: Device, *, with_helper: bool = True) -> AsyncIterator[ScreenDriver]:
    """The driver of a phone: the helper's, or the one of Android's commands where the helper is refused.

    Afterwards the helper is stopped and its program removed from the phone.

    Args:
        device: the phone.
        with_helper: whether the helper may be started; a single look is not worth copying it to the phone.
    """
    if not with_helper:
        yield ShellDriver(device)
        return
    ui = Ui(device)
    try:
        yield await _working(device, ui)
    finally:
        await ui.close()


async def _working(device: Device, ui: Ui) -> ScreenDriver:
    try:
        await ui.hierarchy()
    except DeviceLostError:
        raise
    except DeviceError as error:
        log.warning("%s: the screen is operated without uiautomator2: %s", device.serial, error)
        return ShellDriver(device)
    return HelperDriver(ui)
