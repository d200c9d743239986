"""Which functions fail on which build: the table says why, and a function that begins to work must leave it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from heed.errors import PersonError
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.cases import CASES, Arguments, furnish
from tests.executors.golden import measure
from tests.executors.servers import LocalServices
from tests.executors.test_golden_matrix import configured
from tests.phones import START, connected_device
from tests.proof import PROVING
from virtual_phone import PhoneState
from virtual_phone.state.well_known import CLOCK_APP

PACKAGES = "pm list packages lists every user, and one is closed to adb"
JOINING = "the Wi-Fi module of Android 14 lets only root join a network"
RINGER = "the audio service has no ringer verb, and says nothing"
SETTINGS = "adb may not write settings"
NEEDS_PACKAGES = (
    "compose_email", "join_online_meeting", "clock_in_out", "share_file", "order_food_delivery", "search_restaurant",
    "reserve_restaurant", "track_package", "send_package", "show_pickup_code", "control_smart_device",
    "activate_home_scene", "book_transport", "search_transport", "plan_route_and_navigate", "book_hotel",
    "show_transit_code", "search_product", "check_shopping_order", "play_music", "play_video",
    "control_media_playback", "book_event_ticket", "make_phone_call", "send_instant_message", "publish_social_post",
    "report_spam_message", "start_workout", "view_health_summary", "book_medical_appointment",
    "bank_service_assistance", "transfer_money", "pay_bill", "show_payment_code", "translate_text", "open_course",
    "open_reading_material", "read_news", "web_search", "search_nearby_places", "launch_app", "manage_app",
)  # fmt: skip
FAILS: Mapping[str, Mapping[str, str]] = {
    "pixel-14": {"set_connectivity": JOINING, "set_volume_and_ringer": RINGER},
    "pixel-15": {},
    "pixel-16": {"save_contact": "contacts belong to a cloud account"},
    "oneui-6": {
        **dict.fromkeys(NEEDS_PACKAGES, PACKAGES),
        "set_connectivity": f"{JOINING}; mobile data is kept per subscription",
        "set_volume_and_ringer": RINGER,
    },
    "hyperos": {
        **dict.fromkeys(NEEDS_PACKAGES, PACKAGES),
        "set_connectivity": JOINING,
        "set_volume_and_ringer": RINGER,
        "set_power_saving_mode": SETTINGS,
        "set_display": SETTINGS,
    },
}
"""Build → function → why at least one of its calls in the golden matrix fails there; on ``generic`` none does."""
SAMPLE = ("set_alarm", "set_timer", "save_contact", "set_power_saving_mode", "set_connectivity", "set_do_not_disturb",
          "set_volume_and_ringer", "set_display", "launch_app")  # fmt: skip
"""The functions that are always tried; ``make prove`` tries all."""


def new_acting_phone(build: str) -> WatchedPhone:
    """A furnished phone of this build, whose clock stands still."""
    state = PhoneState.standard(now=START, build=build)
    state.clock.freeze()
    furnish(state)
    return WatchedPhone(state)


async def works(server: AdbServer, folder: Path, build: str, function: str, arguments: Arguments) -> bool:
    """Whether one call is verified or handed over on a phone of its own, and its undo verified."""
    phone, services = new_acting_phone(build), LocalServices()
    async with connected_device(phone, server) as device, services.serving():
        acting = Acting(phone, device, configured(services, folder))
        try:
            row = await measure(acting, services, function, arguments)
        except PersonError:
            return False
    undone = row.undone is None or row.undone.kind is OutcomeKind.VERIFIED
    return undone and row.outcome.kind in (OutcomeKind.VERIFIED, OutcomeKind.HANDED_OVER)


@pytest.mark.parametrize("build", FAILS)
async def test_the_table_names_the_functions_that_fail_on_a_build(
    adb_server: AdbServer, tmp_path: Path, build: str
) -> None:
    failed = set()
    tried = CASES if PROVING else SAMPLE
    for function in tried:
        results = [
            await works(adb_server, tmp_path / f"{function}-{number}", build, function, arguments)
            for number, arguments in enumerate(CASES[function])
        ]
        failed |= {function} if not all(results) else set()
    assert failed == {function for function in FAILS[build] if function in tried}


@pytest.mark.xfail(strict=True, reason="the executor verifies the key that it wrote, not the screen")
async def test_night_light_is_not_verified_where_the_screen_is_not_tinted(adb_server: AdbServer) -> None:
    phone = new_acting_phone("oneui-6")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        try:
            outcome = await acting.do("set_display", setting="night_light", value="on")
        except RefusedError:
            return
        assert outcome.kind is not OutcomeKind.VERIFIED or phone.state.display.night_light


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="the shell cannot lower the owner's mode from 15 on")
@pytest.mark.parametrize("build", ["pixel-15", "pixel-16"])
async def test_do_not_disturb_that_the_owner_set_is_ended(adb_server: AdbServer, build: str) -> None:
    phone = new_acting_phone(build)
    phone.state.dnd.set("none")
    async with connected_device(phone, adb_server) as device:
        outcome = await Acting(phone, device).do("set_do_not_disturb", mode="priority")
        assert outcome.kind is not OutcomeKind.FAILED


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="all timers share one notification")
async def test_a_second_timer_is_verified(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        assert (await acting.do("set_timer", duration_seconds=300)).kind is OutcomeKind.VERIFIED
        assert (await acting.do("set_timer", duration_seconds=90)).kind is OutcomeKind.VERIFIED
    assert phone.state.apps.foreground.package != CLOCK_APP


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="am start grants the intent's data alone")
async def test_a_shared_file_can_be_read_by_the_app(adb_server: AdbServer) -> None:
    phone = new_acting_phone("pixel-14")
    async with connected_device(phone, adb_server) as device:
        acting = Acting(phone, device)
        path = "/sdcard/Documents/Quarterly report.pdf"
        await acting.do(
            "compose_email",
            to=["boss@example.com"],
            subject="Report",
            body="Attached.",
            attachment_uri=path,
            app_name="Gmail",
        )
    assert phone.state.apps.refused_uris == []


@pytest.mark.xfail(strict=True, reason="the next alarm clock belongs to a system app")
async def test_the_next_alarm_is_the_owners(adb_server: AdbServer) -> None:
    phone = new_acting_phone("hyperos")
    phone.state.alarms.alarms = []
    async with connected_device(phone, adb_server) as device:
        with pytest.raises(RefusedError):
            await Acting(phone, device).prepare("cancel_alarm", search_mode="next")
