"""The facts that events report, and how each is polled where the phone does not log it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from android_bridge.events.model import (
    AppForeground,
    BatteryLevel,
    BluetoothChanged,
    CallChanged,
    ChargerChanged,
    ConnectivityChanged,
    NotificationPosted,
    PhoneEvent,
    ScreenChanged,
    ScreenState,
)
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.battery import BATTERY, Battery
from android_bridge.facts.bluetooth import BLUETOOTH, Bluetooth
from android_bridge.facts.network import CONNECTIVITY, Connectivity
from android_bridge.facts.notifications import NOTIFICATIONS, Notifications
from android_bridge.facts.power import POWER, Power
from android_bridge.facts.reader import Reader
from android_bridge.facts.telephony import TELEPHONY, Telephony


class Topic(NamedTuple):
    """One fact that events report."""

    name: str
    tags: frozenset[str]
    """Tags of the event log; a phone that logged one of them is not polled. Empty: always polled."""
    readers: tuple[Reader[Any], ...]
    state: Callable[..., Iterable[PhoneEvent]]
    """Returns the present state as events, from the phone's clock and the readers' values."""


def _app(at: datetime, screen: Activities) -> Iterable[PhoneEvent]:
    if app := screen.foreground:
        yield AppForeground(at=at, polled=True, package=app.package, activity=app.activity, user=app.user)


def _screen(at: datetime, power: Power, screen: Activities) -> Iterable[PhoneEvent]:
    state = ScreenState.OFF if not power.awake else ScreenState.ON if screen.locked else ScreenState.UNLOCKED
    yield ScreenChanged(at=at, polled=True, state=state)


def _level(at: datetime, battery: Battery) -> Iterable[PhoneEvent]:
    yield BatteryLevel(at=at, polled=True, level=battery.level)


def _charger(at: datetime, battery: Battery) -> Iterable[PhoneEvent]:
    yield ChargerChanged(at=at, polled=True, plugged=battery.plugged)


def _notifications(at: datetime, posted: Notifications) -> Iterable[PhoneEvent]:
    for item in posted.items:
        yield NotificationPosted(
            at=at,
            polled=True,
            package=item.package,
            id=item.id,
            tag=item.tag,
            user=item.user,
            channel=item.channel,
            category=item.category,
            update=False,
        )


def _call(at: datetime, telephony: Telephony) -> Iterable[PhoneEvent]:
    yield CallChanged(at=at, polled=True, state=telephony.call, number=telephony.incoming_number)


def _connectivity(at: datetime, network: Connectivity) -> Iterable[PhoneEvent]:
    transports = tuple(sorted(network.transports))
    yield ConnectivityChanged(at=at, polled=True, transports=transports, validated=network.validated)


def _bluetooth(at: datetime, bluetooth: Bluetooth) -> Iterable[PhoneEvent]:
    yield BluetoothChanged(at=at, polled=True, enabled=bluetooth.enabled, connected=bluetooth.connected)


CALLS = Topic("calls", frozenset(), (TELEPHONY,), _call)
NOTIFIED = Topic("notifications", frozenset({"notification_enqueue"}), (NOTIFICATIONS,), _notifications)
TOPICS = (
    Topic("apps", frozenset({"wm_set_resumed_activity", "am_set_resumed_activity"}), (ACTIVITIES,), _app),
    Topic("the screen", frozenset({"screen_toggled"}), (POWER, ACTIVITIES), _screen),
    Topic("the battery level", frozenset({"battery_level"}), (BATTERY,), _level),
    Topic("the charger", frozenset({"battery_status"}), (BATTERY,), _charger),
    NOTIFIED,
    CALLS,
    Topic("the network", frozenset(), (CONNECTIVITY,), _connectivity),
    Topic("Bluetooth", frozenset(), (BLUETOOTH,), _bluetooth),
)
