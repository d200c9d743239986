"""The start state of a scenario: its differences from the standard phone.

A list replaces the standard phone's (``contacts: []`` means no contacts); what is left out stays.
"""

import re
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, AwareDatetime, ConfigDict, Field

from heed.model import Frozen
from virtual_phone.state import PhoneState
from virtual_phone.state.alarms import Weekday
from virtual_phone.state.audio import Ringer
from virtual_phone.state.battery import Charger
from virtual_phone.state.dnd import Mode
from virtual_phone.state.packages import ActivitySpec, InstalledPackage, data_folder
from virtual_phone.state.sqlite_files import made_by
from virtual_phone.state.standard import log_boot


def _time_of_day(text: str) -> str:
    if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text) is None:
        raise ValueError("expected HH:MM")
    return text


class StartContact(Frozen):
    """A contact."""

    name: str
    number: str = ""
    email: str = ""
    starred: bool = False


class StartMessage(Frozen):
    """A message from before the start."""

    model_config = ConfigDict(populate_by_name=True)
    number: str = Field(validation_alias=AliasChoices("from", "to", "number"))
    """The other person: `from` or `to`."""
    text: str
    at: AwareDatetime
    sent: bool = False
    """Whether the owner sent it."""
    read: bool = True


class StartAlarm(Frozen):
    """An alarm; without days it rings once, at the next such time of day."""

    time: Annotated[str, AfterValidator(_time_of_day)]
    """HH:MM."""
    days: list[Weekday] = Field(default_factory=list)
    label: str = ""
    enabled: bool = True
    date: AwareDatetime | None = None
    """The moment at which a one-off alarm rings; default: the next such time of day."""


class StartMedia(Frozen):
    """A file on shared storage; its age in days instead of a date keeps a scenario readable."""

    name: str
    folder: str = "Pictures/Screenshots"
    """Below /sdcard."""
    added: AwareDatetime | None = None
    days_old: float | None = Field(default=None, ge=0)
    """The file's age at the start, instead of ``added``."""
    size: int = Field(default=900_000, ge=0)
    """Bytes."""
    shows: str = ""
    """The text that a picture shows; empty = a picture without text."""

    def moment(self, now: datetime) -> datetime:
        """The time at which it was added."""
        return self.added or now - timedelta(days=self.days_old or 0)


class StartEvent(Frozen):
    """A calendar event."""

    title: str
    start: AwareDatetime
    end: AwareDatetime | None = None
    """An hour after the start when left out."""
    location: str = ""
    description: str = ""
    rrule: str | None = None
    """How it repeats, e.g. ``FREQ=WEEKLY;BYDAY=MO,WE``."""
    reminder: int | None = Field(default=None, ge=0)
    """So many minutes before, the calendar reminds."""


class StartBluetooth(Frozen):
    """Adapter and bonded devices (name → connected)."""

    enabled: bool = True
    devices: dict[str, bool] = Field(default_factory=dict)
    """Names of bonded devices; true = connected."""


class StartApp(Frozen):
    """An app to install besides the standard ones."""

    package: str
    label: str
    activity: str = ".MainActivity"
    """The class that the launcher starts."""
    like: str = ""
    """The package of a standard app whose screens it has, and whose intents it handles; empty: one plain page."""
    activities: dict[str, ActivitySpec] = Field(default_factory=dict)
    """Its activities with a screen of their own: class → screen and intent filters, as in ``state/apps.yaml``."""
    words: dict[str, str] = Field(default_factory=dict)
    """Words on its screens that differ from that app's: id in ``virtual_phone/ui/words.yaml`` → text."""
    ignores: list[str] = Field(default_factory=list)
    """Extras of intents that it does not read, though that app does."""
    saves: dict[Literal["images", "video"], str] = Field(default_factory=dict)
    """Where a camera app stores its pictures, below /sdcard; ``DCIM/Camera`` where left out."""
    databases: dict[str, str] = Field(default_factory=dict)
    """The SQLite files of the app: path below its data folder, such as ``databases/notes.db`` → SQL that makes it."""
    folders: list[str] = Field(default_factory=list)
    """Folders on shared storage that it makes, below /sdcard."""
    files: dict[str, str] = Field(default_factory=dict)
    """Its files on shared storage: path below /sdcard → text."""

    def install(self, state: PhoneState) -> None:
        """Install the app with its files."""
        app = state.apps.install(self.package, self.label)
        model = state.apps.find(self.like)
        if model is not None:
            app.activities = dict(model.activities)
        app.activities |= self.activities
        app.activities = {**app.activities, self.activity: app.activities.get(self.activity, _entry(model, app))}
        app.main, app.words = self.activity, dict(self.words)
        app.ignores = list(self.ignores)
        app.saves = {str(kind): folder for kind, folder in self.saves.items()}
        for folder in self.folders:
            state.files.ensure_directory(f"/sdcard/{folder}")
        for path, text in self.files.items():
            state.files.put(f"/sdcard/{path}", text.encode())
        for path, sql in self.databases.items():
            state.files.put(f"{data_folder(self.package)}/{path}", made_by(sql))
        app.databases = dict(self.databases)


def _entry(model: InstalledPackage | None, app: InstalledPackage) -> ActivitySpec:
    """The first page: the model's, or a plain one."""
    return model.activities[model.main] if model else app.activities[app.main]


class StartState(Frozen):
    """What is given differs from the standard phone; a list replaces the standard phone's, and ``[]`` empties it."""

    battery: int | None = Field(default=None, ge=0, le=100)
    """Percent."""
    charger: Charger | None = None
    saver: bool | None = None
    """Battery saver."""
    adb_root: bool = False
    """Whether adbd runs as root from the start, on a rooted phone; ``adb unroot`` ends it."""
    settings: dict[Literal["system", "secure", "global"], dict[str, str]] = Field(default_factory=dict)
    """By namespace (system, secure, global), then key."""
    contacts: list[StartContact] | None = None
    messages: list[StartMessage] | None = None
    alarms: list[StartAlarm] | None = None
    media: list[StartMedia] | None = None
    calendar: list[StartEvent] | None = None
    bluetooth: StartBluetooth | None = None
    install: list[StartApp] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)
    """Packages that are not installed."""
    blocked_numbers: list[str] = Field(default_factory=list)
    wifi: str | None = None
    """Name of the Wi-Fi in range; empty = none."""
    mobile_data: bool | None = None
    do_not_disturb: Mode | None = None
    ringer: Ringer | None = None
    night: Literal["no", "yes", "auto"] | None = None
    """Dark mode."""
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)
    place: str = ""
    """For people; heed sees the coordinates only."""
    screen: Literal["on", "off"] = "on"
    app: str = ""
    """The app in the foreground."""

    def furnish(self, state: PhoneState) -> None:
        """Apply these differences to ``state``; afterwards the log holds the boot only."""
        self._device(state)
        self._people(state)
        self._things(state)
        self._apps(state)
        if self.app:
            state.open_app(self.app)
        if self.screen == "off":
            state.power.sleep()
        state.notifications.active = []
        state.notifications.heads_up = None
        state.log.clear()
        log_boot(state)

    def _device(self, state: PhoneState) -> None:
        state.identity.adbd_user = "root" if self.adb_root and state.identity.rooted else "shell"
        for namespace, values in self.settings.items():
            for key, value in values.items():
                state.settings.put(namespace, key, value)
        state.battery.set(level=self.battery, charger=self.charger)
        if self.saver is not None:
            state.power.set_saver(self.saver)
        if self.wifi is not None:
            state.network.reach(self.wifi)
        if self.mobile_data is not None:
            state.network.set_mobile_data(self.mobile_data)
        if self.do_not_disturb is not None:
            state.dnd.set(self.do_not_disturb)
        if self.ringer is not None:
            state.audio.set_ringer(self.ringer)
        if self.night is not None:
            state.display.set_night(self.night)
        if self.latitude is not None and self.longitude is not None:
            state.location.move(self.latitude, self.longitude, self.place)

    def _people(self, state: PhoneState) -> None:
        if self.contacts is not None:
            state.contacts.raw = []
            for person in self.contacts:
                state.contacts.add(person.name, person.number, person.email, starred=person.starred)
        if self.messages is not None:
            state.messages.stored = []
            for message in sorted(self.messages, key=lambda message: message.at):
                moment = round(message.at.timestamp() * 1000)
                row = state.messages.store(message.number, message.text, kind=2 if message.sent else 1, date=moment)
                row.read = message.read
        state.calls.blocked = list(self.blocked_numbers)

    def _apps(self, state: PhoneState) -> None:
        for app in self.install:
            app.install(state)
        state.apps.packages = [app for app in state.apps.packages if app.package not in self.remove]

    def _things(self, state: PhoneState) -> None:
        if self.alarms is not None:
            self._set_alarms(state, self.alarms)
        if self.media is not None:
            for old in list(state.media.items):
                state.media.delete(old)
            for item in self.media:
                state.media.add(item.folder, item.name, item.moment(state.clock.wall()), item.size, shows=item.shows)
        if self.calendar is not None:
            self._enter_events(state, self.calendar)
        if self.bluetooth is not None:
            state.bluetooth.set_enabled(self.bluetooth.enabled)
            for name, connected in self.bluetooth.devices.items():
                state.bluetooth.connect(name, connected)

    def _set_alarms(self, state: PhoneState, alarms: list[StartAlarm]) -> None:
        state.alarms.alarms = []
        for entry in alarms:
            hour, minute = map(int, entry.time.split(":"))
            alarm = state.alarms.add(hour, minute, list(entry.days), entry.label)
            if not entry.enabled:
                state.alarms.enable(alarm, False)
            elif entry.date is not None:
                alarm.due = entry.date

    def _enter_events(self, state: PhoneState, events: list[StartEvent]) -> None:
        state.calendar.events = []
        for event in events:
            entered = state.calendar.add(event.title, event.start, event.end, location=event.location,
                                         description=event.description, rrule=event.rrule)  # fmt: skip
            if event.reminder is not None:
                state.calendar.remind(entered, event.reminder)
