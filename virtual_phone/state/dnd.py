"""Do Not Disturb."""

from typing import Literal

from virtual_phone.builds import Quirk
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
_STRICTNESS: tuple[Mode, ...] = ("off", "priority", "alarms", "none")
FILTERS: dict[Mode, int] = {"off": 1, "priority": 2, "none": 3, "alarms": 4}


class DoNotDisturbState(StatePart):
    """The mode: off, priority only, total silence (``none``) or alarms only."""

    mode: Mode = "off"
    """The mode that the owner set."""
    shell_rule: Mode = "off"
    """The mode of the shell's own rule, on builds where the shell cannot change the owner's mode."""

    @property
    def effective(self) -> Mode:
        """The stricter of the owner's mode and the shell's rule."""
        return max(self.mode, self.shell_rule, key=_STRICTNESS.index)

    @property
    def number(self) -> int:
        """The value of ``settings get global zen_mode``."""
        return NUMBERS[self.effective]

    def set_by_shell(self, mode: Mode) -> None:
        """Apply ``cmd notification set_dnd``: the owner's mode, or the shell's own rule (``Quirk.SHELL_DND_RULE``)."""
        if Quirk.SHELL_DND_RULE not in self._phone.build.quirks:
            self.set(mode)
        elif mode != self.shell_rule:
            self.shell_rule = mode
            self._changed()

    def set(self, mode: Mode) -> None:
        """Change the mode."""
        if mode != self.mode:
            self.mode = mode
            self._phone.log.line("ZenModeHelper", f"set_zen_mode: {NAMES[mode].removeprefix('ZEN_MODE_').lower()}")
            self._changed()
