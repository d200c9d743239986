"""What single builds do differently, as their sources say."""

from datetime import timedelta

import pytest

from android_bridge.adb import AdbServer
from tests.conftest import CAPTURES
from tests.phones import connected_device, run
from tests.virtual_phone.builds.test_build_table import new_phone
from virtual_phone import VirtualPhone
from virtual_phone.state.intents import EXTRA_STREAM
from virtual_phone.state.well_known import CLOCK_APP

CLOSED = [("oneui-6", 150), ("hyperos", 999)]


@pytest.mark.parametrize(("build", "user"), CLOSED)
async def test_the_shell_may_not_see_the_second_user(build: str, user: int) -> None:
    phone = new_phone(build)
    denied = f"java.lang.SecurityException: Shell does not have permission to access user {user}"
    for line in ("pm list packages", "pm list packages -3", "cmd package list packages", "pm list packages --user all",
                 f"pm list packages --user {user}", f"am start --user {user} -a android.settings.SETTINGS",
                 f"content query --user {user} --uri content://sms"):  # fmt: skip
        result = await run(phone, line)
        assert (result.stdout, result.exit_code) == ("", 255), line
        assert denied in result.stderr, line
    for owner in ("0", "current"):
        assert "package:com.android.settings\n" in (await run(phone, f"pm list packages --user {owner}")).stdout
    assert f"UserInfo{{{user}:" in (await run(phone, "pm list users")).stdout


async def test_mobile_data_is_kept_per_subscription() -> None:
    phone = new_phone("oneui-6")
    assert (await run(phone, "settings get global multi_sim_data_call")).stdout == "2\n"
    await run(phone, "cmd phone data disable")
    read = "for key in mobile_data mobile_data1 mobile_data2; do settings get global $key; done"
    assert (await run(phone, read)).stdout == "1\n0\n0\n"
    assert not phone.state.network.mobile_data
    assert (await run(phone, "dumpsys telephony.registry")).stdout.count("  Phone Id=") == 2
    assert (await run(phone, "getprop gsm.operator.numeric")).stdout == "46000,46001\n"


@pytest.mark.parametrize(("build", "mode"), [("pixel-14", "normal"), ("oneui-6", "normal"), ("pixel-15", "vibrate")])
async def test_a_missing_ringer_verb_returns_0_in_silence(build: str, mode: str) -> None:
    phone = new_phone(build)
    result = await run(phone, "cmd audio set-ringer-mode VIBRATE")
    assert (result.text, result.exit_code) == ("", 0)
    assert phone.state.audio.ringer == mode


@pytest.mark.parametrize("build", ["generic", "pixel-14"])
async def test_the_ring_volume_sets_the_ringer_mode(build: str) -> None:
    phone = new_phone(build)
    await run(phone, "cmd media_session volume --stream 2 --set 0")
    assert (phone.state.audio.ringer, phone.state.audio.volumes[2]) == ("vibrate", 0)
    await run(phone, "cmd media_session volume --stream 2 --set 3")
    assert (phone.state.audio.ringer, phone.state.audio.volumes[2]) == ("normal", 3)
    phone.state.audio.set_ringer("silent")
    text = (await run(phone, "dumpsys audio")).stdout
    assert (
        "- STREAM_RING:\n   Muted: true\n   Muted Internally: false\n   Min: 0\n   Max: 7\n   streamVolume:0\n" in text
    )


@pytest.mark.parametrize(
    ("build", "service", "verb", "listed"),
    [
        ("generic", "wifi", "connect-network", True),
        ("pixel-14", "wifi", "connect-network", False),
        ("pixel-15", "wifi", "connect-network", True),
        ("pixel-14", "audio", "set-ringer-mode", False),
        ("pixel-16", "audio", "set-ringer-mode", True),
        ("oneui-6", "audio", "set-ringer-mode", False),
    ],
)
async def test_the_help_of_a_service_lists_what_the_shell_may_use(
    build: str, service: str, verb: str, listed: bool
) -> None:
    text = (await run(new_phone(build), f"cmd {service} help")).stdout
    assert (f"\n  {verb}\n" in text) == listed
    assert "\n  help\n" in text


@pytest.mark.parametrize(("build", "joins"), [("pixel-14", False), ("pixel-15", True), ("oneui-6", False)])
async def test_the_wifi_module_of_14_keeps_joining_from_the_shell(build: str, joins: bool) -> None:
    phone = new_phone(build)
    result = await run(phone, "cmd wifi connect-network Cafe open")
    assert (phone.state.network.ssid == "Cafe") == joins
    assert ("Uid 2000 does not have access to connect-network wifi command" in result.stderr) != joins


async def test_one_ui_tints_the_screen_by_a_key_of_its_own() -> None:
    phone = new_phone("oneui-6")
    await run(phone, "settings put secure night_display_activated 1")
    assert not phone.state.display.night_light
    assert "Night display:\n    Not available\n" in (await run(phone, "dumpsys color_display")).stdout
    await run(phone, "settings put system blue_light_filter 1")
    assert phone.state.display.night_light


async def test_aosp_tells_whether_the_screen_is_tinted() -> None:
    phone = new_phone("pixel-14")
    await run(phone, "settings put secure night_display_activated 1")
    assert "Night display:\n    Activated: true\n" in (await run(phone, "dumpsys color_display")).stdout


async def test_from_15_on_the_shell_cannot_end_the_owners_do_not_disturb() -> None:
    phone = new_phone("pixel-15")
    phone.state.dnd.set("priority")
    await run(phone, "cmd notification set_dnd off")
    assert (await run(phone, "settings get global zen_mode")).stdout == "1\n"
    await run(phone, "cmd notification set_dnd none")
    assert (await run(phone, "settings get global zen_mode")).stdout == "2\n"
    assert "implicit_com.android.shell" in (await run(phone, "dumpsys notification")).stdout
    await run(phone, "cmd notification set_dnd all")
    assert (await run(phone, "settings get global zen_mode")).stdout == "1\n"


async def test_one_ui_turns_battery_saver_on_while_charging() -> None:
    for build, on in (("oneui-6", True), ("pixel-14", False)):
        phone = new_phone(build)
        phone.state.battery.set(plugged=True)
        await run(phone, "cmd power set-mode 1")
        assert phone.state.power.saver == on


async def test_a_cloud_account_refuses_contacts_with_an_empty_one() -> None:
    phone = new_phone("pixel-16")
    insert = "content insert --uri content://com.android.contacts/raw_contacts"
    before = len(phone.state.contacts.raw)
    result = await run(phone, f"{insert} --bind account_type:n: --bind account_name:n:")
    assert "Cannot write contacts to local accounts when default account is set to cloud" in result.text
    assert (result.exit_code, len(phone.state.contacts.raw)) == (0, before)
    await run(phone, f"{insert} --bind starred:i:0")
    assert len(phone.state.contacts.raw) == before + 1
    assert phone.state.contacts.raw[-1].account_type == "com.google"


def timer_notes(phone: VirtualPhone) -> list[tuple[int, str | None, str]]:
    """Id, tag and title of the clock app's notifications."""
    notes = phone.state.notifications.visible()
    return [(note.identifier, note.tag, note.title) for note in notes if note.package == CLOCK_APP]


async def test_all_timers_share_one_notification_that_the_open_clock_hides() -> None:
    phone = new_phone("pixel-14")
    start = "am start -a android.intent.action.SET_TIMER --ez android.intent.extra.alarm.SKIP_UI true --ei"
    for seconds in (300, 90):
        await run(phone, f"{start} android.intent.extra.alarm.LENGTH {seconds}")
    shared = 2147483645
    assert timer_notes(phone) == [(shared, None, "2 timers")]
    dumped = (await run(phone, "dumpsys notification --noredact")).stdout
    assert "android.title=null" in dumped
    assert "2 timers" not in dumped
    phone.state.apps.open(CLOCK_APP)
    assert timer_notes(phone) == []
    phone.state.apps.home()
    phone.state.clock.advance(100)
    phone.state.catch_up()
    assert sorted(timer_notes(phone)) == [
        (shared - 1, None, "Time's up"),
        (shared, None, "Timer"),
    ]


async def test_hyperos_refuses_input_and_settings_without_security_settings(adb_server: AdbServer) -> None:
    phone = new_phone("hyperos")
    before = phone.state.to_json()
    for line, permission in (("settings put system screen_brightness 9", "WRITE_SECURE_SETTINGS"),
                             ("cmd settings put system screen_brightness 9", "WRITE_SECURE_SETTINGS"),
                             ("input tap 5 5", "INJECT_EVENTS"), ("pm grant android X", "GRANT_RUNTIME")):  # fmt: skip
        result = await run(phone, line)
        assert permission in result.stderr, line
        assert (result.stdout, result.exit_code) == ("", 255), line
    bound = "--bind name:s:screen_brightness --bind value:s:9"
    assert "WRITE_SECURE_SETTINGS" in (await run(phone, f"content insert --uri content://settings/system {bound}")).text
    assert phone.state.to_json() == before
    assert phone.faults.refuses_input, "uiautomator2 is refused as well"
    async with connected_device(phone, adb_server) as device:
        assert (await device.shell("settings get system screen_brightness")).stdout == "102\n"


async def test_the_next_alarm_clock_of_hyperos_belongs_to_a_system_app() -> None:
    phone = new_phone("hyperos")
    phone.state.alarms.alarms = []
    text = (await run(phone, "dumpsys alarm")).stdout
    moment = phone.state.clock.wall().replace(hour=23, minute=14, second=0, microsecond=0)
    assert f"time:{round(moment.timestamp() * 1000)} = {moment:%Y-%m-%d} 23:14:00.000" in text
    assert "1 pending alarms" in text
    assert "com.miui.securitycenter startService" in text
    assert (await run(phone, "settings get system next_alarm_formatted")).stdout == "Fri 11:14 PM\n"
    phone.state.alarms.add(22, 0)
    assert phone.state.alarms.next_clock() == moment - timedelta(minutes=74)


async def test_a_start_that_fails_on_16_answers_as_its_capture() -> None:
    phone = new_phone("pixel-16")
    text = (CAPTURES / "am-start-errors" / "emulator-api36.txt").read_text()
    result = await run(phone, "am start -n com.example.missing.pkg/.MainActivity")
    assert result.exit_code == 1
    assert text.startswith("$")
    for line in result.text.splitlines():
        assert line in text
    monkey = await run(phone, "monkey -p com.example.missing.pkg -c android.intent.category.LAUNCHER 1")
    capture = (CAPTURES / "monkey-errors" / "emulator-api36-missing-package.txt").read_text()
    assert monkey.stdout in capture
    assert monkey.exit_code == 252


async def test_a_start_from_the_shell_grants_its_data_alone() -> None:
    uri = "content://media/external/images/media/33"
    share = f"am start -p com.google.android.gm -a android.intent.action.SEND -t image/jpeg --eu {EXTRA_STREAM} {uri}"
    grant = "--grant-read-uri-permission"
    for line, refused in (
        (f"{share} {grant}", True),
        (f"{share} -d {uri}", True),
        (f"{share} -d {uri} {grant}", False),
    ):
        phone = new_phone("pixel-14")
        result = await run(phone, line)
        assert "Error" not in result.text, result
        assert phone.state.apps.refused_uris == [("com.google.android.gm", uri)] * refused
        assert ("has no access to" in (await run(phone, "logcat -d")).stdout) == refused


async def test_hyperos_mounts_the_data_of_the_owner() -> None:
    assert "/data/user/0\n" in (await run(new_phone("hyperos"), "df /data")).stdout
    assert "/data/user/0\n" not in (await run(new_phone("oneui-6"), "df /data")).stdout
