"""What the functions do on each build: every call is verified, handed over, or refused in one true sentence."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from android_bridge.adb import AdbServer
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.cases import CASES, furnish
from tests.executors.golden import Ending, build_rows, builds_of, builds_section, ending, reasons_of
from tests.executors.servers import LocalServices
from tests.executors.test_golden_matrix import DOCS, configured
from tests.phones import START, connected_device
from tests.proof import PROVING
from virtual_phone import PhoneState
from virtual_phone.builds import build_names
from virtual_phone.state.well_known import CLOCK_APP

WRITING = bool(os.environ.get("HEED_WRITE_DOCS"))
SAMPLE = ("set_alarm", "set_timer", "save_contact", "share_file", "set_power_saving_mode", "set_connectivity",
          "set_do_not_disturb", "set_volume_and_ringer", "set_display", "launch_app")  # fmt: skip
"""The functions that are always tried; ``make prove`` tries all."""
TRIED = tuple(CASES) if PROVING or WRITING else SAMPLE
NO_SETTINGS = (
    ": java.lang.SecurityException: Permission denial: writing to settings "
    "requires:android.permission.WRITE_SECURE_SETTINGS. "
    'In the developer options, turn on "USB debugging (Security settings)".'
)
REFUSED: Mapping[str, Mapping[str, list[str]]] = {
    "hyperos": {
        "set_power_saving_mode": [f"The phone rejected `settings put global low_power_trigger_level 20`{NO_SETTINGS}"],
        "set_display": [
            f"The phone rejected `settings put system screen_brightness 178`{NO_SETTINGS}",
            f"The phone rejected `settings put secure night_display_activated 1`{NO_SETTINGS}",
        ],
    }
}
"""Build → function → why calls of the golden matrix are refused there; nothing else is refused anywhere."""
Endings = dict[str, dict[str, list[Ending]]]


def new_acting_phone(build: str) -> WatchedPhone:
    """A furnished phone of this build, whose clock stands still."""
    state = PhoneState.standard(now=START, build=build)
    state.clock.freeze()
    furnish(state)
    return WatchedPhone(state)


async def endings_of(server: AdbServer, folder: Path, build: str, function: str) -> list[Ending]:
    """How each call of the function ends, on a phone of its own."""
    endings = []
    for number, arguments in enumerate(CASES[function]):
        phone, services = new_acting_phone(build), LocalServices()
        async with connected_device(phone, server) as device, services.serving():
            acting = Acting(phone, device, configured(services, folder / f"{build}-{function}-{number}"))
            endings.append(await ending(acting, services, function, arguments))
    return endings


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def endings(adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory) -> Endings:
    """By function and build."""
    folder = tmp_path_factory.mktemp("lists")
    return {
        function: {build: await endings_of(adb_server, folder, build, function) for build in build_names()}
        for function in TRIED
    }


@pytest.mark.parametrize("build", build_names())
def test_a_build_refuses_what_the_table_says_for_the_reason_it_says(endings: Endings, build: str) -> None:
    refused = {function: [end.why for end in row[build] if end.why] for function, row in endings.items()}
    assert refused == {function: REFUSED.get(build, {}).get(function, []) for function in TRIED}


def test_the_table_in_the_docs_is_what_the_builds_do(endings: Endings) -> None:
    if WRITING:
        text, section = DOCS.read_text("utf-8"), builds_section(endings)
        DOCS.write_text(text.replace(builds_of(text), section), encoding="utf-8")
    section = builds_of(DOCS.read_text("utf-8"))
    assert set(build_rows(endings, reasons_of(section)).values()) <= set(section.splitlines())


async def test_one_uis_own_night_light_is_left_to_the_owner(adb_server: AdbServer) -> None:
    phone = new_acting_phone("oneui-6")
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_display", setting="night_light", value="on")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert phone.state.apps.foreground.intent.action == "android.settings.DISPLAY_SETTINGS"
    assert not phone.state.display.night_light


async def test_a_night_light_that_ignores_its_key_is_not_verified(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    phone.state.build = phone.state.build.model_copy(
        update={"night_light": phone.state.build.night_light.model_copy(update={"key": "another_key"})}
    )
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_display", setting="night_light", value="on")
    assert outcome.kind is OutcomeKind.FAILED


@pytest.mark.parametrize("build", ["pixel-15", "pixel-16"])
@pytest.mark.parametrize("mode", ["priority", "off"])
async def test_do_not_disturb_that_the_owner_set_is_left_to_the_owner(
    adb_server: AdbServer, build: str, mode: str
) -> None:
    phone = new_acting_phone(build)
    phone.state.dnd.set("none")
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_do_not_disturb", mode=mode, duration_minutes=30)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert phone.state.apps.foreground.intent.action == "android.settings.ZEN_MODE_SETTINGS"
    assert (phone.state.dnd.mode, phone.state.dnd.shell_rule) == ("none", "off")


async def test_a_second_and_a_third_timer_are_verified(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        for seconds in (300, 90, 60):
            phone.state.clock.advance(1)  # a dump tells nothing but when the shared notification was posted
            assert (await acting.do("set_timer", duration_seconds=seconds)).kind is OutcomeKind.VERIFIED
    assert phone.state.apps.foreground.package != CLOCK_APP
    assert len(phone.state.alarms.timers) == 3


async def test_the_open_clock_app_shows_the_timer_because_it_posts_no_notification(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    phone.state.apps.open(CLOCK_APP)
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_timer", duration_seconds=300)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert [timer.seconds for timer in phone.state.alarms.timers] == [300]


async def test_a_timer_that_the_clock_app_does_not_start_is_not_verified(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        assert (await acting.do("set_timer", duration_seconds=300)).kind is OutcomeKind.VERIFIED

        async def nothing(call: object, program: object) -> int:
            return 0

        phone.on("am start", nothing)
        assert (await acting.do("set_timer", duration_seconds=90)).kind is OutcomeKind.FAILED


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("share_file", {"content_uri_or_path": "/sdcard/Documents/Quarterly report.pdf"}),
        (
            "compose_email",
            {
                "to": ["boss@example.com"],
                "subject": "Report",
                "body": "Attached.",
                "attachment_uri": "/sdcard/Documents/Quarterly report.pdf",
                "app_name": "Gmail",
            },
        ),
        (
            "publish_social_post",
            {"content": "Hi", "platform_info": "Weibo", "image_uris": ["/sdcard/DCIM/Camera/IMG_0001.jpg"]},
        ),
    ],
)
async def test_a_shared_file_can_be_read_by_the_app(
    adb_server: AdbServer, function: str, arguments: dict[str, str | list[str]]
) -> None:
    phone = new_acting_phone("pixel-14")
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do(function, **arguments)  # type: ignore[arg-type]
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert phone.state.apps.refused_uris == []


async def test_a_system_apps_alarm_clock_is_no_alarm_to_cancel(adb_server: AdbServer) -> None:
    phone = new_acting_phone("hyperos")
    phone.state.alarms.alarms = []
    async with connected_device(phone, adb_server) as device:
        assert (await Acting(phone, device).do("cancel_alarm", search_mode="next")).kind is OutcomeKind.ALREADY


@pytest.mark.parametrize("on", [True, False])
async def test_mobile_data_of_the_second_card_is_read_and_set(adb_server: AdbServer, on: bool) -> None:
    phone = new_acting_phone("oneui-6")
    phone.state.network.set_mobile_data(not on)
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        outcome = await acting.do("set_connectivity", connection_type="mobile_data", enabled=on)
        assert outcome.kind is OutcomeKind.VERIFIED
        assert phone.state.network.mobile_data is on
        again = await acting.do("set_connectivity", connection_type="mobile_data", enabled=on)
        assert again.kind is OutcomeKind.ALREADY


@pytest.mark.parametrize(("build", "kind"), [("pixel-14", OutcomeKind.HANDED_OVER), ("pixel-15", OutcomeKind.VERIFIED)])
async def test_a_network_that_the_shell_may_not_join_is_left_to_the_owner(
    adb_server: AdbServer, build: str, kind: OutcomeKind
) -> None:
    phone = new_acting_phone(build)
    arguments = {"connection_type": "wifi", "enabled": True, "ssid": "Cafe", "password": "s3cret & more"}
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_connectivity", **arguments)  # type: ignore[arg-type]
    assert outcome.kind is kind
    assert (phone.state.network.ssid == "Cafe") == (kind is OutcomeKind.VERIFIED)
    assert "s3cret" not in outcome.model_dump_json()


@pytest.mark.parametrize(
    ("present", "arguments", "kind", "after"),
    [
        ("normal", {"ringer_mode": "vibrate"}, OutcomeKind.VERIFIED, "vibrate"),
        ("vibrate", {"ringer_mode": "normal"}, OutcomeKind.VERIFIED, "normal"),
        ("vibrate", {"level_percent": 50}, OutcomeKind.VERIFIED, "normal"),
        ("normal", {"level_percent": 0}, OutcomeKind.VERIFIED, "vibrate"),
        ("normal", {"ringer_mode": "silent"}, OutcomeKind.HANDED_OVER, "normal"),
        ("silent", {"ringer_mode": "normal"}, OutcomeKind.HANDED_OVER, "silent"),
        ("silent", {"level_percent": 50}, OutcomeKind.HANDED_OVER, "silent"),
        ("silent", {"ringer_mode": "silent"}, OutcomeKind.ALREADY, "silent"),
    ],
)
async def test_a_phone_without_a_ringer_verb_rings_or_vibrates_by_its_ring_volume(
    adb_server: AdbServer, present: str, arguments: dict[str, str | int], kind: OutcomeKind, after: str
) -> None:
    phone = new_acting_phone("pixel-14")
    phone.state.audio.set_ringer(present)  # type: ignore[arg-type]
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        outcome = await acting.do("set_volume_and_ringer", stream="ring", **arguments)
        assert outcome.kind is kind
        assert phone.state.audio.ringer == after
        if kind is OutcomeKind.VERIFIED:
            assert (await acting.undo()).kind is OutcomeKind.VERIFIED
            assert phone.state.audio.ringer == present


@pytest.mark.parametrize(("build", "saves"), [("oneui-6", True), ("pixel-14", False)])
async def test_battery_saver_while_charging_is_tried_where_the_maker_allows_it(
    adb_server: AdbServer, build: str, saves: bool
) -> None:
    phone = new_acting_phone(build)
    phone.state.battery.set(level=15, plugged=True)
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        if saves:
            assert (await acting.do("set_power_saving_mode", enabled=True)).kind is OutcomeKind.VERIFIED
            assert phone.state.power.saver
        else:
            with pytest.raises(RefusedError, match="charging"):
                await acting.prepare("set_power_saving_mode", enabled=True)


async def test_a_contact_goes_where_the_phone_keeps_new_ones(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-16")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        outcome = await acting.do("save_contact", name="Carol", phone_number="+447700900461")
        assert outcome.kind is OutcomeKind.VERIFIED
        assert phone.state.contacts.raw[-1].account_type == "com.google"
        assert (await acting.undo()).kind is OutcomeKind.VERIFIED
