"""The values that the captures are known to hold."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from android_bridge.facts import (
    activities,
    audio,
    battery,
    bluetooth,
    clock,
    display,
    location,
    media,
    memory,
    network,
    packages,
    power,
    properties,
    settings,
    telephony,
    touch,
)
from android_bridge.facts.alarms import NextAlarm, parse_next_alarm
from android_bridge.facts.reader import UnreadableError

Capture = Callable[[str], str]

KNOWN: list[tuple[str, Any, dict[str, Any]]] = [
    (
        "dumpsys-battery/xiaomi-pad6-hyperos2-a14.txt",
        battery.parse_battery,
        {"level": 22, "plugged": ("ac",), "status": "charging", "temperature": 33.7, "powered": True},
    ),
    # The emulator's newest format repeats the words in lines that mean something else.
    ("dumpsys-battery/emulator-sdk_gphone64.txt", battery.parse_battery, {"level": 100, "temperature": 25.0}),
    (
        "dumpsys-battery/android-notes-pixel-era8-10.txt",
        battery.parse_battery,
        {"plugged": ("usb",), "status": "full"},
    ),
    ("dumpsys-power/mediatek-tablet-tb8168-a13.txt", power.parse_power, {"awake": False, "battery_saver": False}),
    ("dumpsys-power/samsung-oneui-ali970x.txt", power.parse_power, {"wakefulness": "awake"}),
    (
        "cmd-wifi-status/android12plus-connected.txt",
        network.parse_wifi,
        {"enabled": True, "ssid": "FakeNet-2.4G", "rssi": -26},
    ),
    # A VPN is connected too: the default network is what counts.
    (
        "dumpsys-connectivity/xiaomi-pad6-hyperos2-a14.txt",
        network.parse_connectivity,
        {"transports": {"WIFI"}, "validated": True, "metered": False},
    ),
    ("dumpsys-connectivity/emulator-sdk_gphone64.txt", network.parse_connectivity, {"transports": {"CELLULAR"}}),
    # The first slot is empty and out of service; the second has the data.
    (
        "dumpsys-telephony.registry/xiaomi-dualsim.txt",
        telephony.parse_telephony,
        {"call": "idle", "mobile_data_connected": True, "incoming_number": None},
    ),
    ("dumpsys-display/mediatek-tablet-tb8168-a13.txt", display.parse_displays, {"on": False}),
    (
        "dumpsys-display/xiaomi-pad6-hyperos2-a14.txt",
        display.parse_displays,
        {"on": True, "physical_ids": ("4630946922172900481",)},
    ),
    ("wm-size-density/awesome-adb.txt", display.parse_screen_size, {"width": 480, "height": 1024, "density": 160}),
    ("dumpsys-package/oppo-a9-2020-app.txt", packages.parse_package, {"version": "1.0.0", "suspended": False}),
    (
        "dumpsys-audio/oppo-coloros-audiocontrol.txt",
        audio.parse_audio,
        {"ringer": "normal", "in_call": None},
    ),
    ("dumpsys-audio/deepeye-2026.txt", audio.parse_audio, {"in_call": False}),
    ("dumpsys-bluetooth_manager/oppo-a9-2020.txt", bluetooth.parse_bluetooth, {"enabled": True, "connected": False}),
    (
        "dumpsys-location/locale-decimal-comma.txt",
        location.parse_location,
        {"latitude": 37.421998, "accuracy": 14.5, "provider": "fused", "age": None},
    ),
    ("dumpsys-battery/samsung-oneui-2026.txt", battery.parse_battery, {"level": 100, "temperature": 33.7}),
    ("df/pixel8pro-a17-df-k-data.txt", memory.parse_storage, {"available": 20007384 * 1024}),
    ("df/xiaomi13tpro-a16-df-data.txt", memory.parse_storage, {"total": 485636064 * 1024}),
    ("proc-meminfo/nexus5-awesome-adb.txt", memory.parse_memory, {"total": 1027424 * 1024, "available": None}),
    ("proc-meminfo/emulator-sdk_gphone64.txt", memory.parse_memory, {"available": 1030716 * 1024}),
]


@pytest.mark.parametrize(("name", "parse", "expected"), KNOWN, ids=[known[0] for known in KNOWN])
def test_a_capture_gives_its_known_values(capture: Capture, name: str, parse: Any, expected: dict[str, Any]) -> None:
    value = parse(capture(name))
    assert {key: getattr(value, key) for key in expected} == expected


def test_the_second_display_of_a_samsung_does_not_hide_the_app_on_the_first(capture: Capture) -> None:
    text = capture("dumpsys-activity-activities/samsung-oneui-launcher.txt")
    screen = activities.parse_activities(text)
    assert screen.foreground is not None
    assert screen.foreground.activity == "com.sec.android.app.launcher.activities.LauncherActivity"
    assert screen.focus == "com.sec.android.app.launcher/com.sec.android.app.launcher.activities.LauncherActivity"
    assert screen.locked is False


def test_the_upper_of_two_activities_of_a_task_is_in_front(capture: Capture) -> None:
    screen = activities.parse_activities(capture("dumpsys-activity-activities/emulator-api37-two-activities.txt"))
    assert screen.foreground is not None
    assert screen.foreground.package == "com.android.chrome"


def test_the_range_of_a_touch_panel_is_read_through_tabs(capture: Capture) -> None:
    (panel,) = touch.parse_touch_panels(capture("getevent-lp/xiaomi-fts_ts-tabs.txt"))
    assert (panel.path, panel.x.highest, panel.y.highest) == ("/dev/input/event1", 1080, 2400)


def test_an_activity_that_a_sleeping_phone_still_calls_resumed_is_not_on_the_screen() -> None:
    dump = "Display #0 (activities from top to bottom):\n  ResumedActivity: ActivityRecord{1 u0 a.b/.C t1}\n"
    assert activities.parse_activities(dump).foreground is None


@pytest.mark.parametrize("focus", ["u0 NotificationShade", "u0 Application Not Responding: a.b", "a.b/a.b.C"])
def test_a_window_of_any_title_can_have_the_focus(focus: str) -> None:
    dump = f"Display #0\n  mCurrentFocus=null\n  mCurrentFocus=Window{{1651cd4 {focus}}}\n"
    assert activities.parse_activities(dump).focus == focus.removeprefix("u0 ")


SETS_ALARMS = "1 activities found:\n  Activity #0:\n    priority=0\n    com.sec.android.app.clockpackage/.Main\n"


def next_alarm(*alarms: tuple[int, str, str, str], apps: str = SETS_ALARMS) -> NextAlarm | None:
    """The next alarm of a phone with alarm clocks: user, time (UTC), app, and what its status bar icon does."""
    millis = [round(datetime.fromisoformat(f"{at}+00:00").timestamp() * 1000) for _, at, _, _ in alarms]
    first = "".join(
        f"    user:{user} pendingSend:false time:{ms} = {at}.000 = +4h\n"
        for ms, (user, at, _, _) in zip(millis, alarms, strict=True)
        if at == min(time for other, time, _, _ in alarms if other == user)
    )
    pending = "".join(
        f"    RTC_WAKEUP #{n}: Alarm{{1 type 0 origWhen {ms} whenElapsed 1 {app}}}\n      tag=*walarm*:x\n"
        f"      Alarm clock:\n        triggerTime={at}.000\n"
        f"        showIntent=PendingIntent{{1: PendingIntentRecord{{2 {app} {opens}}}}}\n"
        for n, (ms, (_, at, app, opens)) in enumerate(zip(millis, alarms, strict=True))
    )
    head = "Current Alarm Manager state:\n  Next alarm clock information: \n"
    return parse_next_alarm(f"{apps}{head}{first}  \n  9 pending alarms: \n{pending}")


CALENDAR = (0, "2026-08-26 00:00:00", "com.samsung.android.calendar", "startActivity")
CLOCK = (0, "2026-08-26 07:00:00", "com.sec.android.app.clockpackage", "startActivity")


def test_the_next_alarm_has_the_time_zone_of_the_phone() -> None:
    line = "    user:0 pendingSend:false time:1786854000000 = 2026-08-16 13:20:00.000 = +4h16m41s708ms\n"
    alarm = parse_next_alarm(f"  Next alarm clock information: \n{line}\n  138 pending alarms: \n")
    assert alarm is not None
    assert alarm.at == datetime(2026, 8, 16, 13, 20, tzinfo=timezone(timedelta(hours=9)))
    assert alarm.at.isoformat() == "2026-08-16T13:20:00+09:00"


def test_an_alarm_clock_of_an_app_that_sets_no_alarms_is_none_of_the_owners() -> None:
    assert next_alarm(CALENDAR) is None
    alarm = next_alarm(CALENDAR, CLOCK)
    assert alarm is not None
    assert (alarm.package, alarm.at.hour) == ("com.sec.android.app.clockpackage", 7)


def test_a_cleaners_alarm_clock_is_no_alarm_on_a_phone_that_does_not_list_its_clocks(
    capture: Callable[[str], str],
) -> None:
    assert parse_next_alarm(capture("dumpsys-alarm/xiaomi-hyperos-2026-head.txt")) is None
    assert next_alarm(CLOCK, apps="No activities found\n") == next_alarm(CLOCK)
    assert next_alarm((*CLOCK[:3], "startService"), apps="") is None


def test_the_alarm_of_another_user_of_the_phone_does_not_count() -> None:
    alarm = next_alarm((10, "2026-08-26 05:20:00", CLOCK[2], "startActivity"), CLOCK)
    assert alarm is not None
    assert alarm.at.hour == 7


def test_an_alarm_line_in_an_unknown_form_is_not_taken_for_no_alarm() -> None:
    with pytest.raises(UnreadableError):
        parse_next_alarm("  Next alarm clock information: \n    user 0: soon\n")


def test_the_clock_keeps_the_offset_of_the_phone() -> None:
    assert clock.parse_clock("2026-11-20T23:05:00-0330\n").isoformat() == "2026-11-20T23:05:00-03:30"
    with pytest.raises(UnreadableError):
        clock.parse_clock("date: Unknown option\n")


def test_the_newest_place_counts_and_its_age_is_told() -> None:
    dump = (
        "7200.50 3600.00\n"
        "      last location=Location[gps 10.5,20.25 hAcc=5.0 et=+1h0m0s500ms alt=1.0]\n"
        "      last location=Location[network 11.5,21.25 hAcc=100 et=+1h59m500ms {Bundle[{x=Location[gps 1.0,2.0]}]}]\n"
        "      last location=null\n"
    )
    place = location.parse_location(dump)
    assert place is not None
    assert (place.provider, place.latitude, place.longitude, place.age) == ("network", 11.5, 21.25, 60.0)
    assert location.parse_location("    last location=null\n") is None


def test_the_switches_of_two_phones_are_what_their_tables_print(capture: Callable[[str], str]) -> None:
    for phone, modems, data in (("redmi-lime-miui-a12", "dsds", True), ("xiaomi-pad6-hyperos2-a14", "", True)):
        table = settings.parse_settings(capture(f"settings-list-global/{phone}.txt"))
        assert settings.parse_switch(table["airplane_mode_on"] + "\n") is False
        subscription = table.get(f"mobile_data{table.get('multi_sim_data_call')}", "null")
        assert network.parse_mobile_data(f"{modems}\n{subscription}\n{table['mobile_data']}\n") is data


@pytest.mark.parametrize(
    ("printed", "on"),
    [
        ("dsds\n1\n0\n", True),
        ("dsds\n0\n1\n", False),
        ("dsds\nnull\n1\n", True),
        ("\n0\n1\n", True),
        ("ssss\n0\nnull\n", False),
    ],
)
def test_mobile_data_is_that_of_the_subscription_only_on_a_phone_with_several_modems(printed: str, on: bool) -> None:
    assert network.parse_mobile_data(printed) is on


def test_a_switch_that_is_not_printed_whole_is_not_read() -> None:
    for printed in ("", "1\n", "dsds\nx\ny\n"):
        with pytest.raises(UnreadableError):
            network.parse_mobile_data(printed)


def test_a_ringing_card_is_seen_although_the_other_slot_is_idle() -> None:
    dump = "  Phone Id=0\n    mCallState=0\n  Phone Id=1\n    mCallState=1\n    mCallIncomingNumber=+15550100\n"
    state = telephony.parse_telephony(dump)
    assert (state.call, state.incoming_number) == ("ringing", "+15550100")


def test_a_call_of_an_app_is_listed_with_its_app(capture: Capture) -> None:
    text = capture("dumpsys-telecom/oplus-a15-kavachai.txt")
    (call,) = telephony.parse_calls(text)
    assert (call.state, call.package) == ("ACTIVE", "us.zoom.videomeetings")


def test_playing_means_active_and_playing(capture: Capture) -> None:
    text = capture("dumpsys-media_session/samsung-oneui-bjunsung.txt")
    sessions = media.parse_media_sessions(text)
    assert [session.playing for session in sessions] == [False, True, False]
    older = "MEDIA SESSION SERVICE (dumpsys media_session)\n    ownerPid=1\n    package=a.b\n    active=true\n"
    (session,) = media.parse_media_sessions(older + "    state=PlaybackState {state=2, position=0}\n")
    assert session.state == "PAUSED"


def test_every_property_is_read_although_some_go_over_several_lines(capture: Capture) -> None:
    text = capture("getprop/motorola-edge20-a13.txt")
    values = properties.parse_properties(text)
    assert len(values) == text.count("\n[") + 1
    assert values["persist.sys.boot.reason.history"].count("\n") == 3


def test_a_package_path_with_an_equals_sign_does_not_hide_its_name() -> None:
    listed = "package:/data/app/~~Qx==/a.b-1==/base.apk=a.b\npackage:c.d\n"
    assert packages.parse_packages(listed) == {"a.b", "c.d"}


def test_an_app_that_is_not_installed_is_none() -> None:
    assert packages.parse_package("Dexopt state:\n  Unable to find package: a.b\n") is None


@pytest.mark.parametrize(
    ("printed", "value"), [("1\n", "1"), ("null\n", None), ("\n", ""), ("a=b\nc\n", "a=b\nc"), ("0#x\n", "0#x")]
)
def test_a_setting_is_its_value_or_not_set(printed: str, value: str | None) -> None:
    assert settings.parse_setting(printed) == value


@pytest.mark.parametrize(
    "refusal",
    [
        "",
        "cmd: Can't find service: settings\n",
        "Security exception: no\n",
        "Error: x\n",
        "/system/bin/sh: settings: not found",
    ],
)
def test_a_refusal_is_never_the_value_of_a_setting(refusal: str) -> None:
    with pytest.raises(UnreadableError):
        settings.parse_setting(refusal)


def test_a_certificate_in_the_settings_table_stays_one_value() -> None:
    table = settings.parse_settings("a=1\ncert=-----BEGIN\nMIIC+/\n-----END\nz=null\n")
    assert table == {"a": "1", "cert": "-----BEGIN\nMIIC+/\n-----END", "z": "null"}


def test_df_gives_the_space_that_is_left() -> None:
    printed = (
        "Filesystem       1K-blocks     Used Available Use% Mounted on\n"
        "/dev/block/dm-49 237222896 93264832 143695920  40% /data\n"
    )
    assert memory.parse_storage(printed).available == 143695920 * 1024


def test_the_error_repeats_what_android_said() -> None:
    with pytest.raises(UnreadableError, match="Can't find service: battery"):
        battery.parse_battery("cmd: Can't find service: battery\n")
