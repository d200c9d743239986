"""The names of facts: what situations, routines and prompts may refer to.

A name is stable once it is here. Values are language-neutral; times are ISO 8601 on the phone's wall clock. A fact
that does not hold (no alarm is set, nothing unread) is absent, and its source is not in ``Section.missing``.
"""

from typing import NamedTuple

from collectors.context import Dimension
from heed.trust import Trust


class FactName(NamedTuple):
    """What a fact says."""

    dimension: Dimension
    trust: Trust
    value: str
    """Type and meaning of the value."""


_D, _W, _T = Dimension.DEVICE, Dimension.WORLD, Dimension.TRAJECTORY
_MEASURED, _OTHERS, _OWNER = Trust.DEVICE, Trust.THIRD_PARTY, Trust.OWNER

FACTS: dict[str, FactName] = {
    "phone.model": FactName(_D, _MEASURED, "str: maker and model"),
    "phone.android": FactName(_D, _MEASURED, "str: Android version"),
    "phone.locale": FactName(_D, _MEASURED, "str: BCP 47, e.g. zh-Hans-CN"),
    "battery.level": FactName(_D, _MEASURED, "int: percent"),
    "battery.plugged": FactName(_D, _MEASURED, "bool: a charger is connected, charging or not"),
    "battery.status": FactName(_D, _MEASURED, "charging | discharging | not_charging | full | unknown"),
    "power_saving.enabled": FactName(_D, _MEASURED, "bool"),
    "network.kind": FactName(_D, _MEASURED, "wifi | mobile | none"),
    "network.wifi_name": FactName(_D, _OTHERS, "str: the network that the phone is connected to"),
    "airplane_mode.enabled": FactName(_D, _MEASURED, "bool"),
    "place": FactName(_D, _MEASURED, "home | work | label of another place of the profile"),
    "location": FactName(_D, _MEASURED, "{latitude, longitude to about 1 km, minutes_old}: only outside known places"),
    "screen.on": FactName(_D, _MEASURED, "bool"),
    "screen.locked": FactName(_D, _MEASURED, "bool"),
    "foreground.package": FactName(_D, _MEASURED, "str"),
    "foreground.activity": FactName(_D, _MEASURED, "str: fully qualified class"),
    "foreground.app": FactName(_D, _MEASURED, "str: its usual name, in the configured language"),
    "foreground.excluded": FactName(_D, _MEASURED, "true: the app in front is never looked at"),
    "call.state": FactName(_D, _MEASURED, "idle | ringing | off_hook, of the SIM cards"),
    "call.has_sound": FactName(_D, _MEASURED, "bool: a call, of the SIM cards or of an app, has the sound"),
    "dnd.mode": FactName(_D, _MEASURED, "off | priority | alarms_only | total_silence"),
    "ringer.mode": FactName(_D, _MEASURED, "normal | vibrate | silent"),
    "ringer.volume": FactName(_D, _MEASURED, "int: percent, 0 when muted"),
    "alarms.volume": FactName(_D, _MEASURED, "int: percent, 0 when muted"),
    "media.volume": FactName(_D, _MEASURED, "int: percent, 0 when muted"),
    "media.playing": FactName(_D, _MEASURED, "bool"),
    "media.app": FactName(_D, _MEASURED, "str: what plays"),
    "media.title": FactName(_D, _OTHERS, "str: title, artist, album"),
    "bluetooth.enabled": FactName(_D, _MEASURED, "bool"),
    "bluetooth.connected": FactName(_D, _MEASURED, "bool: any device"),
    "bluetooth.sound": FactName(_D, _OTHERS, "str: name of the device that sound goes to"),
    "dark_mode.enabled": FactName(_D, _MEASURED, "bool"),
    "alarms.next": FactName(_D, _MEASURED, "{time, date, clock HH:MM, weekday mon..sun, minutes_ahead}"),
    "media.screenshots_old": FactName(_D, _MEASURED, "{count, before date, oldest date, bytes}"),
    "notifications": FactName(_D, _OTHERS, "list, newest first: {package, app or null, title or null, text, time}"),
    "notifications.withheld": FactName(_D, _MEASURED, "int: notifications of apps that are never looked at"),
    "sms.unread": FactName(_D, _OTHERS, "list, newest first: {number, text, time, contact: name, null = nobody's}"),
    "contacts.matching": FactName(_D, _OWNER, "list: {name, numbers} of whom unread SMS come from or mention"),
    "time.local": FactName(_W, _MEASURED, "ISO 8601 with offset"),
    "time.weekday": FactName(_W, _MEASURED, "mon..sun"),
    "time.holiday": FactName(_W, _MEASURED, "str: name of today's public holiday, in the configured language"),
    "time.workday": FactName(_W, _MEASURED, "bool: neither weekend nor holiday, or a shifted working day"),
    "trajectory.steps": FactName(
        Dimension.TRAJECTORY,
        _OTHERS,
        "list, oldest first: {time, kind (see StepKind), package, app, target, text, direction}, what is known of them",
    ),
    "log.recent": FactName(
        Dimension.TRAJECTORY, _OTHERS, "list, oldest first: {time, location (home, work or as logged), action}"
    ),
}

PROFILE_PREFIX = "profile."
"""Each leaf of the owner's profile is a fact ``profile.<section>.<path>`` of the owner's trust."""
