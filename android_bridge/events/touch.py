"""The owner's touch gestures, from the kernel's input events; gestures that heed performs are not among them.

``input``, uiautomator and accessibility services inject their events above the kernel, so ``getevent`` shows the
owner's touches only. Two protocols are supported (Linux' ``multi-touch-protocol.rst``): contacts in slots, and one
contact between ``BTN_TOUCH DOWN`` and ``UP``. The former is confirmed by a capture of an emulator (Android 16).
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.facts.display import SCREEN_SIZE, ScreenSize
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.touch import TOUCH_PANELS, RawEvent, TouchPanel, parse_raw_event
from heed.errors import DeviceLostError
from heed.messages import msg
from heed.model import Frozen

Point = tuple[int, int]
_LIFTED = "ffffffff"
"""The tracking id that ends a contact."""
_TIMEOUT = 10.0


class Gesture(Frozen):
    """From the first finger down to the last finger up; points in pixels of the screen's natural orientation."""

    start: Point
    end: Point
    """Where the first finger was lifted."""
    seconds: float
    fingers: int
    """The highest number of fingers at the same time."""
    screen: tuple[int, int]
    """Width and height of the screen in its natural orientation, pixels."""

    def turned(self, rotation: int) -> "Gesture":
        """Returns the gesture in the coordinates of a screen turned by ``rotation`` quarter turns."""
        return self.model_copy(
            update={"start": self._seen(self.start, rotation), "end": self._seen(self.end, rotation)}
        )

    def _seen(self, point: Point, rotation: int) -> Point:
        (x, y), (width, height) = point, self.screen
        return [(x, y), (y, width - 1 - x), (width - 1 - x, height - 1 - y), (height - 1 - y, x)][rotation % 4]


class GestureBuilder:
    """Builds the gestures of one panel from its events."""

    def __init__(self, panel: TouchPanel, size: ScreenSize) -> None:
        self._panel, self._size = panel, size
        self._slot = 0
        # The kernel reports changes only: a finger that touches where the last one was has no position event.
        self._x: dict[int, int] = {}
        self._y: dict[int, int] = {}
        self._down: set[int] = set()
        self._began: float | None = None
        self._first = 0
        self._start: Point | None = None
        self._most = 0

    def feed(self, event: RawEvent) -> Gesture | None:
        """Processes the next event and returns the gesture that it completes."""
        match event.code:
            case "ABS_MT_SLOT":
                self._slot = _number(event.value)
            case "ABS_MT_POSITION_X":
                self._x[self._slot] = _number(event.value)
            case "ABS_MT_POSITION_Y":
                self._y[self._slot] = _number(event.value)
            case "ABS_MT_TRACKING_ID" if event.value == _LIFTED:
                self._down.discard(self._slot)
            case "ABS_MT_TRACKING_ID":
                self._put_down(self._slot, event.seconds)
            case "BTN_TOUCH" if event.value == "UP":
                self._down.clear()
            case "BTN_TOUCH" if not self._down:
                self._put_down(0, event.seconds)
            case "SYN_REPORT":
                return self._settle(event.seconds)
        return None

    def _put_down(self, slot: int, seconds: float) -> None:
        if self._began is None:
            self._began, self._first, self._most = seconds, slot, 0
        self._down.add(slot)
        self._most = max(self._most, len(self._down))

    def _settle(self, seconds: float) -> Gesture | None:
        """Evaluates a complete report; only then are the positions consistent."""
        if self._began is None:
            return None
        if self._start is None:
            self._start = self._point()
        if self._down:
            return None
        began, start, end = self._began, self._start, self._point()
        self._began = self._start = None
        if start is None or end is None:
            return None
        screen = (self._size.width, self._size.height)
        return Gesture(start=start, end=end, seconds=max(0.0, seconds - began), fingers=self._most, screen=screen)

    def _point(self) -> Point | None:
        x, y = self._x.get(self._first), self._y.get(self._first)
        if x is None or y is None:
            return None
        return self._panel.x.scaled(x, self._size.width), self._panel.y.scaled(y, self._size.height)


def _number(value: str) -> int:
    """Returns the signed 32-bit number; 0 for the words of a key."""
    number = int(value, 16) if value not in ("DOWN", "UP") else 0
    return number - (1 << 32) if number >= 1 << 31 else number


async def gestures(device: Device, reading: asyncio.Event | None = None) -> AsyncGenerator[Gesture, None]:
    """Yields the owner's gestures from now on, each when its last finger is lifted.

    Args:
        device: the phone.
        reading: set when the touch panel is being read.

    Ends with ``DeviceLostError``; raises ``UnreadableError`` when the phone lists no touch panel. Use
    ``contextlib.aclosing``.
    """
    panels, size = await device.read_many([TOUCH_PANELS, SCREEN_SIZE], timeout=_TIMEOUT)
    for found in (panels, size):
        if isinstance(found, UnreadableError):
            raise found
    if not panels:
        raise UnreadableError(msg("{serial} shows no touch panel.", serial=device.serial))
    fingers = {panel.path: GestureBuilder(panel, size) for panel in panels}
    # With a path only that device reports: the sensors of some phones are input devices, too.
    only = quote(panels[0].path) if len(panels) == 1 else ""
    async with device.stream(f"getevent -lt {only}".rstrip()) as reader:
        if reading is not None:
            reading.set()
        while line := await reader.read_line():
            gesture = _gesture(line, fingers, panels[0].path)
            if gesture is not None:
                yield gesture
    raise DeviceLostError(msg("The touches of {serial} ended.", serial=device.serial), msg("Reconnect it."))


def _gesture(line: bytes, fingers: Mapping[str, GestureBuilder], only: str) -> Gesture | None:
    event = parse_raw_event(line.decode(errors="replace"))
    mine = fingers.get(event.path or only) if event else None
    return mine.feed(event) if event and mine else None


async def contacts(device: Device) -> AsyncGenerator[None, None]:
    """Yields as soon as a finger of the owner touches the screen; what heed injects is not among it.

    Begins with one that tells that the phone is being read from now on. Ends and raises like ``gestures``.
    """
    panels = await device.read(TOUCH_PANELS, timeout=_TIMEOUT)
    if not panels:
        raise UnreadableError(msg("{serial} shows no touch panel.", serial=device.serial))
    paths = {panel.path for panel in panels}
    only = quote(panels[0].path) if len(panels) == 1 else ""
    async with device.stream(f"getevent -lt {only}".rstrip()) as reader:
        yield
        while line := await reader.read_line():
            event = parse_raw_event(line.decode(errors="replace"))
            if event and (not event.path or event.path in paths) and _is_contact(event):
                yield
    raise DeviceLostError(msg("The touches of {serial} ended.", serial=device.serial), msg("Reconnect it."))


def _is_contact(event: RawEvent) -> bool:
    """Whether a finger is down or moves; the lift of a finger that was there before is none."""
    if event.code == "BTN_TOUCH":
        return event.value == "DOWN"
    return event.code.startswith("ABS_MT_") and not (event.code == "ABS_MT_TRACKING_ID" and event.value == _LIFTED)
