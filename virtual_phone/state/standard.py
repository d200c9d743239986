"""The contents of the standard phone: settings of Android 14, contacts, messages, mail, notes, an alarm."""

from datetime import timedelta
from typing import Protocol

from virtual_phone.state.alarms import AlarmsState
from virtual_phone.state.apps import AppsState
from virtual_phone.state.battery import BatteryState
from virtual_phone.state.boot_log import BOOT_LINES
from virtual_phone.state.clock import VirtualClock
from virtual_phone.state.identity import IdentityState
from virtual_phone.state.keyboard import GBOARD
from virtual_phone.state.log import LogState
from virtual_phone.state.mail import MailState
from virtual_phone.state.network import NetworkState
from virtual_phone.state.notes import NotesState
from virtual_phone.state.notifications import REASON_APP_CANCEL
from virtual_phone.state.people import ContactsState, MessagesState
from virtual_phone.state.power import SCREEN_ON, SCREEN_UNLOCKED
from virtual_phone.state.settings import SettingsState
from virtual_phone.state.well_known import MESSAGING_APP

_SETTINGS = {
    "system": {
        "accelerometer_rotation": "1",
        "font_scale": "1.0",
        "haptic_feedback_enabled": "1",
        "screen_brightness": "102",
        "screen_brightness_mode": "0",
        "screen_off_timeout": "60000",
        "sound_effects_enabled": "1",
        "user_rotation": "0",
        "volume_alarm": "6",
        "volume_music": "8",
        "volume_ring": "5",
    },
    "secure": {
        "android_id": "5e4d3c2b1a098765",
        "default_input_method": GBOARD,
        "enabled_input_methods": GBOARD,
        "location_providers_allowed": "gps,network",
        "lock_screen_show_notifications": "1",
        "night_display_activated": "0",
        "sms_default_application": MESSAGING_APP,
        "user_setup_complete": "1",
    },
    "global": {
        "adb_enabled": "1",
        "airplane_mode_on": "0",
        "auto_time": "1",
        "auto_time_zone": "1",
        "bluetooth_on": "1",
        "boot_count": "12",
        "device_provisioned": "1",
        "heads_up_notifications_enabled": "1",
        "low_power_trigger_level": "0",
        "mobile_data": "1",
        "stay_on_while_plugged_in": "0",
        "wifi_on": "1",
    },
}

_PEOPLE = {
    "en": (("Alice Chen", "+86 138 0013 8000"), ("Bob Li", "+86 139 1122 3344"), ("Mum", "+86 137 6655 4433")),
    "zh": (("陈爱丽", "+86 138 0013 8000"), ("李博", "+86 139 1122 3344"), ("妈妈", "+86 137 6655 4433")),
}
_SMALL_TALK = {
    "en": (("+86 138 0013 8000", "Lunch tomorrow?"), ("+86 137 6655 4433", "Call me when you are home")),
    "zh": (("+86 138 0013 8000", "明天一起吃午饭？"), ("+86 137 6655 4433", "到家了给我打电话")),
}
_LETTERS = {
    "en": (("Alice Chen", "Weekend in the hills", "There is a hut free on Saturday. Shall we take the early train?"),
           ("City Library", "Your loan ends soon", "“Slow Rivers” is due in a week. You can renew it at the desk.")),
    "zh": (("陈爱丽", "周末去山里", "周六有一间小屋空着。我们坐早班火车去吗？"),
           ("市图书馆", "借阅即将到期", "《慢河》一周后到期，可到前台续借。")),
}  # fmt: skip
_NOTES = {
    "en": (("Shopping", "Milk\nBread\nApples"), ("Books to read", "Slow Rivers")),
    "zh": (("购物清单", "牛奶\n面包\n苹果"), ("想读的书", "《慢河》")),
}

_BOOTED_AGO = 600.0
"""Seconds."""


class FurnishedPhone(Protocol):
    """The phone, as far as the standard contents touch it."""

    clock: VirtualClock
    log: LogState
    alarms: AlarmsState
    apps: AppsState
    battery: BatteryState
    contacts: ContactsState
    identity: IdentityState
    mail: MailState
    messages: MessagesState
    network: NetworkState
    notes: NotesState
    settings: SettingsState


def furnish(state: FurnishedPhone) -> None:
    """Fill a new phone; no notification is posted, and the log holds the boot only."""
    for namespace, values in _SETTINGS.items():
        for key, value in values.items():
            state.settings.store(namespace, key, value)
    for namespace, key in (("global", "device_name"), ("secure", "bluetooth_name")):
        state.settings.store(namespace, key, state.identity.model)
    state.network.store_subscriptions()
    language = state.identity.language
    for name, number in _PEOPLE[language]:
        state.contacts.add(name, number)
    now = state.clock.wall()
    for days, (number, text) in enumerate(_SMALL_TALK[language], start=1):
        moment = round((now - timedelta(days=days)).timestamp() * 1000)
        state.messages.store(number, text, date=moment).read = True
    for days, (sender, subject, body) in enumerate(_LETTERS[language], start=1):
        moment = round((now - timedelta(days=days)).timestamp() * 1000)
        state.mail.store("inbox", sender, subject, body, date=moment).read = True
    for title, body in _NOTES[language]:
        state.notes.write(title, body)
    state.alarms.add(7, 0, ["mon", "tue", "wed", "thu", "fri"], {"en": "Work", "zh": "上班"}[language])
    state.apps.home()
    state.log.clear()
    log_boot(state)


def log_boot(state: FurnishedPhone) -> None:
    """Write the log of a phone that has booted and been connected to a cable."""
    for number, (priority, tag, message) in enumerate(BOOT_LINES):
        state.log.line(tag, message, priority, ago=_BOOTED_AGO - number)
    battery = state.battery
    about = "Notification(channel=DEVELOPER_IMPORTANT shortcut=null contentView=null vibrate=null sound=null"
    about += " defaults=0x0 flags=0x2 color=0xff607d8b category=sys vis=PUBLIC)"
    posted = (1000, state.apps.pid("android"), "android", 26, "NULL", -1, about, 0)
    removed = ("-1|android|26|null|1000", REASON_APP_CANCEL, 0, 0, 0, 0, 0, "NULL")
    events: tuple[tuple[str, tuple[int | str, ...]], ...] = (
        ("battery_level", (battery.level, battery.voltage, battery.temperature)),
        ("battery_status", (battery.status, battery.health, 1, 0, battery.technology)),
        ("screen_toggled", (SCREEN_ON,)),
        ("screen_toggled", (SCREEN_UNLOCKED,)),
        ("wm_set_resumed_activity", (0, state.apps.foreground.component, "goHome")),
        ("notification_enqueue", posted),
        ("notification_canceled", removed),
    )
    for tag, values in events:
        state.log.event(tag, *values, ago=_BOOTED_AGO)
