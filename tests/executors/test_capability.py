"""What a phone cannot do is known before it is suggested."""

import pytest

from android_bridge.device import Device
from executors.registry import incapable_functions
from tests.executors.acting import Acting, WatchedPhone, difference
from tests.executors.cases import furnish


async def test_a_furnished_phone_can_do_everything(acting: Acting, device: Device) -> None:
    furnish(acting.phone.state)
    assert await incapable_functions(acting.executors, device, writes=True) == {}


async def test_asking_changes_nothing(acting: Acting, device: Device) -> None:
    before = acting.state()
    await incapable_functions(acting.executors, device, writes=True)
    assert difference(before, acting.state()) == {}


@pytest.mark.parametrize(
    ("package", "functions"),
    [
        ("com.google.android.deskclock", {"set_alarm", "cancel_alarm", "set_timer"}),
        ("com.google.android.dialer", {"make_phone_call", "block_phone_number"}),
        ("com.google.android.GoogleCamera", {"capture_image"}),
        ("com.google.android.gm", {"compose_email"}),
    ],
)
async def test_a_missing_app_hides_what_needs_it(
    acting: Acting, device: Device, package: str, functions: set[str]
) -> None:
    furnish(acting.phone.state)
    app = acting.phone.state.apps.find(package)
    assert app is not None
    app.enabled = False
    reasons = await incapable_functions(acting.executors, device)
    assert set(reasons) == functions
    assert all(str(reason).endswith(".") for reason in reasons.values())


async def test_a_phone_without_a_writable_calendar_says_so(acting: Acting, device: Device) -> None:
    furnish(acting.phone.state)
    acting.phone.state.calendar.calendars[0].access_level = 200
    reasons = await incapable_functions(acting.executors, device)
    assert set(reasons) == {"create_calendar_event"}
    assert str(reasons["create_calendar_event"]) == "No calendar can be written to."


async def test_a_switch_that_forbids_writing_is_found_when_asked_for(
    acting: Acting, device: Device, phone: WatchedPhone
) -> None:
    furnish(phone.state)
    phone.refuse("settings put", "java.lang.SecurityException: Permission denial: WRITE_SECURE_SETTINGS")
    assert await incapable_functions(acting.executors, device) == {}
    reasons = await incapable_functions(acting.executors, device, writes=True)
    assert set(reasons) == {"set_display", "set_power_saving_mode"}
    assert "USB debugging (Security settings)" in str(reasons["set_display"])
