"""Where the phone is, and what a location text means."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from collectors.behaviour_log import BehaviourLog
from collectors.context import LogEntry
from collectors.place import UNKNOWN, KnownPlace, Position, distance, infer, place_names
from collectors.profile import load_profile

HOME = KnownPlace(key="home", label="Nest", address="12 Harbour Road, Flat 3", latitude=39.9795, longitude=116.3382)
WORK = KnownPlace(key="work", address="海淀区苏州街3号", latitude=39.981, longitude=116.307, wifi=("Office-5G",))
GYM = KnownPlace(key="gym", label="Iron Gym", latitude=40.02, longitude=116.4)
PLACES = (HOME, WORK, GYM)
ZONE = timezone(timedelta(hours=8))


def test_the_wifi_of_a_place_names_it() -> None:
    assert infer(PLACES, wifi="Office-5G").name == "work"
    assert infer(PLACES, wifi="Cafe").name == UNKNOWN


def test_a_position_near_a_place_names_it() -> None:
    assert infer(PLACES, position=Position(39.9800, 116.3385, accuracy=20)).name == "home"
    assert infer(PLACES, position=Position(40.0201, 116.4001)).name == "Iron Gym"


@pytest.mark.parametrize(
    "position",
    [
        Position(39.9900, 116.3382),
        Position(39.9795, 116.3382, accuracy=5_000),
        Position(39.9795, 116.3382, age=7_200),
    ],
    ids=["too far", "too vague", "too old"],
)
def test_a_position_that_proves_nothing_names_nothing(position: Position) -> None:
    assert infer(PLACES, position=position).name == UNKNOWN


def test_a_vague_position_is_believed_less() -> None:
    sure = infer(PLACES, position=Position(39.9795, 116.3382, accuracy=10))
    vague = infer(PLACES, position=Position(39.9795, 116.3382, accuracy=400))
    assert sure.confidence > vague.confidence


def test_distance_is_that_of_the_globe() -> None:
    paris = KnownPlace(key="paris", latitude=48.8566, longitude=2.3522)
    assert distance(Position(51.5074, -0.1278), paris) == pytest.approx(343_560, rel=0.002)


def at(day: int, hour: int, location: str) -> LogEntry:
    time = datetime(2026, 2, 2, hour, tzinfo=ZONE) + timedelta(days=day)
    return LogEntry(time=time, location=location, action="opened an app")


def test_the_address_of_the_profile_names_a_text() -> None:
    log = [at(0, 9, "12 Harbour Road, Flat 3"), at(0, 10, "北京市海淀区苏州街3号 5层"), at(0, 11, "Nest")]
    assert place_names(PLACES, log) == {
        "12 Harbour Road, Flat 3": "home",
        "北京市海淀区苏州街3号 5层": "work",
        "Nest": "home",
    }


def test_beside_an_address_is_not_at_it() -> None:
    log = [at(0, 9, "Café near 12 Harbour Road, Flat 3"), at(0, 10, "地铁站 海淀区苏州街3号")]
    assert place_names(PLACES, log) == {}


def test_without_an_address_habit_names_home_and_work() -> None:
    log = [at(day, 22, "Maple Court") for day in range(7)] + [at(day, 10, "Tower B") for day in range(5)]
    log += [at(2, 22, "Hotel Aurora"), at(3, 11, "Airport")]
    assert place_names((), log) == {"Maple Court": "home", "Tower B": "work"}


def test_a_few_visits_make_no_habit() -> None:
    assert place_names((), [at(0, 22, "Hotel"), at(1, 22, "Hotel"), at(1, 10, "Fair")]) == {}


def test_home_and_work_of_the_benchmark_personas_are_found(shared: Path) -> None:
    knowu = shared / "bench" / "knowu"
    for role in ("user", "developer"):
        entries = BehaviourLog(knowu / "logs" / f"{role}.noise.jsonl").entries()
        names = place_names(load_profile(knowu / "profiles" / f"{role}.input.yaml").places, entries)
        assert sorted(names.values()) == ["home", "work"]
        by_place = {place: sum(e.location == text for e in entries) for text, place in names.items()}
        assert min(by_place.values()) > 40, json.dumps(names, ensure_ascii=False)
