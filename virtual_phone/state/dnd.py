"""Do Not Disturb."""

from typing import Literal

from virtual_phone.state.part import StatePart

Mode = Literal["off", "priority", "none", "alarms"]

# Settings.Global.ZEN_MODE_* (AOSP): the number, the name in dumpsys, the interruption filter.
NUMBERS: dict[Mode, int] = {"off": 0, "priority": 1, "none": 2, "alarms": 3}
NAMES: dict[Mode, str] = {
    "off": "ZEN_MODE_OFF",
    "priority": "ZEN_MODE_IMPORTANT_INTERRUPTIONS",
    "none": "ZEN_MODE_NO_INTERRUPTIONS",
    "alarms": "ZEN_MODE_ALARMS",
}
FILTERS: dict[Mode, int] = {"off": 1, "priority": 2, "none": 3, "alarms": 4}


class DoNotDisturbState(StatePart):
    """The mode: off, priority only, total silence (``none``) or alarms only."""

    mode: Mode = "off"

    @property
    def number(self) -> int:
        """The value of ``settings get global zen_mode``."""
        return NUMBERS[self.mode]

    def set(self, mode: Mode) -> None:
        """Change the mode."""
        if mode != self.mode:
            self.mode = mode
            self._phone.log.line("ZenModeHelper", f"set_zen_mode: {NAMES[mode].removeprefix('ZEN_MODE_').lower()}")
            self._changed()
