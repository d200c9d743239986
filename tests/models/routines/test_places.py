"""Home and work are told by the hours spent there."""

from models.routines.mining.places import place_labels

from .personas import GYM, HOME, OFFICE, at, english


def test_nights_tell_home_and_weekday_hours_tell_work() -> None:
    labels = place_labels(english())
    assert (labels[HOME], labels[OFFICE]) == ("home", "work")


def test_a_station_is_neither_however_often_it_is_passed() -> None:
    way = [
        at(day, clock, "Tram stop Marina", "…") for day in range(20) for clock in ("07:30", "11:00", "17:10", "22:00")
    ]
    labels = place_labels([*english(), *way])
    assert labels["Tram stop Marina"] == "other"
    assert labels[OFFICE] == "work"


def test_a_location_that_says_so_is_believed() -> None:
    entries = [
        at(0, "12:00", "Office", "…"),
        at(0, "13:00", "家", "…"),
        at(0, "22:00", GYM, "…"),
        at(1, "9:00", "", "…"),
    ]
    assert place_labels(entries) == {"Office": "work", "家": "home", GYM: "other", "": "unknown"}


def test_somebody_who_is_always_at_home_works_nowhere() -> None:
    assert place_labels([at(day, "11:00", HOME, "…") for day in range(20)]) == {HOME: "home"}
    assert place_labels([]) == {}
