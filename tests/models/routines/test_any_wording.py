"""Log lines of any wording, and habits from lines that are worded differently every day."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue

from collectors.context import LogEntry
from collectors.place import KnownPlace, with_known_places
from function_pool.spec import default_pool
from heed.trust import Trust
from models.routines.language.lexicon import default_lexicon
from models.routines.language.log_arguments import tables
from models.routines.language.log_classifier import dump, shipped_weights
from models.routines.language.log_reader import LogReader
from models.routines.language.parameters import EXTRACTORS
from models.routines.mining.habit import AtTime, Habit
from models.routines.mining.miner import mine
from models.routines.mining.places import place_labels

POOL = default_pool()
READER = LogReader(default_lexicon(), POOL)
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


def line(day: int, clock: str, text: str, location: str = "") -> LogEntry:
    hour, minute = map(int, clock.split(":"))
    return LogEntry(time=MONDAY + timedelta(days=day, hours=hour, minutes=minute), location=location, action=text)


def numbered(lines: list[LogEntry]) -> list[LogEntry]:
    return [
        entry.model_copy(update={"line": at}) for at, entry in enumerate(sorted(lines, key=lambda one: one.time), 1)
    ]


def six_weeks(wordings: list[str], clocks: list[str], days: range = range(5)) -> list[LogEntry]:
    """Lines on some weekdays of six weeks, each in another wording and at another minute, and an ordinary evening."""
    habit = [
        line(day, clocks[day % len(clocks)], wordings[day % len(wordings)]) for day in range(42) if day % 7 in days
    ]
    return numbered([*habit, *(line(day, "20:15", "Dinner with the family") for day in range(42))])


@pytest.mark.parametrize(
    ("said", "function", "arguments"),
    [
        ("Slid the phone to vibrate before the service", "set_volume_and_ringer", {"ringer_mode": "vibrate"}),
        ("phone silent, rehearsal", "set_volume_and_ringer", {"ringer_mode": "silent"}),
        ("took my phone off silent after the talk", "set_volume_and_ringer", {"ringer_mode": "normal"}),
        ("进门诊前手机改成振动", "set_volume_and_ringer", {"ringer_mode": "vibrate"}),
        ("Media volume down to 25% for the night", "set_volume_and_ringer", {"stream": "media", "level_percent": 25}),
        ("Looked at the forecast before mowing", "query_weather", {"info_type": "forecast"}),
        ("出门前瞄一眼天气预报", "query_weather", {"info_type": "forecast"}),
        ("Strava - evening run - Start", "start_workout", {"sport_type": "running", "app_name": "Strava"}),
        ("Rang the wholesaler first thing", "make_phone_call", {"call_type": "voice"}),
        ("掏出手机亮地铁乘车码", "show_transit_code", {"code_type": "metro"}),
        ("Flight mode on and lights out", "set_connectivity", {"connection_type": "airplane_mode", "enabled": True}),
    ],
)
def test_a_line_tells_its_function_and_arguments_in_any_wording(
    said: str, function: str, arguments: dict[str, JsonValue]
) -> None:
    found = {action.function: action.parameters for action in READER.read(line(0, "08:00", said)).actions}
    assert function in found
    assert {name: found[function].get(name) for name in arguments} == arguments


@pytest.mark.parametrize(
    "said", ["Ate lunch with Tom", "Fed the chickens", "Walked to the station", "喂猫浇花", "接孩子放学", "Bins out"]
)
def test_an_ordinary_line_tells_no_function(said: str) -> None:
    assert READER.read(line(0, "12:00", said)).actions == ()


def test_the_screen_of_a_recorded_visit_is_not_read() -> None:
    visit = line(0, "08:00", "opened Chat: tapped “put the phone on vibrate”").model_copy(
        update={"package": "com.chat"}
    )
    assert visit.trust is Trust.THIRD_PARTY
    assert "set_volume_and_ringer" not in {action.function for action in READER.read(visit).actions}


def only_habit(entries: list[LogEntry]) -> Habit:
    habits = mine(entries, POOL)
    assert len(habits) == 1
    return habits[0]


def test_half_an_hour_is_one_habit_due_once_on_its_days() -> None:
    wordings = ["Phone to vibrate, shift starts", "put it on vibrate", "vibrate on for the ward", "switched to vibrate"]
    habit = only_habit(six_weeks(wordings, ["08:02", "08:28", "08:11", "08:20", "08:06"]))
    assert (habit.function, habit.parameters["ringer_mode"]) == ("set_volume_and_ringer", "vibrate")
    assert isinstance(habit.when, AtTime)
    now, due = MONDAY + timedelta(weeks=6), []
    while (moment := habit.due(now)) is not None and moment < MONDAY + timedelta(weeks=7):
        due.append(moment)
        now = moment
    assert [moment.weekday() for moment in due] == [0, 1, 2, 3, 4]
    assert all(moment.hour in (7, 8) for moment in due)


@pytest.mark.parametrize(
    ("wordings", "name", "value"),
    [
        (["on the bus, Old Harbour on spotify", "spotify > Old Harbour", "put Old Harbour on"], "query", "Old Harbour"),
        (["地铁上听播客《夜航西飞》", "喜马拉雅接着放《夜航西飞》", "听《夜航西飞》"], "query", "夜航西飞"),
    ],
)  # fmt: skip
def test_what_all_lines_name_is_the_argument(wordings: list[str], name: str, value: str) -> None:
    habit = only_habit(six_weeks(wordings, ["18:20", "18:24", "18:31"]))
    assert habit.parameters[name] == value


ROSARY = ["She played the Holy Rosary on YouTube", "the Holy Rosary, beside the altar", "Holy Rosary with Nena again"]


def test_a_line_that_is_not_understood_counts_where_it_names_what_the_others_name() -> None:
    assert [bool(READER.read(line(0, "18:00", said)).actions) for said in ROSARY] == [True, False, False]
    habit = only_habit(six_weeks(ROSARY, ["18:00", "18:04", "17:57"], days=range(7)))
    assert (habit.function, habit.support) == ("play_video", 42)
    elsewhen = [*six_weeks(ROSARY[:1], ["18:00"], days=range(2)), *(line(day, "07:00", ROSARY[1]) for day in range(42))]
    assert only_habit(numbered(elsewhen)).support == 12


def test_what_others_wrote_on_the_screen_is_no_unread_line_of_the_owner() -> None:
    shown = [
        line(day, "18:02", "opened Chat: tapped “the Holy Rosary, beside the altar”").model_copy(
            update={"package": "com.chat"}
        )
        for day in range(42)
    ]
    assert only_habit(numbered([*six_weeks(ROSARY[:1], ["18:00"], days=range(2)), *shown])).support == 12


def test_a_habit_of_another_place_may_be_suggested_at_home_and_one_of_home_not_elsewhere() -> None:
    habit = only_habit(six_weeks(ROSARY, ["18:00", "18:04"]))
    outside, at_home = (habit.model_copy(update={"places": {place: 1.0}}) for place in ("other", "home"))
    assert [outside.suits(place) for place in ("unknown", "other", "home", "work")] == [True, True, True, False]
    assert [at_home.suits(place) for place in ("unknown", "other", "home", "work")] == [True, False, True, False]


def test_a_weekly_habit_is_likely_on_its_day_only() -> None:
    habit = only_habit(six_weeks(["Rang Maureen", "Phoned Maureen after dinner"], ["19:30", "19:41"], days=range(6, 7)))
    assert isinstance(habit.when, AtTime)
    likely = [
        (MONDAY + timedelta(days=day)).weekday()
        for day in range(7)
        if habit.when.is_likely_on(MONDAY.date() + timedelta(days=day))
    ]
    assert likely == [6]


def test_home_and_work_are_those_of_the_profile() -> None:
    places = (KnownPlace(key="home", address="14 Elm Road, Leeds"), KnownPlace(key="work", label="St James"))
    entries = [line(day, "11:00", "…", "14 Elm Road") for day in range(5)] + [line(0, "23:00", "…", "St James")]
    known = with_known_places(places, entries)
    assert [entry.location for entry in known] == ["home"] * 5 + ["work"]
    assert place_labels(known) == {"home": "home", "work": "work"}


def test_the_tables_name_parameters_and_values_of_the_pool() -> None:
    assert set(tables()) == {spec.name for spec in POOL}
    for function, table in tables().items():
        parameters = POOL.get(function).parameters
        assert {*table.choose, *table.otherwise, *table.extract, *filter(None, [table.shared])} <= set(parameters)
        assert {name for names in table.extract.values() for name in names} <= set(EXTRACTORS)
        for name, values in table.choose.items():
            assert not parameters[name].choices or set(values) <= set(map(str, parameters[name].choices)), (
                function,
                name,
            )


def test_the_model_knows_the_pool_and_is_small() -> None:
    weights = shipped_weights()
    assert set(weights.functions) == {spec.name for spec in POOL}
    assert len(dump(weights)) < 1_000_000
