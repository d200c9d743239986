"""Each thing that the demo's day calls for can be done on its phone, and undone."""

import pytest

from android_bridge.device import Device
from executors.plan import OutcomeKind
from tests.executors.acting import Acting, WatchedPhone, difference
from virtual_phone.scenario import FOLDER, Scenario, ScenarioPlayer

SCENARIO = Scenario.load(FOLDER / "demo.yaml")
WISHES = {
    "14:30": ("set_power_saving_mode", {"enabled": True}, {"power.saver"}),
    "16:10": ("save_contact", {"name": "Bob", "phone_number": "+8615000000000"}, {"contacts"}),
    "21:00": (
        "clean_up_media_files",
        {"category": "screenshots", "action": "trash", "before_date": "30 days ago"},
        {"media", "files"},
    ),
    "23:00": (
        "cancel_alarm",
        {"search_mode": "time", "time": "07:00"},
        {"alarms", "apps", "keyboard", "notifications"},
    ),
}


@pytest.fixture
def phone() -> WatchedPhone:
    state = SCENARIO.new_state()
    state.clock.freeze()
    return WatchedPhone(state)


@pytest.mark.parametrize("at", WISHES)
async def test_what_a_moment_calls_for_is_done_and_undone(phone: WatchedPhone, device: Device, at: str) -> None:
    player = ScenarioPlayer(SCENARIO, phone.state)
    while (upcoming := player.next) is not None and f"{upcoming[0]:%H:%M}" <= at:
        player.step()
    acting = Acting(phone, device)
    function, parameters, places = WISHES[at]
    before = acting.state()
    outcome = await acting.do(function, **parameters)  # type: ignore[arg-type]
    assert outcome.kind is OutcomeKind.VERIFIED, outcome
    changes = difference(before, acting.state())
    assert changes and all(path.startswith(tuple(places)) for path in changes), changes
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    left = {path for path in difference(before, acting.state()) if not path.startswith("apps.")}
    assert left == set()
