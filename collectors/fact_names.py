"""The names of facts that situations, routines and prompts may refer to.

Names in this table are stable. Values are language-neutral; times are ISO 8601 on the phone's wall clock. A fact that
does not apply (no alarm is set, nothing unread) is absent, and its source is not in ``Section.missing``.
"""

from typing import NamedTuple

from collectors.context import Dimension
from heed.trust import Trust


class FactName(NamedTuple):
    """Description of a fact."""

    dimension: Dimension
    trust: Trust
    value: str
    """Type and meaning of the value."""


_P, _D, _W = Dimension.PROFILE, Dimension.DEVICE, Dimension.WORLD
_MEASURED, _OTHERS, _OWNER = Trust.DEVICE, Trust.THIRD_PARTY, Trust.OWNER

FACTS: dict[str, FactName] = {
    "people.called": FactName(_P, _OWNER, "list of contacts' names, most called of a month first"),
    "people.messaged": FactName(_P, _OWNER, "list of contacts' names, most SMS of a month first"),
    "apps.installed": FactName(_P, _MEASURED, "{kind: [names]} of the apps that the owner installed"),
    "apps.used": FactName(_P, _MEASURED, "{morning | day | evening | night: [names]}: opened most then"),
    "calendar.regular": FactName(_P, _OTHERS, "list: {title, every day | week | month | year, days mon..sun, clock}"),
    "sleep.usual": FactName(
        _P, _MEASURED, "{mon..sun: HH:MM-HH:MM}: when the owner sleeps, as the phone has learnt it"
    ),
    "phone.model": FactName(_D, _MEASURED, "str: maker and model"),
    "phone.android": FactName(_D, _MEASURED, "str: Android version"),
    "phone.locale": FactName(_D, _MEASURED, "str: BCP 47, e.g. zh-Hans-CN"),
    "phone.languages": FactName(_D, _MEASURED, "list of BCP 47, best liked first, where there are several"),
    "battery.level": FactName(_D, _MEASURED, "int: percent"),
    "battery.plugged": FactName(_D, _MEASURED, "bool: a charger is connected, charging or not"),
    "battery.status": FactName(_D, _MEASURED, "charging | discharging | not_charging | full | unknown"),
    "power_saving.enabled": FactName(_D, _MEASURED, "bool"),
    "network.kind": FactName(_D, _MEASURED, "wifi | mobile | none"),
    "network.wifi_name": FactName(_D, _OTHERS, "str: the network that the phone is connected to"),
    "airplane_mode.enabled": FactName(_D, _MEASURED, "bool"),
    "wifi.enabled": FactName(_D, _MEASURED, "bool: the switch"),
    "mobile_data.enabled": FactName(_D, _MEASURED, "bool: the switch"),
    "place": FactName(_D, _MEASURED, "home | work | label of another place of the profile"),
    "location": FactName(_D, _MEASURED, "{latitude, longitude to about 1 km, minutes_old}: only outside known places"),
    "screen.on": FactName(_D, _MEASURED, "bool"),
    "screen.locked": FactName(_D, _MEASURED, "bool"),
    "foreground.package": FactName(_D, _MEASURED, "str"),
    "foreground.activity": FactName(_D, _MEASURED, "str: fully qualified class"),
    "foreground.app": FactName(_D, _MEASURED, "str: its usual name, in the configured language"),
    "foreground.excluded": FactName(_D, _MEASURED, "true: the app in front is never looked at"),
    "keyboard.shown": FactName(_D, _MEASURED, "bool"),
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
    "bluetooth.kind": FactName(_D, _OTHERS, "headphones | speaker | car: what sound goes to, where its name tells"),
    "navigation.guiding": FactName(_D, _OTHERS, "true: an app guides the way, turn by turn"),
    "motion.speed": FactName(_D, _MEASURED, "int: km/h within the last minute"),
    "dark_mode.enabled": FactName(_D, _MEASURED, "bool"),
    "alarms.next": FactName(_D, _MEASURED, "{time, date, clock HH:MM, weekday mon..sun, minutes_ahead}"),
    "calendar.next": FactName(
        _D,
        _OTHERS,
        "list, soonest first, of twelve hours: {title, location, description (600 characters), links (addresses in "
        "location and description), meeting_url and meeting_platform (of an online meeting), place (home, work or "
        "label, where the location names one), distance_km (from the phone to it), start, end, minutes_ahead}, or date "
        "and all_day instead of the last three",
    ),
    "calendar.first": FactName(
        _D,
        _OTHERS,
        "{title, start, minutes_ahead, minutes_after_alarm}: the first appointment between 03:00 and 12:00 of the next "
        "24 hours; minutes_after_alarm is counted from alarms.next, negative = the alarm rings after the start",
    ),
    "storage.free": FactName(_D, _MEASURED, "int: percent of the space for files that is left"),
    "storage.free_gb": FactName(_D, _MEASURED, "float: gigabytes that are left"),
    "media.screenshots_old": FactName(_D, _MEASURED, "{count, before date, oldest date, bytes}"),
    "notifications": FactName(
        _D,
        _OTHERS,
        "list, newest first: {package, app or null, title or null, text, time, contact (of a message: the contact of "
        "the sender's name, null = none), link_hosts (hosts of the links in the text)}",
    ),
    "notifications.withheld": FactName(_D, _MEASURED, "int: notifications of apps that are never looked at"),
    "sms.unread": FactName(
        _D,
        _OTHERS,
        "list, newest first: {number, text, time, contact: name, null = nobody's, answered (bool: the owner wrote to "
        "the number or called it within a month), link_hosts (hosts of the links in the text)}",
    ),
    "contacts.matching": FactName(_D, _OWNER, "list: {name, numbers} of whom unread SMS come from or mention"),
    "calls.missed": FactName(
        _D, _OTHERS, "list, newest first, not looked at yet: {number, time, contact and answered as above}"
    ),
    "time.local": FactName(_W, _MEASURED, "ISO 8601 with offset"),
    "time.weekday": FactName(_W, _MEASURED, "mon..sun"),
    "time.holiday": FactName(_W, _MEASURED, "str: name of today's public holiday, in the configured language"),
    "time.workday": FactName(_W, _MEASURED, "bool: neither weekend nor holiday, or a shifted working day"),
    "sun.up": FactName(_W, _MEASURED, "bool"),
    "sun.rises": FactName(_W, _MEASURED, "HH:MM, today at about the phone's place"),
    "sun.sets": FactName(_W, _MEASURED, "HH:MM"),
    "weather.now": FactName(_W, _OTHERS, "{temperature in °C, sky: clear | rain | …}"),
    "weather.today": FactName(_W, _OTHERS, "{low, high in °C, rain_percent}"),
    "rates": FactName(_W, _OTHERS, "{base, date, rates: {currency: units for one of base}}"),
    "news.headlines": FactName(_W, _OTHERS, "list of str"),
    "trajectory.steps": FactName(
        Dimension.TRAJECTORY,
        _OTHERS,
        "list, oldest first: {time, kind (see StepKind), package, app, target, text, direction}, what is known of them",
    ),
    "log.recent": FactName(
        Dimension.TRAJECTORY,
        _OTHERS,
        "list, oldest first: {time, location (home, work or as logged), action, package of a recorded visit}",
    ),
    "heed.done": FactName(
        Dimension.TRAJECTORY,
        _OTHERS,
        "list, oldest first, of the last 24 hours: {time, function, arguments, outcome (see OutcomeKind), undone, "
        "app (package of the page that was opened)}: what heed carried out; measured where no text of others had a "
        "part in any of it",
    ),
}

PROFILE_PREFIX = "profile."
"""Each leaf of the owner's profile is a fact ``profile.<section>.<path>`` of the owner's trust."""
