"""``am``, ``pm``, ``cmd package``, ``monkey`` and the dumps of what is on the screen."""

import pytest

from tests.phones import run
from virtual_phone import VirtualPhone

RESOLVER = "android/com.android.internal.app.ResolverActivity"


async def front(phone: VirtualPhone) -> str:
    """The component that ``dumpsys activity activities`` says is resumed."""
    shown = await run(phone, "dumpsys activity activities | grep -m1 -E 'topResumedActivity|ResumedActivity'")
    assert shown.stdout.startswith("    topResumedActivity=ActivityRecord{")
    return shown.stdout.split(" u0 ")[1].split(" ")[0]


async def test_an_explicit_start_waits_and_reports(phone: VirtualPhone) -> None:
    result = await run(phone, "am start -W -n com.android.settings/.Settings")
    assert result.stdout == (
        "Starting: Intent { cmp=com.android.settings/.Settings }\nStatus: ok\nLaunchState: COLD\n"
        "Activity: com.android.settings/.Settings\nTotalTime: 412\nWaitTime: 418\nComplete\n"
    )
    assert await front(phone) == "com.android.settings/.Settings"
    window = (await run(phone, "dumpsys window")).stdout
    assert " u0 com.android.settings/com.android.settings.Settings}" in window


async def test_starting_the_top_activity_prints_a_warning(phone: VirtualPhone) -> None:
    await run(phone, "am start -n com.android.settings/.Settings")
    again = await run(phone, "am start -n com.android.settings/.Settings")
    assert "Warning: Activity not started, intent has been delivered to currently running" in again.stdout


@pytest.mark.parametrize("wait", ["", "-W "])
async def test_an_unresolved_intent_is_an_error_with_exit_status_zero(phone: VirtualPhone, wait: str) -> None:
    result = await run(phone, f"am start {wait}-a android.intent.action.VIEW -d 'nosuch://x/secret?q=1'")
    said = (
        "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=nosuch://x/... }\n"
    )
    assert result.exit_code == 0
    assert said == (result.stdout.partition("\n")[2] if wait else result.stderr)


async def test_a_class_that_does_not_exist_is_an_error(phone: VirtualPhone) -> None:
    result = await run(phone, "am start -n com.android.settings/.Nope")
    assert result.stderr == "Error type 3\nError: Activity class {com.android.settings/.Nope} does not exist.\n"


async def test_several_handlers_open_the_chooser_and_a_package_decides(phone: VirtualPhone) -> None:
    share = "-a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT hello"
    started = await run(phone, f"am start -W {share}")
    assert f"Activity: {RESOLVER}" in started.stdout
    assert await front(phone) == RESOLVER
    await run(phone, f"am start -W {share} -p com.whatsapp")
    assert await front(phone) == "com.whatsapp/.contact.picker.ContactPicker"
    resolved = await run(phone, f"cmd package resolve-activity --brief {share}")
    assert resolved.stdout.splitlines()[-1] == RESOLVER
    found = await run(phone, f"cmd package query-activities --components {share}")
    assert "com.tencent.mm/.ui.tools.ShareImgUI\n" in found.stdout


@pytest.mark.parametrize(
    ("intent", "component"),
    [
        ("-a android.intent.action.VIEW -d 'https://example.org/a?b=1'", "com.android.chrome/"),
        ("-a android.intent.action.VIEW -d 'https://wa.me/8613800138000?text=hi'", "com.whatsapp/"),
        ("-a android.intent.action.VIEW -d 'https://www.youtube.com/results?q=x'", "com.google.android.youtube/"),
        ("-a android.intent.action.VIEW -d 'geo:0,0?q=coffee'", "com.google.android.apps.maps/"),
        ("-a android.intent.action.DIAL -d tel:10086", "com.google.android.dialer/"),
        ("-a android.intent.action.SENDTO -d mailto:a@example.org", "com.google.android.gm/.ComposeActivityGmail"),
        ("-a android.settings.BATTERY_SAVER_SETTINGS", "com.android.settings/"),
        ("-a android.intent.action.INSERT -t vnd.android.cursor.dir/contact", "com.google.android.contacts/"),
        ("-a android.intent.action.INSERT -d content://com.android.calendar/events", "com.google.android.calendar/"),
        ("-a android.intent.action.VIEW -d 'alipays://platformapi/startapp?appId=2'", "com.eg.android.AlipayGphone/"),
        ("-a android.media.action.STILL_IMAGE_CAMERA", "com.google.android.GoogleCamera/"),
        ("-a android.intent.action.DELETE -d package:com.whatsapp", "com.android.packageinstaller/"),
    ],
)  # fmt: skip
async def test_implicit_intents_find_their_app(phone: VirtualPhone, intent: str, component: str) -> None:
    await run(phone, f"am start -W {intent}")
    assert (await front(phone)).startswith(component)


async def test_the_intents_data_shows_in_the_activity_dump(phone: VirtualPhone) -> None:
    await run(phone, "am start -a android.intent.action.VIEW -d 'imeituan://www.meituan.com/search?q=a%20b'")
    assert "dat=imeituan://www.meituan.com/search?q=a%20b" in (await run(phone, "dumpsys activity activities")).stdout


async def test_logs_do_not_show_numbers(phone: VirtualPhone) -> None:
    result = await run(phone, "am start -a android.intent.action.SENDTO -d smsto:+8613800138000 --es sms_body hi")
    assert result.stdout == (
        "Starting: Intent { act=android.intent.action.SENDTO dat=smsto:xxxxxxxxxxxxxx (has extras) }\n"
    )


async def test_apps_are_opened_stopped_and_brought_back(phone: VirtualPhone) -> None:
    await run(phone, "monkey -p com.whatsapp -c android.intent.category.LAUNCHER 1")
    assert await front(phone) == "com.whatsapp/.Main"
    assert (await run(phone, "pidof com.whatsapp")).exit_code == 0
    await run(phone, "input keyevent HOME")
    assert (await front(phone)).startswith("com.google.android.apps.nexuslauncher/")
    await run(phone, "am force-stop com.whatsapp")
    assert (await run(phone, "pidof com.whatsapp")).exit_code == 1
    assert (await run(phone, "monkey -p com.nobody 1")).exit_code == 252


async def test_packages_are_listed_suspended_and_uninstalled(phone: VirtualPhone) -> None:
    third = (await run(phone, "pm list packages -3")).stdout
    assert "package:com.whatsapp\n" in third
    assert "package:com.android.settings\n" not in third
    await run(phone, "pm suspend --user current com.whatsapp")
    assert "suspended=true" in (await run(phone, "dumpsys package com.whatsapp")).stdout
    assert (await run(phone, "pm uninstall com.android.settings")).stdout.startswith("Failure")
    assert (await run(phone, "pm uninstall com.whatsapp")).stdout == "Success\n"
    assert (await run(phone, "pm path com.whatsapp")).exit_code == 1
    assert (await run(phone, "dumpsys package com.whatsapp")).stdout == "Unable to find package: com.whatsapp\n"


async def test_only_the_system_sends_its_broadcasts(phone: VirtualPhone) -> None:
    result = await run(phone, "am broadcast -a android.intent.action.AIRPLANE_MODE --ez state true")
    assert "SecurityException: Permission Denial" in result.stderr
    assert (await run(phone, "am broadcast -a com.example.HELLO")).stdout.endswith("Broadcast completed: result=0\n")


async def test_extras_are_typed_and_checked(phone: VirtualPhone) -> None:
    line = (
        "am start -n com.android.settings/.Settings --es s 'a b' --ei i 0x10 --ez z true --eial l 2,3 --esa e 'a\\,b,c'"
    )
    await run(phone, line)
    extras = phone.state.apps.foreground.intent.extras
    assert extras == {"s": "a b", "i": 16, "z": True, "l": [2, 3], "e": ["a,b", "c"]}
    refused = await run(phone, "am start -n com.android.settings/.Settings --ei i many")
    assert (refused.exit_code, "IllegalArgumentException" in refused.stderr) == (255, True)


async def test_the_log_records_resumed_activities(phone: VirtualPhone) -> None:
    await run(phone, "am start -n com.android.settings/.Settings")
    line = (await run(phone, "logcat -d -b events -v threadtime")).stdout.splitlines()[-1]
    assert line.startswith("02-06 14:00:00.000 ")
    assert " I wm_set_resumed_activity: [0,com.android.settings/.Settings," in line
