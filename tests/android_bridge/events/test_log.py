"""Lines of the event log. Their shapes follow public bug reports of Android 9 to 14 and captures."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from android_bridge.events import PhoneEvent
from android_bridge.events.last_reported import LastReported
from android_bridge.events.log import EventRecord, continues, events_of, is_torn, join, parse_record

AT = "2026-11-20 23:05:00.123 +0800  1508  1612 I"
POSTED = (
    "[10186,21055,com.example.chat,114,{tag},0,Notification(channel=Mms shortcut=null contentView=null vibrate=null "
    "sound=null defaults=0x0 flags=0x40 color=0xff607d8b category=msg vis=PRIVATE),{status}]"
)
OLD_POSTED = (
    "[10021,21272,com.android.mms,114,NULL,0,Notification(channel=Mms pri=0 contentView=null vibrate=null sound=null "
    "defaults=0x0 flags=0x40 color=0xff607d8b vis=PRIVATE),0]"
)


NOW = datetime(2026, 11, 20, 23, 6, tzinfo=timezone(timedelta(hours=8)))


def read(line: str, near: datetime = NOW) -> EventRecord | None:
    return parse_record(line, near)


def told(line: str) -> list[dict[str, object]]:
    record = read(line)
    assert record is not None
    return [event.model_dump(mode="json", exclude={"at", "polled"}) for event in events_of(record)]


@pytest.mark.parametrize("padding", ["", "  "])
def test_a_line_has_its_time_thread_tag_and_text(padding: str) -> None:
    record = read(f"{AT} am_wtf{padding}: [0,1]\n")
    assert record is not None
    assert record.at == datetime(2026, 11, 20, 15, 5, 0, 123000, tzinfo=UTC)
    assert (record.local, record.thread, record.tag, record.text) == (
        "2026-11-20 23:05:00.123",
        (1508, 1612),
        "am_wtf",
        "[0,1]",
    )


def test_a_line_may_tell_the_user_id_too() -> None:
    record = read("2026-05-21 22:32:04.999 -0330  1000  1885  3475 I am_kill : [0,6183]")
    assert record is not None
    assert (record.thread, record.tag) == ((1885, 3475), "am_kill")


def test_a_line_without_year_and_zone_takes_them_from_the_phones_clock() -> None:
    record = read("11-20 23:05:00.123  1508  1612 I battery_level: [85,4201,342]")
    assert record is not None
    assert record.at == datetime(2026, 11, 20, 15, 5, 0, 123000, tzinfo=UTC)
    assert record.local == "11-20 23:05:00.123"
    new_year = datetime(2027, 1, 1, 0, 5, tzinfo=UTC)
    record = read("12-31 23:59:59.999  1508  1612 I battery_level: [85,4201,342]", new_year)
    assert record is not None
    assert record.at.year == 2026


@pytest.mark.parametrize(
    "line",
    [
        "--------- beginning of events",
        "",
        "20 23:05:00.123  1508  1612 I battery_level: [85,4201,342]",
        "2026-13-40 23:05:00.123 +0800  1508  1612 I battery_level: [85,4201,342]",
        "logcat: Unable to open log device",
    ],
)
def test_what_is_no_record_is_none(line: str) -> None:
    assert read(line) is None


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (
            "wm_set_resumed_activity: [0,com.demo/.MainActivity,minimalResumeActivityLocked - onActivityStateChanged]",
            {"kind": "app_foreground", "package": "com.demo", "activity": "com.demo.MainActivity", "user": 0},
        ),
        (
            "am_set_resumed_activity: [10,com.demo/com.other.Main,resumeTopActivityInnerLocked]",
            {"kind": "app_foreground", "package": "com.demo", "activity": "com.other.Main", "user": 10},
        ),
        ("screen_toggled: 0", {"kind": "screen", "state": "off"}),
        ("screen_toggled: 1", {"kind": "screen", "state": "on"}),
        ("screen_toggled: 2", {"kind": "screen", "state": "unlocked"}),
        ("battery_level: [88,4224,315]", {"kind": "battery_level", "level": 88}),
        ("battery_status: [2,2,1,2,Li-ion]", {"kind": "charger", "plugged": ["usb"]}),
        ("battery_status: [4,2,1,0,Li-ion]", {"kind": "charger", "plugged": []}),
        (
            f"notification_enqueue: {OLD_POSTED}",
            {
                "kind": "notification_posted",
                "package": "com.android.mms",
                "id": 114,
                "tag": None,
                "user": 0,
                "channel": "Mms",
                "category": "",
                "update": False,
            },
        ),
        (
            "notification_canceled: [0|com.android.mms|114|null|10021,8,33,33,0,NULL]",
            {
                "kind": "notification_removed",
                "package": "com.android.mms",
                "id": 114,
                "tag": None,
                "user": 0,
                "reason": 8,
            },
        ),
        (
            "notification_canceled: [-1|android|2147483647|ranker_group|1000|ranker_group,2,5,5,0,-1,-1,NULL]",
            {
                "kind": "notification_removed",
                "package": "android",
                "id": 2147483647,
                "tag": "ranker_group",
                "user": -1,
                "reason": 2,
            },
        ),
    ],
)
def test_each_tag_tells_its_event(text: str, event: dict[str, object]) -> None:
    assert told(f"{AT} {text}") == [event]


@pytest.mark.parametrize("tag", ["a,b,0,Notification(channel=x)", "]", "gig:-820826552:^sq", "1,2"])
def test_a_tag_that_an_app_chose_with_commas_stays_one_value(tag: str) -> None:
    (event,) = told(f"{AT} notification_enqueue: {POSTED.format(tag=tag, status=1)}")
    assert (event["tag"], event["category"], event["update"]) == (tag, "msg", True)


def test_a_notification_that_android_ignored_is_no_event() -> None:
    assert told(f"{AT} notification_enqueue: {POSTED.format(tag='NULL', status=2)}") == []


def test_an_alarm_that_rings_is_told_once_and_not_again_when_its_notification_changes() -> None:
    alarm = POSTED.replace("category=msg", "category=alarm")
    kinds = [
        [event["kind"] for event in told(f"{AT} notification_enqueue: {alarm.format(tag='x', status=s)}")]
        for s in (0, 1)
    ]
    assert kinds == [["notification_posted", "alarm"], ["notification_posted"]]


def test_a_record_torn_by_a_line_break_is_put_together() -> None:
    first, second = POSTED.format(tag="two\nlines", status=0).split("\n")
    head = read(f"{AT} notification_enqueue: {first}")
    tail = read(f"{AT} notification_enqueue: {second}")
    other = read(f"{AT} screen_toggled: 1")
    assert head is not None and tail is not None and other is not None
    assert is_torn(head)
    assert continues(head, tail)
    assert not continues(head, other)
    (event,) = events_of(join(head, tail))
    assert getattr(event, "tag", "") == "two\nlines"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "battery_level: [8",
            "battery_level: [101,1,1]",
            "battery_level: full",
            "screen_toggled: 7",
            "screen_toggled:",
        ),
        *("battery_status: [2,2,1,99,Li-ion]", "notification_enqueue: [1,2]", "notification_canceled: [x]"),
        *("wm_set_resumed_activity: [0,null,reason]", "am_kill: [0,6183]"),
    ],
)
def test_values_that_are_not_as_expected_tell_nothing(text: str) -> None:
    record = read(f"{AT} {text}")
    assert record is None or events_of(record) == []


@given(
    st.sampled_from(
        ["battery_level", "battery_status", "notification_enqueue", "notification_canceled", "screen_toggled"]
    ),
    st.text(max_size=60),
)
def test_any_values_tell_an_event_or_nothing(tag: str, text: str) -> None:
    record = read(f"{AT} {tag}: {text}")
    if record is not None:
        for event in events_of(record):
            assert TypeAdapter(PhoneEvent).validate_python(event.model_dump()) == event


def test_the_logs_of_two_vendors_give_their_events(capture: Callable[[str], str]) -> None:
    oppo = capture("logcat-events/oppo-coloros-a11-boot.txt").splitlines()
    xiaomi = capture("logcat-events/xiaomi-miui-a13-reasons.txt").splitlines()
    assert kinds(oppo) == ["charger", "battery_level", "app_foreground", "app_foreground"]
    assert kinds(xiaomi) == ["app_foreground"] * 3


def test_two_records_of_one_switch_are_one_event(capture: Callable[[str], str]) -> None:
    lines = capture("logcat-events/xiaomi-miui-a13-reasons.txt").splitlines()
    events = [event for line in lines if (record := read(line)) for event in events_of(record)]
    first, second = (event.at for event in events[:2])
    assert second - first == timedelta(milliseconds=15)
    assert [event.kind for event in LastReported().new_events(events[:2])] == ["app_foreground"]


def kinds(lines: list[str]) -> list[str]:
    records = [record for line in lines if (record := read(line))]
    return [event.kind for record in records for event in events_of(record)]


def test_a_sync_that_has_ended_names_its_provider_and_one_that_begins_says_nothing() -> None:
    assert told(f"{AT} sync: [com.android.calendar,1,1,-1264587]") == [
        {"kind": "data_synced", "provider": "com.android.calendar"}
    ]
    assert told(f"{AT} sync: [com.android.calendar,0,1,-1264587]") == []
    assert told(f"{AT} sync: [evil,name,1,1,5]") == []
