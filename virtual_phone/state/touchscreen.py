"""The touch panel: the kernel's reports of touches, as ``getevent`` shows them.

Only fingers are reported: what ``input`` and uiautomator inject comes in above the kernel. The formats follow AOSP's
``system/core/toolbox/getevent.c``.
"""

import asyncio
import re
from collections import deque

from virtual_phone.state.clock import VirtualClock

PATH = "/dev/input/event2"
_AXIS = 4096
"""The panel's own steps in each direction."""
_KEPT = 5000
_LIFTED = "ffffffff"
_CODES = {
    "KEY_VOLUMEUP": "0073", "KEY_POWER": "0074", "BTN_TOUCH": "014a", "ABS_MT_SLOT": "002f",
    "ABS_MT_POSITION_X": "0035", "ABS_MT_POSITION_Y": "0036", "ABS_MT_TRACKING_ID": "0039",
    "INPUT_PROP_DIRECT": "0001",
}  # fmt: skip
"""Linux, ``input-event-codes.h``."""
_LABEL = re.compile(rf"({'|'.join(_CODES)})( *(?= :)| ?) *")


class TouchscreenState:
    """The touch panel and its report lines."""

    def __init__(self, clock: VirtualClock, width: int, height: int) -> None:
        self._clock, self._size = clock, (width, height)
        self._lines: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        self._sequence = 0
        self._tracking = 0
        self._last: dict[str, int] = {}
        self.finger: tuple[int, int] | None = None
        """Where a touch began that ``input motionevent`` has not ended."""
        self._grown, self._followed = asyncio.Event(), asyncio.Event()

    def touch(self, start: tuple[int, int], end: tuple[int, int] | None = None, *, seconds: float = 0.08) -> None:
        """A touch: from one pixel to another (or the same), lifted after a while."""
        self._tracking += 1
        began = self._clock.uptime().total_seconds()
        self._put(began, "ABS", "ABS_MT_TRACKING_ID", f"{self._tracking:08x}")
        self._put(began, "KEY", "BTN_TOUCH", "DOWN")
        self._move(began, start)
        self._move(began + seconds, end or start)
        self._put(began + seconds, "ABS", "ABS_MT_TRACKING_ID", _LIFTED)
        self._put(began + seconds, "KEY", "BTN_TOUCH", "UP")
        self._put(began + seconds, "SYN", "SYN_REPORT", "00000000")
        self._grown.set()
        self._grown = asyncio.Event()

    def _move(self, seconds: float, place: tuple[int, int]) -> None:
        for name, pixel, pixels in zip("XY", place, self._size, strict=True):
            # The first step of the pixel: the panel's are finer. The kernel tells only what changes.
            value = -(-pixel * _AXIS // pixels)
            if self._last.get(name) != value:
                self._last[name] = value
                self._put(seconds, "ABS", f"ABS_MT_POSITION_{name}", f"{value:08x}")
        self._put(seconds, "SYN", "SYN_REPORT", "00000000")

    def _put(self, seconds: float, kind: str, code: str, value: str) -> None:
        self._sequence += 1
        whole, fraction = divmod(round(seconds * 1_000_000), 1_000_000)
        stamp = f"[{whole:8}.{fraction:06}] "
        self._lines.append((self._sequence, f"{stamp}{{path}}EV_{kind:<8} {code:<20} {value:<20}\n"))

    @property
    def limits(self) -> tuple[int, int]:
        """The panel's greatest coordinates, in its own steps."""
        return _AXIS - 1, _AXIS - 1

    def described(self, *, labels: bool) -> str:
        """``getevent -p``: the power key and the panel; ``labels`` (``-l``) names what else is a number."""
        axis = "value 0, min 0, max {}, fuzz 0, flat 0, resolution 0\n"
        text = (
            "add device 1: /dev/input/event0\n"
            '  name:     "gpio_keys"\n'
            "  events:\n"
            "    KEY (0001): KEY_VOLUMEUP          KEY_POWER            \n"
            "  input props:\n    <none>\n"
            f"add device 2: {PATH}\n"
            '  name:     "virtual_touch"\n'
            "  events:\n"
            "    KEY (0001): BTN_TOUCH            \n"
            f"    ABS (0003): ABS_MT_SLOT           : {axis.format(9)}"
            f"                ABS_MT_POSITION_X     : {axis.format(_AXIS - 1)}"
            f"                ABS_MT_POSITION_Y     : {axis.format(_AXIS - 1)}"
            f"                ABS_MT_TRACKING_ID    : {axis.format(65535)}"
            "  input props:\n    INPUT_PROP_DIRECT\n"
        )
        return text if labels else _LABEL.sub(lambda label: _CODES[label[1]] + " " * len(label[2][:2]), text)

    @property
    def sequence(self) -> int:
        """The newest line's number."""
        return self._sequence

    def lines(self, after: int, *, named: bool) -> str:
        """The lines after a number; ``named`` puts the device's path before each."""
        path = f"{PATH}: " if named else ""
        return "".join(line.replace("{path}", path) for number, line in self._lines if number > after)

    async def grown(self, after: int) -> None:
        """Wait until there is a line after a number."""
        self._followed.set()
        while self._sequence <= after:
            await self._grown.wait()

    async def followed(self) -> None:
        """Wait until a reader such as ``getevent`` waits for lines."""
        await self._followed.wait()
