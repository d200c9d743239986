"""The table behind ``test_walk.py``: what is done in each app, and the state afterwards."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from tests.phones import START
from virtual_phone import PhoneState
from virtual_phone.state.intents import Intent
from virtual_phone.state.well_known import LAUNCHER_APP


class Tap(NamedTuple):
    """Tap what has this text, description, or (with ``#``) resource id."""

    what: str


class Type(NamedTuple):
    """Put text into the field with this resource id."""

    field: str
    text: str


class Key(NamedTuple):
    """Press a key."""

    name: str


class Scroll(NamedTuple):
    """Scroll the list to its end."""


Step = Tap | Type | Key | Scroll
CLOCK = "com.google.android.deskclock"
CONTACTS, PHONE = "com.google.android.contacts", "com.google.android.dialer"
CALENDAR, FILES = "com.google.android.calendar", "com.google.android.apps.nbu.files"
PHOTOS, MUSIC = "com.google.android.apps.photos", "com.google.android.apps.youtube.music"
MAPS = "com.google.android.apps.maps"
WECHAT = "com.tencent.mm"
CHROME, SETTINGS = "com.android.chrome", "com.android.settings"
MAIL, NOTES = "com.google.android.gm", "com.google.android.keep"
SHOP, FOOD = "com.taobao.taobao", "com.sankuai.meituan"


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def granted(state: PhoneState, package: str) -> list[str]:
    app = state.apps.find(package)
    assert app is not None
    return app.granted


def playing(state: PhoneState) -> tuple[str, bool] | None:
    """The song in the player, and whether it plays."""
    session = state.audio.session
    return (session.title, session.playing) if session else None


def call_state(state: PhoneState) -> str:
    """The state of the call, if there is one."""
    return state.calls.current.state if state.calls.current else ""


def message_in_the_shade(state: PhoneState) -> None:
    """A message has come, and the shade is open."""
    state.messages.receive("10086", "hi")
    state.show_panel("shade")


def timer_in_the_shade(state: PhoneState) -> None:
    """A timer runs, and the shade is open."""
    state.alarms.set_timer(300)
    state.show_panel("shade")


def furnish(state: PhoneState) -> None:
    """The state that the walks start from."""
    state.bluetooth.connect("Buds", connected=False)
    state.calendar.add("Dentist", START + timedelta(hours=2))
    for number in (1, 2):
        state.media.add("DCIM/Camera", f"IMG_{number}.jpg", START - timedelta(days=number), 3_000_000)
    state.media.add("Documents", "Report.pdf", START - timedelta(days=3), 4000)


class Walk(NamedTuple):
    """One walk: an app, the steps in it, and the state afterwards."""

    app: str
    steps: tuple[Step, ...]
    then: Callable[[PhoneState], object]
    before: Callable[[PhoneState], object] = lambda state: None
    """Applied to the state before the first step."""


WALKS = {
    "an app is found in the drawer": Walk(
        LAUNCHER_APP,
        (Tap("Apps"), Type("find_app", "bili"), Tap("Bilibili")),
        lambda state: state.apps.foreground.package == "tv.danmaku.bili",
    ),
    "the app before is brought back": Walk(
        CLOCK,
        (Key("home"), Key("recent"), Tap("Clock")),
        lambda state: state.apps.foreground.package == CLOCK,
    ),
    "a recent app is dismissed": Walk(
        CLOCK, (Key("recent"), Tap("Dismiss Clock")), lambda state: state.apps.recent() == []
    ),
    "a message is written and sent": Walk(
        "com.google.android.apps.messaging",
        (Tap("Alice Chen"), Type("compose_message_text", "见面聊 🙂"), Tap("Send")),
        lambda state: state.messages.stored[-1].body == "见面聊 🙂" and state.messages.stored[-1].kind == 2,
    ),
    "a message to somebody new is begun": Walk(
        "com.google.android.apps.messaging",
        (Tap("Compose"), Type("recipient", "bob"), Tap("Bob Li"), Type("compose_message_text", "salut"), Tap("Send")),
        lambda state: [message.body for message in state.messages.conversation("+86 139 1122 3344")] == ["salut"],
    ),
    "shared text is sent as a message": Walk(
        CHROME,
        (Tap("Messages"), Type("recipient", "10086"), Tap("Send")),
        lambda state: (state.messages.stored[-1].address, state.messages.stored[-1].body) == ("10086", "look at this"),
        before=lambda state: state.apps.start(
            Intent(action="android.intent.action.SEND", mime="text/plain",
                   extras={"android.intent.extra.TEXT": "look at this"})
        ),
    ),
    "somebody is written to in a chat app": Walk(
        WECHAT,
        (Tap("Mum"), Type("compose_message_text", "到家了"), Tap("Send"), Key("back"), Tap("到家了")),
        lambda state: [message.text for message in state.chats.of(WECHAT, "Mum")] == ["到家了"]
        and state.apps.foreground.screen == "chat",
    ),
    "shared text is sent in a chat app": Walk(
        CHROME,
        (Tap("WhatsApp"), Tap("Alice Chen"), Tap("Send")),
        lambda state: state.chats.stored[-1].text == "look at this" and state.chats.stored[-1].own,
        before=lambda state: state.apps.start(
            Intent(action="android.intent.action.SEND", mime="text/plain",
                   extras={"android.intent.extra.TEXT": "look at this"})
        ),
    ),
    "a chat message is opened from its notification": Walk(
        WECHAT,
        (Tap("Bob Li"), Tap("Bob Li")),
        lambda state: state.notifications.active == [] and state.apps.foreground.screen == "chat",
        before=lambda state: state.chats.receive(WECHAT, "Bob Li", "你好"),
    ),
    "a message is typed on the keyboard": Walk(
        "com.google.android.apps.messaging",
        (Tap("Alice Chen"), Tap("#compose_message_text"), Tap("Shift"), *(Tap(key) for key in "Hiy"), Tap("Delete"),
         Tap("?123"), Tap("!"), Tap("Send")),
        lambda state: state.messages.stored[-1].body == "Hi!",
    ),
    "an alarm is switched off": Walk(
        CLOCK, (Tap("#onoff"),), lambda state: not state.alarms.alarms[0].enabled
    ),
    "an alarm is added": Walk(
        CLOCK,
        (Tap("Add alarm"), Tap("Hour: earlier"), Tap("Minute: later"), Tap("Sat"), Type("label", "Markt"), Tap("Save")),
        lambda state: [(alarm.hour, alarm.minute, alarm.days, alarm.label) for alarm in state.alarms.alarms][1:]
        == [(14, 1, ["sat"], "Markt")],
    ),
    "an alarm is changed": Walk(
        CLOCK,
        (Tap("Work"), Tap("Hour: later"), Tap("Fri"), Tap("Save")),
        lambda state: (state.alarms.alarms[0].hour, state.alarms.alarms[0].days) == (8, ["mon", "tue", "wed", "thu"]),
    ),
    "an alarm is deleted": Walk(CLOCK, (Tap("Work"), Tap("Delete")), lambda state: state.alarms.alarms == []),
    "a timer is started and held": Walk(
        CLOCK,
        (Tap("Timer"), Tap("5 min"), Tap("Pause")),
        lambda state: (state.alarms.timers[0].ends, state.alarms.timers[0].left) == (None, 300),
    ),
    "a number is dialled and called": Walk(
        PHONE,
        (Tap("Keypad"), *(Tap(key) for key in "10086"), Tap("Call")),
        lambda state: state.calls.current is not None and state.calls.current.number == "10086",
    ),
    "a call is ended and stands in the log": Walk(
        PHONE,
        (Tap("Keypad"), Type("digits", "10010"), Tap("Call"), Tap("End call"), Tap("Recents")),
        lambda state: state.calls.current is None and state.calls.log[-1].number == "10010",
    ),
    "a number is blocked and let in again": Walk(
        PHONE,
        (Type("number", "+86 10086"), Tap("Block"), Type("number", "95588"), Tap("Block"), Tap("Unblock +86 10086")),
        lambda state: state.calls.blocked == ["95588"],
        before=lambda state: state.apps.start(Intent(action="android.telecom.action.MANAGE_BLOCKED_NUMBERS")),
    ),
    "the hotspot is switched on": Walk(
        SETTINGS, (Tap("Hotspot"), Tap("#switch_widget")), lambda state: state.network.hotspot
    ),
    "a contact is made": Walk(
        CONTACTS,
        (Tap("Create contact"), Type("name", "王芳"), Type("phone", "13900000001"), Tap("Save")),
        lambda state: state.contacts.name_of("13900000001") == "王芳",
    ),
    "a contact is changed": Walk(
        CONTACTS,
        (Tap("Bob Li"), Tap("Edit"), Type("name", "Robert Li"), Tap("Save")),
        lambda state: state.contacts.name_of("+86 139 1122 3344") == "Robert Li",
    ),
    "a contact is called": Walk(
        CONTACTS, (Tap("Mum"), Tap("#number")), lambda state: state.calls.current is not None
    ),
    "a contact is deleted": Walk(
        CONTACTS, (Tap("Mum"), Tap("Delete")), lambda state: len(state.contacts.raw) == 2
    ),
    "an event is planned": Walk(
        CALENDAR,
        (Tap("Saturday, Feb 7"), Tap("New event"), Type("title", "牙医"), Type("location", "Room 2"),
         Tap("Starts, time: later"), Tap("Save")),
        lambda state: [(event.title, event.location) for event in state.calendar.events]
        == [("Dentist", ""), ("牙医", "Room 2")] and state.calendar.events[1].start == 1770449400000,
    ),
    "an event is moved": Walk(
        CALENDAR,
        (Tap("Dentist"), Tap("Edit"), Tap("Starts, day: later"), Tap("Ends, day: later"), Tap("Save")),
        lambda state: state.calendar.events[0].start == milliseconds(START + timedelta(days=1, hours=2)),
    ),
    "an event is deleted": Walk(
        CALENDAR, (Tap("Dentist"), Tap("Delete")), lambda state: state.calendar.events == []
    ),
    "a picture goes to the trash": Walk(
        PHOTOS, (Tap("IMG_1.jpg"), Tap("Delete")), lambda state: state.media.items[0].trashed
    ),
    "a picture comes back from the trash": Walk(
        PHOTOS,
        (Tap("IMG_2.jpg"), Tap("Delete"), Tap("Trash"), Tap("Restore IMG_2.jpg"), Key("back"), Tap("IMG_1.jpg"),
         Tap("Share"), Tap("Gmail")),
        lambda state: state.apps.foreground.screen == "mail_compose"
        and not any(item.trashed for item in state.media.items),
    ),
    "a picture is taken and found in its album": Walk(
        "com.google.android.GoogleCamera",
        (Tap("Shutter"), Tap("Photos"), Tap("Albums"), Tap("Camera"), Tap("IMG_20260206_140000.jpg")),
        lambda state: state.apps.foreground.screen == "photo" and len(state.media.items) == 4,
    ),
    "a file is looked at and deleted": Walk(
        FILES,
        (Tap("Documents"), Tap("Report.pdf"), Tap("Delete")),
        lambda state: [item.name for item in state.media.items if item.trashed] == ["Report.pdf"],
    ),
    "a file is gone for good": Walk(
        FILES,
        (Tap("Documents"), Tap("Delete Report.pdf"), Key("back"), Tap("Trash"), Tap("Delete Report.pdf")),
        lambda state: "Report.pdf" not in [item.name for item in state.media.items],
    ),
    "a song is played and the next one held": Walk(
        MUSIC,
        (Tap("Morning Train"), Tap("Next"), Tap("Pause")),
        lambda state: playing(state) == ("Paper Boats", False),
    ),
    "a mail is answered": Walk(
        MAIL,
        (Tap("City Library"), Tap("Reply"), Type("body", "Спасибо!"), Tap("Send")),
        lambda state: [(letter.person, letter.subject, letter.body) for letter in state.mail.letters][2:]
        == [("City Library", "Re: Your loan ends soon", "Спасибо!")],
    ),
    "a mail is written": Walk(
        MAIL,
        (Tap("Compose"), Type("to", "a@example.org"), Type("subject", "你好"), Tap("Send"), Tap("Sent"),
         Tap("a@example.org")),
        lambda state: state.apps.foreground.screen == "letter" and state.mail.letters[-1].subject == "你好",
    ),
    "a mail is deleted": Walk(MAIL, (Tap("Alice Chen"), Tap("Delete")), lambda state: len(state.mail.letters) == 1),
    "a note is written": Walk(
        NOTES,
        (Tap("New note"), Type("title", "Idee"), Type("body", "ein Baum 🌳"), Tap("Done")),
        lambda state: (state.notes.written[-1].title, state.notes.written[-1].body) == ("Idee", "ein Baum 🌳"),
    ),
    "a note is changed": Walk(
        NOTES,
        (Tap("Shopping"), Type("body", "Rice"), Tap("Done")),
        lambda state: state.notes.written[0].body == "Rice",
    ),
    "a note is deleted": Walk(
        NOTES, (Tap("Shopping"), Tap("Delete")), lambda state: len(state.notes.written) == 1
    ),
    "a place is searched for and driven to": Walk(
        MAPS,
        (Type("search", "library"), Tap("City Library"), Tap("Start")),
        lambda state: (state.apps.foreground.screen, state.notifications.active[0].title)
        == ("navigation", "To City Library"),
    ),
    "a drive is ended": Walk(
        MAPS,
        (Tap("Parks"), Tap("Riverside Park"), Tap("Start"), Tap("Exit")),
        lambda state: state.apps.foreground.screen == "place" and state.notifications.active == [],
    ),
    "an address is typed and opened": Walk(
        CHROME,
        (Type("url_bar", "example.org/bücher"), Key("enter")),
        lambda state: state.apps.foreground.intent.data == "https://example.org/bücher"
        and state.browsing.visited == ["https://example.org/bücher"],
    ),
    "words are searched for and the start page remembers": Walk(
        CHROME,
        (Tap("News"), Type("url_bar", "天气"), Tap("Open this"), Tap("Start page"), Tap("https://news.example.org/")),
        lambda state: (state.apps.foreground.intent.data, len(state.browsing.visited))
        == ("https://news.example.org/", 2),
    ),
    "Wi-Fi is switched off and a network forgotten": Walk(
        SETTINGS,
        (Tap("Wi-Fi"), Tap("#switch_widget"), Tap("Forget Home-5G")),
        lambda state: not state.network.wifi and state.network.saved == {},
    ),
    "headphones are connected": Walk(
        SETTINGS,
        (Tap("Bluetooth"), Tap("Buds")),
        lambda state: [device.connected for device in state.bluetooth.devices] == [True],
    ),
    "the screen is made brighter and stays on longer": Walk(
        SETTINGS,
        (Tap("Display"), Tap("Brightness: more"), Tap("Screen timeout")),
        lambda state: (state.settings.get("system", "screen_brightness"),
                       state.settings.get("system", "screen_off_timeout")) == ("127", "120000"),
    ),
    "the music is turned down and the phone silenced": Walk(
        SETTINGS,
        (Tap("Sound & vibration"), Tap("Media volume: less"), Tap("Vibrate")),
        lambda state: (state.audio.volumes[3], state.audio.ringer) == (7, "vibrate"),
    ),
    "an app is uninstalled": Walk(
        SETTINGS,
        (Scroll(), Tap("Apps"), Tap("Bilibili"), Tap("Uninstall"), Tap("OK")),
        lambda state: state.apps.find("tv.danmaku.bili") is None,
    ),
    "a permission is given": Walk(
        MAPS,
        (Tap("My location"), Tap("While using the app")),
        lambda state: granted(state, MAPS) == ["android.permission.ACCESS_FINE_LOCATION"]
        and state.apps.foreground.screen == "maps",
    ),
    "a permission is refused, and asked for again": Walk(
        MAPS,
        (Tap("My location"), Tap("Don't allow"), Tap("My location")),
        lambda state: granted(state, MAPS) == [] and state.apps.foreground.screen == "permission",
    ),
    "a call is answered on its notification": Walk(
        SETTINGS,
        (Tap("Answer"),),
        lambda state: call_state(state) == "active" and state.apps.foreground.screen == "call",
        before=lambda state: state.calls.ring("10086"),
    ),
    "a call is declined on its screen": Walk(
        SETTINGS,
        (Tap("Incoming call"), Tap("Decline")),
        lambda state: state.calls.current is None and state.calls.log[-1].kind == 3,
        before=lambda state: state.calls.ring("10086"),
    ),
    "a message is marked as read in the shade": Walk(
        SETTINGS,
        (Tap("Mark as read"), Key("back")),
        lambda state: state.messages.stored[-1].read and state.notifications.active == [],
        before=message_in_the_shade,
    ),
    "Wi-Fi is switched off in the shade": Walk(
        SETTINGS,
        (Tap("Home-5G"), Tap("Bluetooth"), Key("back")),
        lambda state: not state.network.wifi and not state.bluetooth.enabled,
        before=lambda state: state.show_panel("shade"),
    ),
    "a timer is lengthened on its notification": Walk(
        CLOCK,
        (Tap("+1 min"), Key("back")),
        lambda state: state.alarms.timers[0].ends == START + timedelta(minutes=6),
        before=timer_in_the_shade,
    ),
    "dark mode is switched on": Walk(
        SETTINGS, (Tap("Dark theme"),), lambda state: state.display.night == "yes"
    ),
    "something is bought as far as the confirmation": Walk(
        SHOP,
        (Type("search", "umbrella"), Tap("Folding umbrella"), Tap("Add to cart"), Tap("Cart"), Tap("One more Folding"),
         Tap("Checkout"), Tap("Place order")),
        lambda state: state.apps.foreground.screen == "confirm_order" and state.baskets.of(SHOP) == {"umbrella": 2},
    ),
    "a dish is ordered as far as the confirmation": Walk(
        FOOD,
        (Tap("Noodle House"), Tap("One more Beef noodles"), Tap("View cart"), Tap("Checkout"), Tap("Place order")),
        lambda state: state.apps.foreground.screen == "confirm_order" and state.baskets.of(FOOD) == {"beef_noodles": 1},
    ),
}  # fmt: skip
