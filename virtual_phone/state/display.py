"""Dark mode; brightness, timeout, font size and rotation are settings."""

from typing import Literal

from virtual_phone.state.part import StatePart

NightMode = Literal["no", "yes", "auto"]
_NUMBERS: dict[NightMode, int] = {"auto": 0, "no": 1, "yes": 2}


class DisplayState(StatePart):
    """Size and dark mode of the screen."""

    night: NightMode = "no"
    width: int = 1080
    height: int = 2400
    density: int = 420
    rotation: int = 0

    @property
    def night_number(self) -> int:
        """UiModeManager's number, kept in ``settings get secure ui_night_mode``."""
        return _NUMBERS[self.night]

    @property
    def night_light(self) -> bool:
        """Whether the screen is tinted, by the build's key of ``settings``."""
        switch = self._phone.build.night_light
        return self._phone.settings.get(switch.namespace, switch.key) == "1"

    @property
    def dark(self) -> bool:
        """Whether the screen is dark now; ``auto`` means from 22:00 to 06:00."""
        hour = self._phone.clock.wall().hour
        return self.night == "yes" or (self.night == "auto" and (hour >= 22 or hour < 6))

    def set_night(self, mode: NightMode) -> None:
        """Dark mode on, off or by time of day."""
        self.night = mode
        self._changed()
