"""Scenario files: validation with the line of the fault, and playing them."""

from datetime import timedelta
from pathlib import Path

import pytest

from heed.errors import UsageError
from virtual_phone import Scenario, ScenarioPlayer
from virtual_phone.scenario import FOLDER

HEAD = "name: x\nstart: 2026-02-06T14:00:00+08:00\n"


def load(folder: Path, text: str) -> Scenario:
    path = folder / "scenario.yaml"
    path.write_text(text, "utf-8")
    return Scenario.load(path)


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (HEAD + "timeline:\n  - at: '14:30'\n    battery: {level: 150}\n", 5, "less than or equal to 100"),
        (HEAD + "timeline:\n  - at: '25:30'\n    battery: {level: 15}\n", 4, "expected a time"),
        (
            HEAD + "timeline:\n  - at: '14:30'\n    battery: {level: 5}\n    call: {from: '1'}\n",
            4,
            "one event per entry",
        ),
        (HEAD + "timeline:\n  - at: '14:30'\n    note: nothing\n", 4, "an entry needs one of"),
        (HEAD + "timeline:\n  - {at: '2026-02-06T12:00+08:00', key: HOME}\n", 1, "lies before"),
        (HEAD + "timeline:\n  - at: '14:30'\n    bluetoth: {device: x}\n", 5, "Extra inputs"),
        (HEAD + "state:\n  alarms:\n    - {time: '7 am'}\n", 5, "expected HH:MM"),
        (HEAD + "language: fr\n", 3, "'en' or 'zh'"),
        (HEAD + "build: pixel-1\n", 3, "no such build; the builds are generic, pixel-14"),
        ("name: x\nstart: 2026-02-06T14:00:00\n", 2, "timezone"),
        ("name: [", 1, "expected the node content"),
        ("- a\n", 1, "valid dictionary"),
    ],
)
def test_an_error_names_file_and_line(tmp_path: Path, text: str, line: int, fault: str) -> None:
    with pytest.raises(UsageError) as raised:
        load(tmp_path, text)
    assert f"scenario.yaml, line {line}: " in str(raised.value)
    assert fault in str(raised.value)


def test_a_scenario_chooses_the_build(tmp_path: Path) -> None:
    scenario = load(tmp_path, HEAD + "build: oneui-6\n")
    assert scenario.new_state().build.name == "oneui-6"
    assert scenario.new_state(build="pixel-16").identity.model == "Pixel 10"


def test_a_missing_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Scenario.load("no-such-scenario")


def test_an_earlier_time_of_day_is_on_the_next_day(tmp_path: Path) -> None:
    entries = "timeline:\n  - {at: '23:00', key: HOME}\n  - {at: '01:00', key: HOME}\n  - {at: '00:30', key: HOME}\n"
    moments = [moment for moment, _ in load(tmp_path, HEAD + entries).moments()]
    assert [(moment.day, moment.hour) for moment in moments] == [(6, 23), (7, 1), (8, 0)]


def test_the_owner_taps_and_types_in_a_scenario(tmp_path: Path) -> None:
    scenario = load(
        tmp_path,
        HEAD + "state:\n  contacts: []\n"
        "timeline:\n"
        "  - {at: '14:01', open_app: {app: com.google.android.contacts}}\n"
        "  - {at: '14:02', tap: {text: Create contact}}\n"
        "  - {at: '14:03', tap: {text: Name}}\n"
        "  - {at: '14:03', type: 王芳}\n"
        "  - {at: '14:04', tap: {text: Save}}\n",
    )
    state = scenario.new_state()
    assert len(ScenarioPlayer(scenario, state).play()) == 5
    assert [contact.name for contact in state.contacts.raw] == ["王芳"]


def test_a_tap_on_a_missing_view_stops_the_scenario(tmp_path: Path) -> None:
    scenario = load(tmp_path, HEAD + "timeline:\n  - {at: '14:01', tap: {text: Nowhere}}\n")
    with pytest.raises(UsageError, match="Nothing on the phone's screen says 'Nowhere'"):
        ScenarioPlayer(scenario, scenario.new_state()).play()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_scenario_plays_to_its_end_at_its_own_times(path: Path) -> None:
    scenario = Scenario.load(path)
    state = scenario.new_state()
    state.clock.freeze()
    player = ScenarioPlayer(scenario, state)
    while player.next is not None:
        moment, entry = player.next
        assert player.step() == entry
        assert state.clock.wall() - moment < timedelta(hours=24) if entry.event == "advance" else True
        assert state.clock.wall() >= moment
    assert player.step() is None


def test_the_start_state_is_applied_to_the_standard_phone() -> None:
    state = Scenario.load("demo").new_state()
    assert (state.battery.level, state.battery.plugged) == (42, False)
    assert [contact.name for contact in state.contacts.raw] == ["Alice Chen", "Bob Li", "Mum", "Dr. Zhou"]
    assert len(state.media.items) == 11
    assert state.notifications.active == []
    assert {item["size"] for path, item in state.to_json()["files"].items() if "DCIM" in path} == {
        3871224,
        4120033,
        3560781,
    }


def test_the_demo_starts_the_same_every_time() -> None:
    scenario = Scenario.load("demo")
    first, second = (scenario.new_state() for _ in range(2))
    for state in (first, second):
        state.clock.freeze()
        state.clock.jump(scenario.start)
    assert first.to_json() == second.to_json()
