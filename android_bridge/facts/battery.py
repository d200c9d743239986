"""Battery: level, charger, temperature.

Checked against Android 8-10 (AOSP), 14 (Xiaomi HyperOS) and the newest format of the emulator, whose extra lines
begin with one space and contain the same words: only two spaces and the exact key count.
"""

import re
from enum import StrEnum

from pydantic import Field

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg
from heed.model import Frozen


class Plug(StrEnum):
    """A power source (``BatteryManager.BATTERY_PLUGGED_*``)."""

    AC = "ac"
    USB = "usb"
    WIRELESS = "wireless"
    DOCK = "dock"


class ChargeStatus(StrEnum):
    """``BatteryManager.BATTERY_STATUS_*``."""

    UNKNOWN = "unknown"
    CHARGING = "charging"
    DISCHARGING = "discharging"
    NOT_CHARGING = "not_charging"
    FULL = "full"


class Battery(Frozen):
    """The state that ``BatteryService`` prints."""

    level: int = Field(ge=0, le=100)
    """Percent."""
    plugged: tuple[Plug, ...]
    status: ChargeStatus
    temperature: float | None = Field(default=None, gt=-60, lt=150)
    """Degrees Celsius; None where the phone has no sensor."""

    @property
    def powered(self) -> bool:
        """True when a charger is connected, charging or not."""
        return bool(self.plugged)


_FIELD = re.compile(r"^  ([A-Za-z]+(?: powered)?): (\S+)$", re.MULTILINE)
_STATUS = dict(enumerate(ChargeStatus, start=1))


@parser(msg("The battery"))
def parse_battery(text: str) -> Battery:
    """Parses ``dumpsys battery`` (AOSP ``BatteryService.dumpInternal``); the level is converted to percent."""
    # The first of each key counts: Samsung repeats some in lower case below.
    fields: dict[str, str] = {}
    for key, value in _FIELD.findall(text):
        fields.setdefault(key, value)
    absent = [key for key in ("AC powered", "USB powered", "level", "status") if key not in fields]
    if absent:
        raise missing(absent[0])
    scale = int(fields.get("scale", "100"))
    if scale <= 0:
        raise missing(msg("scale"))
    return Battery(
        level=round(100 * int(fields["level"]) / scale),
        plugged=tuple(plug for plug in Plug if _powered(fields, plug)),
        status=_STATUS.get(int(fields["status"]), ChargeStatus.UNKNOWN),
        temperature=int(fields["temperature"]) / 10 if fields.get("temperature", "0") != "0" else None,
    )


def _powered(fields: dict[str, str], plug: Plug) -> bool:
    label = plug.upper() if plug in (Plug.AC, Plug.USB) else plug.capitalize()
    printed = fields.get(f"{label} powered", "false")
    if printed not in ("true", "false"):
        raise missing(msg("{label} powered", label=label))
    return printed == "true"


BATTERY = Reader("battery", "dumpsys battery", parse_battery)
