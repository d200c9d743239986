"""The screen: size, on or off, dark mode, displays.

Checked against ``wm size`` and ``wm density`` with and without an override, ``cmd uimode night`` (yes, no), and
``dumpsys display`` of Android 13 (MediaTek tablet) and 14 (Xiaomi HyperOS).
"""

import re
from enum import StrEnum

from pydantic import Field

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, missing, parser
from heed.messages import msg
from heed.model import Frozen


class ScreenSize(Frozen):
    """Pixels of the screen as apps see it, in its natural orientation."""

    width: int = Field(gt=0)
    height: int = Field(gt=0)
    density: int = Field(gt=0)
    """Dots per inch."""


class NightMode(StrEnum):
    """``cmd uimode night``."""

    OFF = "no"
    ON = "yes"
    AUTO = "auto"
    CUSTOM = "custom_schedule"
    BEDTIME = "custom_bedtime"


class Displays(Frozen):
    """The state of the phone's own screen, and the SurfaceFlinger ids of all displays."""

    on: bool
    physical_ids: tuple[str, ...]
    """``screencap -d`` takes these; the phone's own first."""


_SIZE = re.compile(r"^(Physical|Override) size: (\d{1,5})x(\d{1,5})$", re.MULTILINE | re.ASCII)
_DENSITY = re.compile(r"^(Physical|Override) density: (\d{1,4})$", re.MULTILINE | re.ASCII)
_NIGHT = re.compile(rf"^Night mode: ({'|'.join(NightMode)})$", re.MULTILINE)
_SCREEN_STATE = re.compile(r"^  mScreenState=(ON|OFF|DOZE|DOZE_SUSPEND|ON_SUSPEND|VR)$", re.MULTILINE)
_LOCAL = re.compile(r'^  DisplayDeviceInfo\{.*?uniqueId="local:(\d{1,20})"', re.MULTILINE | re.ASCII)


@parser(msg("The screen size"))
def parse_screen_size(text: str) -> ScreenSize:
    """Parses ``wm size; wm density``; an override takes precedence."""
    sizes = {kind: (int(width), int(height)) for kind, width, height in _SIZE.findall(text)}
    densities = {kind: int(density) for kind, density in _DENSITY.findall(text)}
    if "Physical" not in sizes or "Physical" not in densities:
        raise missing(msg("physical size and density"))
    width, height = sizes.get("Override", sizes["Physical"])
    return ScreenSize(width=width, height=height, density=densities.get("Override", densities["Physical"]))


@parser(msg("The dark mode"))
def parse_night_mode(text: str) -> NightMode:
    """Parses ``cmd uimode night``."""
    return NightMode(find(_NIGHT, text, msg("night mode")))


@parser(msg("The displays"))
def parse_displays(text: str) -> Displays:
    """Parses ``dumpsys display``."""
    state = find(_SCREEN_STATE, text, msg("mScreenState"))
    return Displays(on=state in ("ON", "VR"), physical_ids=tuple(dict.fromkeys(_LOCAL.findall(text))))


SCREEN_SIZE = Reader("screen_size", "wm size; wm density", parse_screen_size)
NIGHT_MODE = Reader("night_mode", "cmd uimode night", parse_night_mode)
DISPLAYS = Reader("displays", "dumpsys display", parse_displays)
