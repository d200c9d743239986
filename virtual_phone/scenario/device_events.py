"""Scenario events of the phone's state: battery, radios, place, calendar, settings and media."""

from collections.abc import Callable
from typing import Literal
from zoneinfo import available_timezones

from pydantic import AwareDatetime, ConfigDict, Field, RootModel, field_validator

from heed.errors import UsageError
from heed.model import Frozen
from virtual_phone.state import PhoneState
from virtual_phone.state.audio import Ringer
from virtual_phone.state.battery import Charger
from virtual_phone.state.dnd import Mode


class BatteryEvent(Frozen):
    """The battery reaches a level, or a charger is connected or removed."""

    level: int | None = Field(default=None, ge=0, le=100)
    """Percent."""
    charger: Charger | None = None

    def apply(self, state: PhoneState) -> None:
        state.battery.set(level=self.level, charger=self.charger)


class ScreenEvent(Frozen):
    """The screen is switched on or off, or unlocked."""

    to: Literal["on", "off", "unlocked"]

    def apply(self, state: PhoneState) -> None:
        {"on": state.power.wake, "off": state.power.sleep, "unlocked": state.power.unlock}[self.to]()


class PlaceEvent(Frozen):
    """The phone is at another place; a network name (or an empty one) says which Wi-Fi is in range."""

    name: str
    """For readers of the file; the phone knows the coordinates only."""
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    wifi: str | None = None
    """Name of the Wi-Fi in range; empty = none, left out = as before."""

    def apply(self, state: PhoneState) -> None:
        state.location.move(self.latitude, self.longitude, self.name)
        if self.wifi is not None:
            state.network.reach(self.wifi)


class BluetoothEvent(Frozen):
    """A device connects or disconnects, or the adapter is switched."""

    device: str = ""
    """Name of a bonded device."""
    connected: bool = True
    """Whether the named device connects."""
    enabled: bool | None = None
    """Switches the adapter."""

    def apply(self, state: PhoneState) -> None:
        if self.enabled is not None:
            state.bluetooth.set_enabled(self.enabled)
        if self.device:
            state.bluetooth.connect(self.device, self.connected)


def _sync_calendar(state: PhoneState) -> None:
    """What Android logs when the account's calendar was synchronized: start and stop, local source, the account."""
    for step in (0, 1):
        state.log.event("sync", "com.android.calendar", step, 1, 1264587)


class CalendarEvent(Frozen):
    """An event is added to the calendar, by the owner elsewhere or by whoever invites: it arrives by a sync."""

    title: str
    start: AwareDatetime
    end: AwareDatetime | None = None
    """Default: an hour after the start."""
    location: str = ""
    description: str = ""
    reminder: int | None = Field(default=None, ge=0)
    """Minutes before the start at which the calendar reminds."""

    def apply(self, state: PhoneState) -> None:
        event = state.calendar.add(
            self.title, self.start, self.end, location=self.location, description=self.description
        )
        if self.reminder is not None:
            state.calendar.remind(event, self.reminder)
        _sync_calendar(state)


class CalendarDeletionEvent(Frozen):
    """An event is deleted from the calendar, by the owner or by whoever shares it."""

    title: str

    def apply(self, state: PhoneState) -> None:
        found = {event.identifier for event in state.calendar.events if event.title == self.title}
        if not found:
            raise UsageError(f"No calendar event is called {self.title!r}.", "Correct the scenario.")
        state.calendar.remove(found)
        _sync_calendar(state)


class DoNotDisturbEvent(RootModel[Mode]):
    """The owner changes Do Not Disturb."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        state.dnd.set(self.root)


class RingerEvent(RootModel[Ringer]):
    """The owner changes the ringer mode."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        state.audio.set_ringer(self.root)


class RadioEvent(Frozen):
    """The owner switches radios on or off."""

    airplane: bool | None = None
    """Airplane mode."""
    wifi: bool | None = None
    mobile_data: bool | None = None
    bluetooth: bool | None = None
    nfc: bool | None = None
    location: bool | None = None
    hotspot: bool | None = None

    def apply(self, state: PhoneState) -> None:
        switches: dict[str, Callable[[bool], None]] = {
            "airplane": state.network.set_airplane,
            "wifi": state.network.set_wifi,
            "mobile_data": state.network.set_mobile_data,
            "bluetooth": state.bluetooth.set_enabled,
            "nfc": state.network.set_nfc,
            "location": state.location.set_enabled,
            "hotspot": state.network.set_hotspot,
        }
        for name, switch in switches.items():
            if (on := getattr(self, name)) is not None:
                switch(on)


class TimeZoneEvent(RootModel[str]):
    """The phone changes to another time zone, by IANA name."""

    model_config = ConfigDict(frozen=True)

    @field_validator("root")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in available_timezones():
            raise ValueError("expected a time zone such as Europe/Lisbon")
        return name

    def apply(self, state: PhoneState) -> None:
        state.move_to_zone(self.root)


class SettingEvent(Frozen):
    """The owner changes a setting."""

    namespace: Literal["system", "secure", "global"]
    key: str
    """As ``settings put`` names it."""
    value: str

    def apply(self, state: PhoneState) -> None:
        state.settings.put(self.namespace, self.key, self.value)


class MediaEvent(Frozen):
    """A picture or another file is added."""

    folder: str = "Pictures/Screenshots"
    """Below /sdcard."""
    name: str
    size: int = Field(default=900_000, ge=0)
    """Bytes."""
    shows: str = ""
    """The text that a picture shows; empty = a picture without text."""

    def apply(self, state: PhoneState) -> None:
        state.media.add(self.folder, self.name, state.clock.wall(), self.size, shows=self.shows)


class MusicEvent(Frozen):
    """A player starts, or stops when ``title`` is empty."""

    app: str = "com.google.android.apps.youtube.music"
    """Package name of the player."""
    title: str = ""
    """The song; empty = it pauses."""
    artist: str = ""

    def apply(self, state: PhoneState) -> None:
        if self.title:
            state.audio.play(self.app, self.title, self.artist)
        else:
            state.audio.dispatch("pause")
