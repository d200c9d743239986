"""What happened, with what must be read besides."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from android_bridge.events import (
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
from android_bridge.facts.audio import AUDIO, Audio, AudioStream, Ringer
from android_bridge.facts.battery import BATTERY, Battery, ChargeStatus, Plug
from android_bridge.facts.bluetooth import Bluetooth, BluetoothDevice
from android_bridge.facts.content import Rows
from android_bridge.facts.media import MEDIA_SESSIONS, MediaSession
from android_bridge.facts.notifications import NOTIFICATIONS, NotificationMessage, Notifications
from android_bridge.facts.reader import Reader
from android_bridge.facts.telephony import CallState
from collectors.config import CollectorsConfig
from collectors.context import Trigger
from collectors.source import PhoneValues
from collectors.sources.messages import SMS_UNREAD
from collectors.sources.senders import CONTACTS, SENDER_NEEDS
from collectors.triggers import (
    bluetooth_trigger,
    call_trigger,
    connection_trigger,
    network_trigger,
    notification_trigger,
    power_trigger,
    sms_trigger,
    state_trigger,
)
from heed.errors import DeviceError
from heed.trust import Trust
from tests.collectors.sources.test_messages import BOB, notification

AT = datetime.fromisoformat("2026-02-06T16:10:00+08:00")
CONFIG = CollectorsConfig(excluded_apps=frozenset({"my.bank"}))
LOW = Battery(level=15, plugged=(), status=ChargeStatus.DISCHARGING)
FAILED = DeviceError("no answer")


def seen(values: dict[Reader[Any], Any]) -> PhoneValues:
    """A sender's reader without a value was not answered."""
    return PhoneValues(AT, Trigger(kind="x"), {need.reader: FAILED for need in SENDER_NEEDS} | values)


def posted(package: str = "a.b", **more: Any) -> NotificationPosted:
    fields = {"id": 1, "tag": None, "user": 0, "channel": "c", "category": "msg", "update": False}
    return NotificationPosted.model_validate({"at": AT, "package": package, **fields, **more})


def sms(body: str, *, minutes_ago: int = 0, number: str = "5550199") -> Rows:
    moment = AT - timedelta(minutes=minutes_ago)
    row = {"_id": "8", "date": str(int(moment.timestamp() * 1000)), "address": number, "body": body}
    return Rows(items=(row,))


def test_a_falling_battery_says_whether_it_is_charged() -> None:
    event = BatteryLevel(at=AT, level=15)
    assert power_trigger(event, seen({BATTERY: LOW})).data == {"level": 15, "plugged": False}
    assert power_trigger(event, seen({BATTERY: FAILED})).data == {"level": 15}


def test_a_charger_that_comes_or_goes() -> None:
    event = ChargerChanged(at=AT, plugged=(Plug.USB,))
    assert power_trigger(event, seen({BATTERY: LOW})) == Trigger(kind="charger", data={"plugged": True, "level": 15})


@pytest.mark.parametrize(
    ("event", "trigger"),
    [
        (ScreenChanged(at=AT, state=ScreenState.UNLOCKED), Trigger(kind="screen", data={"state": "unlocked"})),
        (
            AppForeground(at=AT, package="com.android.chrome", activity="x.Main"),
            Trigger(
                kind="app_foreground", data={"package": "com.android.chrome", "app": "Chrome", "activity": "x.Main"}
            ),
        ),
        (AlarmRang(at=AT, package="a.clock"), Trigger(kind="alarm", data={"package": "a.clock", "app": None})),
        (AppForeground(at=AT, package="my.bank", activity="my.bank.Main"), None),
        (NotificationRemoved(at=AT, package="a", id=1, tag=None, user=0, reason=1), None),
    ],
)
def test_what_needs_no_reading(event: PhoneEvent, trigger: Trigger | None) -> None:
    assert state_trigger(event, CONFIG) == trigger


def test_a_new_sms_is_told_with_its_text_redacted() -> None:
    values = {SMS_UNREAD: sms("this is Bob's parcel service, your code is 482913"), CONTACTS: Rows(items=(BOB,))}
    trigger = sms_trigger(posted(), seen(values))
    assert trigger is not None and trigger.trust is Trust.THIRD_PARTY
    assert trigger.data == {
        "id": "8",
        "number": "5550199",
        "text": "this is Bob's parcel service, your code is [code]",
        "time": "2026-02-06T16:10:00+08:00",
        "contact": None,
    }


def test_a_known_number_is_named_even_written_differently() -> None:
    trigger = sms_trigger(posted(), seen({SMS_UNREAD: sms("hi", number="+15550100"), CONTACTS: Rows(items=(BOB,))}))
    assert trigger is not None and trigger.data["contact"] == "Bob Li"


@pytest.mark.parametrize(
    "values",
    [
        {SMS_UNREAD: sms("old", minutes_ago=30), CONTACTS: Rows(items=())},
        {SMS_UNREAD: Rows(items=()), CONTACTS: Rows(items=())},
        {SMS_UNREAD: FAILED, CONTACTS: Rows(items=())},
    ],
    ids=["an old one", "none", "unreadable"],
)
def test_without_a_new_sms_there_is_none(values: dict[Reader[Any], Any]) -> None:
    assert sms_trigger(posted(), seen(values)) is None


def test_with_unreadable_contacts_nobody_is_called_unknown() -> None:
    trigger = sms_trigger(posted(), seen({SMS_UNREAD: sms("hi"), CONTACTS: FAILED}))
    assert trigger is not None and "contact" not in trigger.data


def test_a_notification_is_told_with_what_it_shows() -> None:
    values = {
        NOTIFICATIONS: Notifications(items=(notification("c.d", "Other"), notification("a.b", "Sam", "OTP 112233")))
    }
    trigger = notification_trigger(posted(), seen(values))
    assert trigger is not None and trigger.trust is Trust.THIRD_PARTY
    assert trigger.data["title"] == "Sam" and trigger.data["text"] == "OTP [code]"


@pytest.mark.parametrize(
    ("event", "items"),
    [
        (posted(), ()),
        (posted(), (notification("a.b", "Song", flags=frozenset({"ONGOING_EVENT"})),)),
        (posted(update=True), (notification("a.b", "12 % done", category="progress"),)),
        (posted(update=True), (notification("a.b", "Score 1:0", category="event"),)),
    ],
    ids=["gone again", "a player", "progress", "a change that is no message"],
)
def test_what_says_nothing_to_the_owner_is_no_trigger(event: NotificationPosted, items: Any) -> None:
    assert notification_trigger(event, seen({NOTIFICATIONS: Notifications(items=items)})) is None


def test_a_message_added_to_a_conversation_is_a_trigger() -> None:
    items = (notification("a.b", "Sam", "second"),)
    assert notification_trigger(posted(update=True), seen({NOTIFICATIONS: Notifications(items=items)}))


def test_of_a_conversation_only_the_newest_message_is_news() -> None:
    messages = (
        NotificationMessage(sender="Sam", text="hello?"),
        NotificationMessage(sender="Ann", text="the build is red"),
    )
    items = (notification("a.b", "Team", "…", messages=messages, conversation="DevOps"),)
    trigger = notification_trigger(posted(), seen({NOTIFICATIONS: Notifications(items=items)}))
    assert trigger is not None
    assert [trigger.data[key] for key in ("title", "sender", "text")] == ["DevOps", "Ann", "the build is red"]


BUDS = Bluetooth(
    enabled=True,
    connected=True,
    bonded=(BluetoothDevice(address="02:00:00:00:00:01", name="Galaxy Buds"),),
    active_audio="02:00:00:00:00:01",
)


def test_a_network_is_told_with_the_one_before() -> None:
    event = ConnectivityChanged(at=AT, transports=("CELLULAR", "VPN"), validated=True)
    assert network_trigger(event, None) == Trigger(kind="connectivity", data={"kind": "mobile"})
    assert network_trigger(event, "wifi").data == {"kind": "mobile", "before": "wifi"}


def test_a_car_that_connects() -> None:
    trigger = connection_trigger(named("HiLux"))
    assert trigger is not None and trigger.trust is Trust.THIRD_PARTY
    assert trigger.data == {"device": "HiLux", "device_kind": "car"}
    assert connection_trigger(named("X3")) == trigger.model_copy(update={"data": {"device": "X3"}})
    assert connection_trigger(BUDS.model_copy(update={"active_audio": None})) is None


def named(name: str) -> Bluetooth:
    return BUDS.model_copy(update={"bonded": (BluetoothDevice(address="02:00:00:00:00:01", name=name),)})


def test_headphones_that_go_away() -> None:
    gone = BluetoothChanged(at=AT, enabled=True, connected=False)
    music = Audio(
        ringer=Ringer.NORMAL,
        streams={"MUSIC": AudioStream(volume=6, minimum=0, maximum=15, muted=False)},
        in_call=None,
    )
    player = MediaSession(package="a.player", active=True, state="PLAYING", description="Song")
    trigger = bluetooth_trigger(gone, BUDS, seen({MEDIA_SESSIONS: (player,), AUDIO: music}))
    assert trigger is not None and trigger.data == {
        "device": "Galaxy Buds",
        "device_kind": "headphones",
        "media_may_be_playing": True,
        "media_volume": 40,
    }
    unnamed = BUDS.model_copy(update={"active_audio": None})
    assert bluetooth_trigger(gone, unnamed, seen({MEDIA_SESSIONS: FAILED, AUDIO: FAILED})) == Trigger(
        kind="bluetooth_disconnected"
    )


@pytest.mark.parametrize("before", [None, BUDS.model_copy(update={"connected": False})], ids=["unknown", "idle"])
def test_what_was_not_connected_cannot_go_away(before: Bluetooth | None) -> None:
    gone = BluetoothChanged(at=AT, enabled=True, connected=False)
    assert bluetooth_trigger(gone, before, seen({MEDIA_SESSIONS: (), AUDIO: FAILED})) is None


def test_a_call_names_its_caller() -> None:
    event = CallChanged(at=AT, state=CallState.RINGING, number="5550100")
    trigger = call_trigger(event, seen({CONTACTS: Rows(items=(BOB,))}))
    assert trigger.data == {"state": "ringing", "number": "5550100", "contact": "Bob Li"}
    hung_up = call_trigger(CallChanged(at=AT, state=CallState.IDLE, number=None), seen({}))
    assert hung_up.data == {"state": "idle"} and hung_up.trust is Trust.DEVICE
