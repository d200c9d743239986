"""What happens on the phone, as it happens: typed events from one ``logcat -b events`` stream.

The formats follow AOSP's ``EventLogTags.logtags`` (``frameworks/base/services/core/java/com/android/server`` and its
``am``, ``wm`` and ``policy`` folders, android-9 to android-14) and public bug reports; none of it is verified on
hardware of our own.
"""

from android_bridge.events.model import (
    AlarmRang,
    AppForeground,
    BatteryLevel,
    BluetoothChanged,
    CallChanged,
    ChargerChanged,
    ConnectivityChanged,
    NotificationPosted,
    NotificationRemoved,
    PhoneEvent,
    ScreenChanged,
    ScreenState,
)
from android_bridge.events.stream import PhoneEvents, phone_events

__all__ = [
    "AlarmRang",
    "AppForeground",
    "BatteryLevel",
    "BluetoothChanged",
    "CallChanged",
    "ChargerChanged",
    "ConnectivityChanged",
    "NotificationPosted",
    "NotificationRemoved",
    "PhoneEvent",
    "PhoneEvents",
    "ScreenChanged",
    "ScreenState",
    "phone_events",
]
