"""Screen, keyguard, battery saver."""

from typing import Literal

from pydantic import Field

from virtual_phone.builds import Quirk
from virtual_phone.state.part import StatePart

# Reasons why the screen went off, for `screen_toggled` and friends (AOSP EventLogTags.logtags).
SCREEN_OFF, SCREEN_ON, SCREEN_UNLOCKED = 0, 1, 2


class PowerState(StatePart):
    """Wakefulness and the battery saver."""

    wakefulness: Literal["Awake", "Asleep", "Dozing"] = "Awake"
    locked: bool = False
    """The keyguard is showing."""
    secure_lock: bool = False
    """The keyguard asks for a credential: swiping does not open it."""
    credential: str = ""
    """What the keyguard asks for."""
    idle_allowed: list[str] = Field(default_factory=list)
    """Apps that the owner lets run while the phone idles."""
    saver: bool = False
    saver_refused: int = 0
    """How often the saver was refused because the phone was charging."""

    def set_saver(self, on: bool) -> None:
        """Battery saver; AOSP does not turn it on while a charger is connected (BatterySaverStateMachine)."""
        if on and self._phone.battery.plugged and Quirk.SAVER_WHILE_CHARGING not in self._phone.build.quirks:
            self.saver_refused += 1
            return
        if self.saver != on:
            self.saver = on
            self._event("battery_saver_mode", int(not on), int(on), 0, 0, 0)
            self._changed()

    def battery_changed(self) -> None:
        """The charger turns the saver off; a level below the owner's threshold turns it on."""
        battery = self._phone.battery
        if battery.plugged:
            self.set_saver(False)
        elif battery.level <= self._phone.settings.integer("global", "low_power_trigger_level", 0):
            self.set_saver(True)

    def set_credential(self, credential: str) -> None:
        """Have the keyguard ask for a credential; an empty one opens it with a swipe."""
        self.credential, self.secure_lock = credential, bool(credential)
        self._changed()

    def allow_idle(self, package: str, *, on: bool) -> None:
        """Let an app run while the phone idles, or no longer."""
        self.idle_allowed = [name for name in self.idle_allowed if name != package] + ([package] if on else [])
        self._changed()

    def wake(self) -> None:
        """Switch the screen on."""
        if self.wakefulness != "Awake":
            self.wakefulness = "Awake"
            self._event("screen_toggled", SCREEN_ON)
            self._event("power_screen_state", 1, 0, 0, 0, 0)
            self._changed()

    def sleep(self) -> None:
        """Switch the screen off and show the keyguard."""
        if self.wakefulness == "Awake":
            self.wakefulness = "Asleep"
            self.locked = True
            self._event("power_screen_state", 0, 2, 0, 0, 0)
            self._event("screen_toggled", SCREEN_OFF)
            self._changed()

    def unlock(self) -> None:
        """Switch the screen on and dismiss the keyguard, as after the owner's credential."""
        self.wake()
        if self.locked:
            self.locked = False
            self._event("screen_toggled", SCREEN_UNLOCKED)
            self._changed()
