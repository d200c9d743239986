"""Typed events of a phone, from one ``logcat -b events`` stream.

The formats follow AOSP's ``EventLogTags.logtags`` (``frameworks/base/services/core/java/com/android/server`` and its
``am``, ``wm`` and ``policy`` folders, android-9 to android-14), public bug reports, and captures of an OPPO and a
Xiaomi phone.
"""

from android_bridge.events.model import (
    AlarmRang,
    AppForeground,
    BatteryLevel,
    BluetoothChanged,
    CallChanged,
    ChargerChanged,
    ConnectivityChanged,
    DataSynced,
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
    "DataSynced",
    "NotificationPosted",
    "NotificationRemoved",
    "PhoneEvent",
    "PhoneEvents",
    "ScreenChanged",
    "ScreenState",
    "phone_events",
]
