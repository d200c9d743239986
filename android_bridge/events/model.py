"""The events. Each has the time on the phone's clock; ``kind`` tells them apart."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from android_bridge.facts.battery import Plug
from android_bridge.facts.telephony import CallState
from heed.model import Frozen


class Event(Frozen):
    """What every event has."""

    at: datetime
    """On the phone's wall clock, timezone-aware."""
    polled: bool = False
    """True when heed asked for the fact: it happened some time before ``at``."""


class AppForeground(Event):
    """Another app came to the front."""

    kind: Literal["app_foreground"] = "app_foreground"
    package: str
    activity: str
    user: int = 0


class ScreenState(StrEnum):
    """What the person sees of the screen."""

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
    """True when it was there before."""


class NotificationRemoved(Event):
    """A notification went away: tapped, swiped or withdrawn."""

    kind: Literal["notification_removed"] = "notification_removed"
    package: str
    id: int
    tag: str | None
    user: int
    reason: int | None
    """``NotificationListenerService.REASON_*``: 1 tapped, 2 swiped, 3 all swiped, 8 withdrawn by the app, …; None when
    it was only found missing."""


class CallChanged(Event):
    """A SIM card rings, talks or hangs up."""

    kind: Literal["call"] = "call"
    state: CallState
    number: str | None
    """The caller's, while it rings, where the phone tells it."""


class ConnectivityChanged(Event):
    """The phone has another network, or none."""

    kind: Literal["connectivity"] = "connectivity"
    transports: tuple[str, ...]
    """``WIFI``, ``CELLULAR``, ``VPN``, … in alphabetical order; empty: offline."""
    validated: bool


class BluetoothChanged(Event):
    """A Bluetooth device connected, or the last one went away."""

    kind: Literal["bluetooth"] = "bluetooth"
    enabled: bool
    connected: bool | None


class AlarmRang(Event):
    """An alarm of a clock app rings."""

    kind: Literal["alarm"] = "alarm"
    package: str


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
    | AlarmRang,
    Field(discriminator="kind"),
]
