"""The touch panels, from ``getevent -lp``, and their events, from the lines of ``getevent -lt``.

Checked against a FocalTech panel (``-lp``) and the events of an emulator (Android 16, ``-lt``). The formats follow
AOSP's ``system/core/toolbox/getevent.c`` (``print_possible_events`` and ``print_event``; it disables buffering of its
output) and the codes of Linux' ``input-event-codes.h``.
"""

import re
from typing import NamedTuple

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg
from heed.model import Frozen


class Axis(NamedTuple):
    """The range of a panel's values in one direction, both ends included."""

    lowest: int
    highest: int

    def scaled(self, value: int, pixels: int) -> int:
        """Returns ``value`` as a pixel of a screen with so many pixels in this direction."""
        steps = self.highest - self.lowest + 1
        return min(max((value - self.lowest) * pixels // steps, 0), pixels - 1)


class TouchPanel(Frozen):
    """One touch panel on a screen."""

    path: str
    """``/dev/input/event2``"""
    x: Axis
    y: Axis


class RawEvent(NamedTuple):
    """One line of ``getevent -lt``."""

    seconds: float
    """On the kernel's monotonic clock."""
    path: str
    """Empty when ``getevent`` was given one device."""
    code: str
    """``ABS_MT_POSITION_X``, ``SYN_REPORT``, …"""
    value: str
    """Eight hexadecimal digits; of keys ``DOWN`` or ``UP``."""


_DEVICE = re.compile(r"^add device \d{1,4}: (/dev/input/\w+)$", re.MULTILINE | re.ASCII)
_AXIS = r"^[ \t]++(?:ABS \(0003\): )?ABS_MT_POSITION_{} *: value -?\d{{1,9}}, min (-?\d{{1,9}}), max (-?\d{{1,9}}),"
_X, _Y = (re.compile(_AXIS.format(name), re.MULTILINE | re.ASCII) for name in "XY")
_ON_SCREEN = re.compile(r"^[ \t]++INPUT_PROP_DIRECT$", re.MULTILINE)
_EVENT = re.compile(
    r"\[ *(\d{1,9}\.\d{6})\] (?:(/dev/input/\w+): )?EV_(?:ABS|KEY|SYN) +([A-Z]\w*) +([0-9a-f]{8}|DOWN|UP)", re.ASCII
)


@parser(msg("The list of touch panels"))
def parse_touch_panels(text: str) -> tuple[TouchPanel, ...]:
    """Parses ``getevent -lp``: the devices with two axes on a screen; touchpads are left out."""
    starts = list(_DEVICE.finditer(text))
    if not starts:
        raise missing(msg("input device"))
    panels = (_panel(start[1], block) for start, block in zip(starts, pieces(starts, text), strict=True))
    return tuple(panel for panel in panels if panel)


def _panel(path: str, block: str) -> TouchPanel | None:
    x, y = _X.search(block), _Y.search(block)
    if not (x and y and _ON_SCREEN.search(block)):
        return None
    axes = Axis(int(x[1]), int(x[2])), Axis(int(y[1]), int(y[2]))
    return TouchPanel(path=path, x=axes[0], y=axes[1]) if all(low < high for low, high in axes) else None


def parse_raw_event(line: str) -> RawEvent | None:
    """Parses one line of ``getevent -lt``; returns None for any other line."""
    match = _EVENT.match(line)
    return RawEvent(float(match[1]), match[2] or "", match[3], match[4]) if match else None


TOUCH_PANELS = Reader("touch_panels", "getevent -lp", parse_touch_panels)
