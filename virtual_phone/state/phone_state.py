"""The state of a virtual phone."""

import asyncio
import copy
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, Self
from zoneinfo import ZoneInfo

from heed.clock import Clock
from virtual_phone.builds import DEFAULT_BUILD, Build, build_named
from virtual_phone.state.adb_keys import AdbKeysState
from virtual_phone.state.alarms import AlarmsState
from virtual_phone.state.apps import AppsState
from virtual_phone.state.audio import AudioState
from virtual_phone.state.baskets import BasketsState
from virtual_phone.state.battery import BatteryState
from virtual_phone.state.browsing import BrowsingState
from virtual_phone.state.calendar import CalendarState
from virtual_phone.state.chats import ChatsState
from virtual_phone.state.clock import VirtualClock
from virtual_phone.state.display import DisplayState
from virtual_phone.state.dnd import DoNotDisturbState
from virtual_phone.state.files import FileSystem, FileTree
from virtual_phone.state.identity import IdentityState, identity_of, zone_name
from virtual_phone.state.interfaces import Panel
from virtual_phone.state.keyboard import KeyboardState
from virtual_phone.state.log import LogState
from virtual_phone.state.mail import MailState
from virtual_phone.state.media import MediaState
from virtual_phone.state.network import BluetoothState, LocationState, NetworkState
from virtual_phone.state.notes import NotesState
from virtual_phone.state.notifications import NotificationsState
from virtual_phone.state.packages import standard_packages
from virtual_phone.state.part import StatePart
from virtual_phone.state.people import CallsState, ContactsState, MessagesState
from virtual_phone.state.power import PowerState
from virtual_phone.state.proc import computed_files
from virtual_phone.state.schedule import Schedule
from virtual_phone.state.settings import SettingsState
from virtual_phone.state.standard import furnish
from virtual_phone.state.touchscreen import TouchscreenState
from virtual_phone.state.well_known import LAUNCHER_APP


class Snapshot(NamedTuple):
    """A copy of a phone's state at one moment."""

    parts: dict[str, dict[str, Any]]
    files: FileTree
    panel: Panel
    wall: datetime
    uptime: timedelta
    seen: datetime


class PhoneState:
    """The whole state of a phone; commands, dumps and pictures are views of it.

    Change it through the domains' operations: they keep domains consistent with each other, write the event
    log, and make ``version`` grow.
    """

    def __init__(self, now: datetime, *, host: Clock | None = None, build: Build | None = None) -> None:
        self.build = build or build_named(DEFAULT_BUILD)
        self.clock = VirtualClock(now, host=host)
        self.log = LogState(self.clock)
        self._changing = asyncio.Event()
        self.version = 0
        """Grows with every change; what was drawn at the same version need not be drawn again."""
        self.panel: Panel = ""
        """The open panel: none, the notification shade or the recent apps."""
        self.identity: IdentityState = identity_of(self.build)
        self.adb_keys: AdbKeysState = AdbKeysState()
        self.settings: SettingsState = SettingsState()
        self.battery: BatteryState = BatteryState()
        self.power: PowerState = PowerState()
        self.display: DisplayState = DisplayState()
        self.dnd: DoNotDisturbState = DoNotDisturbState()
        self.audio: AudioState = AudioState()
        self.network: NetworkState = NetworkState()
        self.bluetooth: BluetoothState = BluetoothState()
        self.location: LocationState = LocationState()
        self.notifications: NotificationsState = NotificationsState()
        self.contacts: ContactsState = ContactsState()
        self.messages: MessagesState = MessagesState()
        self.calls: CallsState = CallsState()
        self.calendar: CalendarState = CalendarState()
        self.alarms: AlarmsState = AlarmsState()
        self.media: MediaState = MediaState()
        self.apps: AppsState = AppsState()
        self.chats: ChatsState = ChatsState()
        self.mail: MailState = MailState()
        self.notes: NotesState = NotesState()
        self.browsing: BrowsingState = BrowsingState()
        self.baskets: BasketsState = BasketsState()
        self.keyboard: KeyboardState = KeyboardState()
        self.touchscreen = TouchscreenState(self.clock, self.display.width, self.display.height)
        self.files = FileSystem(self)
        for part in self._parts().values():
            part.attach(self)
        self.schedule = Schedule(self.clock, [self.alarms, self.calendar])
        """Everything that happens at a set time."""
        self.clock.attach(self._pass_time, self.changed)
        self.files.computed.update(computed_files(self))

    @classmethod
    def standard(
        cls,
        now: datetime,
        *,
        language: Literal["en", "zh"] = "en",
        serial: str = "vphone-1",
        timezone: str = "",
        host: Clock | None = None,
        build: str = DEFAULT_BUILD,
        rooted: bool = False,
    ) -> Self:
        """A phone that has been used for a while: settings of Android 14, apps, contacts, messages, an alarm.

        Args:
            now: the phone's time, with an offset from UTC; ``ValueError`` without one.
            language: of the owner and the screens.
            serial: the value of ``ro.serialno``.
            timezone: IANA name; empty takes one for the offset of ``now``.
            host: the clock whose monotonic time drives the phone's; None is this computer's.
            build: the name of the build of Android (``virtual_phone.builds.build_names``).
            rooted: a build for developers: ``adb root`` works, and there are ``su`` and ``sqlite3``.

        Raises:
            UsageError: there is no such build.
        """
        state = cls(now, host=host, build=build_named(build))
        state.identity.serial = serial
        state.identity.rooted = rooted
        state.identity.language = language
        state.identity.country = "CN" if language == "zh" else "US"
        state.identity.timezone = timezone or zone_name(now.utcoffset() or timedelta())
        state.apps.packages = standard_packages()
        for app in state.apps.packages:
            state.apps.make_folders(app)
        with state.clock.showing(now):
            furnish(state)
        return state

    def _parts(self) -> dict[str, StatePart]:
        return {name: part for name, part in vars(self).items() if isinstance(part, StatePart)}

    def changed(self) -> None:
        """Note a change."""
        self.version += 1
        self._changing.set()
        self._changing = asyncio.Event()

    async def until_changed(self) -> None:
        """Wait for the next change."""
        await self._changing.wait()

    def to_json(self) -> dict[str, Any]:
        """The whole state as plain data; two equal results mean two equal phones."""
        parts = {name: part.model_dump(mode="json") for name, part in self._parts().items()}
        return {
            "time": self.clock.wall().isoformat(),
            "build": self.build.name,
            "panel": self.panel,
            "files": self.files.to_json(),
            **parts,
        }

    # --- snapshots --------------------------------------------------------------------------------------------
    def snapshot(self) -> Snapshot:
        """A copy of the state, for ``restore``."""
        parts = {name: copy.deepcopy(part.fields()) for name, part in self._parts().items()}
        return Snapshot(
            parts, self.files.tree(), self.panel, self.clock.wall(), self.clock.uptime(), self.schedule.seen
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot, the clock too; the log goes on."""
        for name, part in self._parts().items():
            for field, value in copy.deepcopy(snapshot.parts[name]).items():
                setattr(part, field, value)
        self.files.replace(snapshot.files)
        self.panel, self.schedule.seen = snapshot.panel, snapshot.seen
        self.clock.restore(snapshot.wall, snapshot.uptime)
        self.changed()

    # --- time -------------------------------------------------------------------------------------------------
    def catch_up(self) -> None:
        """Run what became due since the last call, in the order of its time."""
        self.schedule.catch_up()

    def _pass_time(self, moment: datetime) -> None:
        self.schedule.pass_time(moment)
        self.changed()

    def turn_clock(self, moment: datetime) -> None:
        """Set the clock by hand: what lies between does not happen; a one-off alarm that is past by then rings."""
        self.schedule.seen = moment
        self.clock.jump(moment)
        self.changed()

    def show_panel(self, panel: Panel) -> None:
        """Open the notification shade or the recent apps, or close the open one (``""``)."""
        self.panel = panel
        self.notifications.heads_up = None
        self.changed()

    # --- shortcuts of scripts ---------------------------------------------------------------------------------
    def advance(self, seconds: float) -> None:
        """Move the phone's time forward by ``seconds``."""
        self.clock.advance(seconds)

    def move_to_zone(self, name: str) -> None:
        """Change the time zone (an IANA name); the moment stays the same."""
        self.identity.timezone = name
        self.clock.change_zone(ZoneInfo(name))
        self.changed()

    def open_app(self, package: str) -> bool:
        """The owner opens an app, or goes home (the launcher's package); False when it is not installed."""
        self.power.unlock()
        middle, bottom = self.display.width // 2, self.display.height - 1
        self.touchscreen.touch((middle, bottom), (middle, bottom // 2))
        if package == LAUNCHER_APP:
            self.apps.home()
            return True
        return self.apps.open(package)
