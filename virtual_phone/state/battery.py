"""Battery and charger."""

from typing import Literal, NamedTuple

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.well_known import SYSTEM_UI

Charger = Literal["none", "ac", "usb", "wireless"]

# BatteryManager: BATTERY_STATUS_* and BATTERY_PLUGGED_* (AOSP android-14).
CHARGING, DISCHARGING, NOT_CHARGING, FULL = 2, 3, 4, 5
PLUG_NUMBER: dict[Charger, int] = {"none": 0, "ac": 1, "usb": 2, "wireless": 4}
LOW_LEVEL = 15
"""Percent at which Android warns (config_lowBatteryWarningLevel)."""


class Readings(NamedTuple):
    """What the hardware reports: level in percent, charger, temperature in tenths of a degree."""

    level: int
    charger: Charger
    temperature: int


class BatteryState(StatePart):
    """Level in percent, charger, voltage in mV, temperature in tenths of a degree."""

    level: int = Field(default=80, ge=0, le=100)
    charger: Charger = "none"
    temperature: int = 290
    technology: str = "Li-ion"
    health: int = 2
    hardware: Readings | None = None
    """What ``reset`` returns to; None unless the shell fakes the battery (``dumpsys battery set`` or ``unplug``)."""
    faked_status: int | None = None

    @property
    def faked(self) -> bool:
        """Whether the shell fakes the battery."""
        return self.hardware is not None

    @property
    def plugged(self) -> bool:
        """Whether any charger is connected."""
        return self.charger != "none"

    @property
    def status(self) -> int:
        """Android's number for charging, discharging or full."""
        if self.faked_status is not None:
            return self.faked_status
        if not self.plugged:
            return DISCHARGING
        return FULL if self.level == 100 else CHARGING

    @property
    def voltage(self) -> int:
        """Millivolts, falling with the level."""
        return 3400 + self.level * 9

    @property
    def charge_counter(self) -> int:
        """Microampere hours left."""
        return self.level * 45000

    def fake(
        self,
        level: int | None = None,
        charger: Charger | None = None,
        temperature: int | None = None,
        status: int | None = None,
    ) -> None:
        """Report these values instead of the hardware's until ``unfake``; None keeps what is reported now."""
        self.hardware = self.hardware or Readings(self.level, self.charger, self.temperature)
        self.temperature = self.temperature if temperature is None else temperature
        self.faked_status = self.faked_status if status is None else status
        self.set(level=level, charger=charger)
        self._changed()

    def unfake(self) -> None:
        """Report the hardware's values again."""
        if self.hardware is None:
            return
        level, charger, self.temperature = self.hardware
        self.hardware = self.faked_status = None
        self.set(level=level, charger=charger)
        self._changed()

    def set(self, level: int | None = None, plugged: bool | None = None, charger: Charger | None = None) -> None:
        """Change level and charger together; ``plugged`` alone means the USB charger."""
        if charger is None:
            kept = self.charger if self.plugged else "usb"
            charger = self.charger if plugged is None else (kept if plugged else "none")
        before = (self.level, self.charger)
        self.level = self.level if level is None else level
        self.charger = charger
        self._announce(*before)

    def _announce(self, level: int, charger: Charger) -> None:
        if charger != self.charger:
            plug = PLUG_NUMBER[self.charger]
            self._event("battery_status", self.status, self.health, 1, plug, self.technology)
        if level != self.level:
            self._event("battery_level", self.level, self.voltage, self.temperature)
        if (level, charger) != (self.level, self.charger):
            self._phone.power.battery_changed()
            self._warn()
            self._changed()

    def _warn(self) -> None:
        tag = "low_battery"
        if self.plugged or self.level > LOW_LEVEL:
            self._phone.notifications.cancel_tag(SYSTEM_UI, tag)
            return
        words = {"en": ("Battery low", f"{self.level}% remaining"), "zh": ("电量不足", f"剩余 {self.level}%")}
        title, text = words[self._phone.identity.language]
        self._phone.notifications.post(package=SYSTEM_UI, identifier=3, tag=tag, channel="BAT", title=title, text=text)
