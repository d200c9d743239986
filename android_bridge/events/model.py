"""The event types; ``kind`` is the discriminator."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from android_bridge.facts.battery import Plug
from android_bridge.facts.telephony import CallState
from heed.model import Frozen


class Event(Frozen):
    """The fields of every event."""

    at: datetime
    """On the phone's wall clock, timezone-aware."""
    polled: bool = False
    """True when the fact was polled: the change happened some time before ``at``."""


class AppForeground(Event):
    """Another app came to the front."""

    kind: Literal["app_foreground"] = "app_foreground"
    package: str
    activity: str
    user: int = 0


class ScreenState(StrEnum):
    """The state of the screen."""

    OFF = "off"
    ON = "on"
    """On, with the lock screen where the phone has one."""
    UNLOCKED = "unlocked"


class ScreenChanged(Event):
    """The screen went on or off, or was unlocked."""

    kind: Literal["screen"] = "screen"
    state: ScreenState


class BatteryLevel(Event):
    """The battery has another level, percent."""

    kind: Literal["battery_level"] = "battery_level"
    level: int = Field(ge=0, le=100)


class ChargerChanged(Event):
    """A charger was connected or disconnected."""

    kind: Literal["charger"] = "charger"
    plugged: tuple[Plug, ...]
    """Empty: on battery."""


class NotificationPosted(Event):
    """An app posted or changed a notification. The log holds no text: read ``facts.notifications`` for it."""

    kind: Literal["notification_posted"] = "notification_posted"
    package: str
    id: int
    tag: str | None
    user: int
    channel: str
    category: str
    """``msg``, ``call``, ``alarm``, …; empty when the app gave none."""
    update: bool
    """True when the app changed a notification that was posted before."""


class NotificationRemoved(Event):
    """A notification went away: tapped, swiped or withdrawn."""

    kind: Literal["notification_removed"] = "notification_removed"
    package: str
    id: int
    tag: str | None
    user: int
    reason: int | None
    """``NotificationListenerService.REASON_*``: 1 tapped, 2 swiped, 3 all swiped, 8 removed by the app, …; None when
    the removal was found by polling."""


class CallChanged(Event):
    """The call state of the SIM cards changed."""

    kind: Literal["call"] = "call"
    state: CallState
    number: str | None
    """The caller's number while the phone rings; None where the phone does not print it."""


class ConnectivityChanged(Event):
    """The default network changed."""

    kind: Literal["connectivity"] = "connectivity"
    transports: tuple[str, ...]
    """``WIFI``, ``CELLULAR``, ``VPN``, … in alphabetical order; empty: offline."""
    validated: bool


class BluetoothChanged(Event):
    """Bluetooth was switched, the first device connected, or the last one disconnected."""

    kind: Literal["bluetooth"] = "bluetooth"
    enabled: bool
    connected: bool | None


class AlarmRang(Event):
    """An alarm of a clock app rings."""

    kind: Literal["alarm"] = "alarm"
    package: str


class DataSynced(Event):
    """A sync adapter has finished: what a content provider holds may have changed."""

    kind: Literal["data_synced"] = "data_synced"
    provider: str
    """The provider's authority, e.g. ``com.android.calendar``."""


PhoneEvent = Annotated[
    AppForeground
    | ScreenChanged
    | BatteryLevel
    | ChargerChanged
    | NotificationPosted
    | NotificationRemoved
    | CallChanged
    | ConnectivityChanged
    | BluetoothChanged
    | AlarmRang
    | DataSynced,
    Field(discriminator="kind"),
]
