"""The settings provider: stored keys, and keys that are a view of another domain."""

from collections.abc import Callable
from typing import NamedTuple

from pydantic import Field

from virtual_phone.state.interfaces import PhoneParts
from virtual_phone.state.part import StatePart

NAMESPACES = ("system", "secure", "global")


class InvalidSettingError(Exception):
    """A value that the provider's validator refuses."""


def _between(low: float, high: float) -> Callable[[str], bool]:
    def valid(value: str) -> bool:
        try:
            return low <= float(value) <= high
        except ValueError:
            return False

    return valid


# The provider checks these before writing (AOSP SystemSettingsValidators.java, android-14).
_VALID: dict[tuple[str, str], Callable[[str], bool]] = {
    ("system", "screen_brightness_mode"): lambda value: value in ("0", "1"),
    ("system", "accelerometer_rotation"): lambda value: value in ("0", "1"),
    ("system", "screen_off_timeout"): _between(0, 2**31 - 1),
    ("system", "font_scale"): _between(0.25, 5.0),
    ("system", "time_12_24"): lambda value: value in ("12", "24"),
}


class _View(NamedTuple):
    """A key whose value belongs to another domain; without ``write`` the phone puts it back at once."""

    read: Callable[[PhoneParts], str]
    write: Callable[[PhoneParts, str], None] | None = None


def _flag(value: bool) -> str:
    return "1" if value else "0"


_VIEWS: dict[tuple[str, str], _View] = {
    ("global", "low_power"): _View(
        lambda phone: _flag(phone.power.saver), lambda phone, value: phone.power.set_saver(value == "1")
    ),
    # A write to zen_mode is reverted within moments: only `cmd notification set_dnd` changes the mode
    # (docs/android-notes.md, do not disturb).
    ("global", "zen_mode"): _View(lambda phone: str(phone.dnd.number)),
    ("global", "mode_ringer"): _View(lambda phone: str(phone.audio.ringer_number)),
    ("system", "next_alarm_formatted"): _View(lambda phone: phone.alarms.next_formatted()),
    ("secure", "ui_night_mode"): _View(lambda phone: str(phone.display.night_number)),
    ("secure", "location_mode"): _View(
        lambda phone: "3" if phone.location.enabled else "0",
        lambda phone, value: phone.location.set_enabled(value != "0"),
    ),
}


def _empty_tables() -> dict[str, dict[str, str]]:
    return {name: {} for name in NAMESPACES}


class SettingsState(StatePart):
    """The three tables of ``settings``; ``stored`` holds what no other domain owns."""

    stored: dict[str, dict[str, str]] = Field(default_factory=_empty_tables)

    def get(self, namespace: str, key: str) -> str | None:
        """The value of a key; None when it is not set."""
        view = _VIEWS.get((namespace, key))
        return view.read(self._phone) if view else self.stored[namespace].get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        """Write a key as a caller with the permission does; ``InvalidSettingError`` when it is refused."""
        valid = _VALID.get((namespace, key))
        if valid and not valid(value):
            raise InvalidSettingError(f"Invalid value: {value} for setting: {key}")
        view = _VIEWS.get((namespace, key))
        if view is None:
            self.store(namespace, key, value)
        elif view.write is not None:
            view.write(self._phone, value)

    def store(self, namespace: str, key: str, value: str) -> None:
        """Store a value unchecked, as the system does."""
        if self.stored[namespace].get(key) != value:
            self.stored[namespace][key] = value
            self._changed()

    def delete(self, namespace: str, key: str) -> int:
        """Remove a stored key; returns how many there were."""
        gone = self.stored[namespace].pop(key, None) is not None
        self._changed()
        return int(gone)

    def listed(self, namespace: str) -> list[tuple[str, str]]:
        """Every key and value of a table, in the order ``settings list`` prints."""
        views = {key: view.read(self._phone) for (space, key), view in _VIEWS.items() if space == namespace}
        return sorted((self.stored[namespace] | views).items())

    def integer(self, namespace: str, key: str, default: int) -> int:
        """A key read as a whole number."""
        value = self.get(namespace, key) or ""
        return int(value) if value.lstrip("-").isdigit() else default
