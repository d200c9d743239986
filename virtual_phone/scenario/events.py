"""The events of a scenario: one small model per kind, each with ``apply``."""

from collections.abc import Callable
from typing import Literal, Protocol, Self
from zoneinfo import available_timezones

from pydantic import AliasChoices, AwareDatetime, ConfigDict, Field, RootModel, field_validator, model_validator

from heed.errors import UsageError
from heed.model import Frozen
from virtual_phone.state import PhoneState
from virtual_phone.state.audio import Ringer
from virtual_phone.state.battery import Charger
from virtual_phone.state.dnd import Mode
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen


class ScenarioEvent(Protocol):
    """An event of a scenario."""

    def apply(self, state: PhoneState) -> None:
        """Apply the event to the phone."""
        ...


class BatteryEvent(Frozen):
    """The battery reaches a level, or a charger is connected or removed."""

    level: int | None = Field(default=None, ge=0, le=100)
    """Percent."""
    charger: Charger | None = None

    def apply(self, state: PhoneState) -> None:
        state.battery.set(level=self.level, charger=self.charger)


class SmsEvent(Frozen):
    """A message arrives."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(validation_alias=AliasChoices("from", "sender"))
    """A number, or a name such as a company's."""
    text: str

    def apply(self, state: PhoneState) -> None:
        state.messages.receive(self.sender, self.text)


class SentSmsEvent(Frozen):
    """The owner sends a message."""

    to: str
    """The receiver's number."""
    text: str

    def apply(self, state: PhoneState) -> None:
        state.messages.send(self.to, self.text)


class ChatEvent(Frozen):
    """A message in a chat app: it arrives, or the owner sends it."""

    model_config = ConfigDict(populate_by_name=True)
    app: str
    """Package name."""
    person: str = Field(validation_alias=AliasChoices("with", "person"))
    """The other person, or the group."""
    text: str
    own: bool = False
    """Whether the owner sent it."""

    def apply(self, state: PhoneState) -> None:
        deliver = state.chats.send if self.own else state.chats.receive
        deliver(self.app, self.person, self.text)


class MailEvent(Frozen):
    """An e-mail arrives in the mail app."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(validation_alias=AliasChoices("from", "sender"))
    """A name, an address or both."""
    subject: str
    text: str

    def apply(self, state: PhoneState) -> None:
        state.mail.receive(self.sender, self.subject, self.text)


class NotificationEvent(Frozen):
    """An app posts a notification."""

    app: str
    """Package name."""
    title: str
    text: str
    category: str | None = None
    """Android's category, such as ``msg``, ``alarm`` or ``event``."""
    importance: int = Field(default=3, ge=0, le=5)
    """Android's importance; 4 and more are shown as heads-up notifications."""
    tag: str | None = None
    """A later notification of the app with the same tag replaces this one."""
    ongoing: bool = False
    """It cannot be swiped away."""

    def apply(self, state: PhoneState) -> None:
        state.notifications.post(
            package=self.app,
            title=self.title,
            text=self.text,
            category=self.category,
            importance=self.importance,
            # Each is a notification of its own, as most apps post them; one with a tag updates the last with that tag.
            identifier=1 if self.tag else state.notifications.free_identifier(self.app),
            tag=self.tag,
            ongoing=self.ongoing,
        )


class OpenAppEvent(Frozen):
    """The owner opens an app, by package name."""

    app: str
    """Package name; the launcher's opens the home screen."""

    def apply(self, state: PhoneState) -> None:
        state.open_app(self.app)


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


class CallEvent(Frozen):
    """A call comes in, is answered or ends, or the owner dials."""

    model_config = ConfigDict(populate_by_name=True)
    sender: str = Field(default="", validation_alias=AliasChoices("from", "sender"))
    """The caller's number, when it rings."""
    to: str = ""
    """The number that the owner dials."""
    action: Literal["ring", "dial", "answer", "hang_up"] = "ring"

    def apply(self, state: PhoneState) -> None:
        match self.action:
            case "ring":
                state.calls.ring(self.sender)
            case "dial":
                state.calls.dial(self.to)
            case "answer":
                state.calls.answer()
            case "hang_up":
                state.calls.hang_up()


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


class TapEvent(Frozen):
    """The owner taps what shows this text (or description), or a point."""

    text: str = ""
    x: int | None = None
    y: int | None = None

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if bool(self.text) == (self.x is not None and self.y is not None):
            raise ValueError("a tap needs either text or both x and y")
        return self

    def apply(self, state: PhoneState) -> None:
        screen = Screen(state)
        place = screen.find(self.text) if self.text else (self.x or 0, self.y or 0)
        if place is None:
            raise UsageError(f"Nothing on the phone's screen says {self.text!r}.", "Correct the scenario.")
        state.touchscreen.touch(place)
        touch.tap(screen, state, *place)


class TypeEvent(RootModel[str]):
    """The owner types into the focused field, in any script."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        if not touch.type_text(state, self.root):
            raise UsageError("No text field is in focus on the phone.", "Tap one first in the scenario.")


class KeyEvent(RootModel[str]):
    """The owner presses a key, by Android's name without KEYCODE_."""

    model_config = ConfigDict(frozen=True)

    def apply(self, state: PhoneState) -> None:
        if not touch.press(state, self.root):
            raise UsageError(f"There is no key {self.root!r}.", "Correct the scenario.")


class SwipeEvent(Frozen):
    """The owner swipes from one point to another."""

    start: tuple[int, int]
    """x and y in pixels."""
    end: tuple[int, int]
    """x and y in pixels."""

    def apply(self, state: PhoneState) -> None:
        state.touchscreen.touch(self.start, self.end, seconds=0.3)
        touch.swipe(Screen(state), state, self.start, self.end)


class AdvanceEvent(Frozen):
    """Only time passes: the entry's moment is so many minutes after ``at``."""

    minutes: float = Field(ge=0)

    def apply(self, state: PhoneState) -> None:
        """Change nothing: the time has passed already."""


class EventFields(Frozen):
    """The possible events of an entry, at most one of them set."""

    battery: BatteryEvent | None = None
    sms: SmsEvent | None = None
    send_sms: SentSmsEvent | None = None
    chat: ChatEvent | None = None
    mail: MailEvent | None = None
    notification: NotificationEvent | None = None
    open_app: OpenAppEvent | None = None
    screen: ScreenEvent | None = None
    place: PlaceEvent | None = None
    call: CallEvent | None = None
    bluetooth: BluetoothEvent | None = None
    calendar: CalendarEvent | None = None
    calendar_delete: CalendarDeletionEvent | None = None
    do_not_disturb: DoNotDisturbEvent | None = None
    ringer: RingerEvent | None = None
    radio: RadioEvent | None = None
    timezone: TimeZoneEvent | None = None
    setting: SettingEvent | None = None
    media: MediaEvent | None = None
    music: MusicEvent | None = None
    tap: TapEvent | None = None
    type: TypeEvent | None = None
    key: KeyEvent | None = None
    swipe: SwipeEvent | None = None
    advance: AdvanceEvent | None = None


EVENTS = tuple(EventFields.model_fields)
