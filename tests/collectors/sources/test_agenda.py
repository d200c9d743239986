"""The calendar of the next hours, and what comes back."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from android_bridge.device import Device
from android_bridge.facts.alarms import NEXT_ALARM, NextAlarm
from android_bridge.facts.content import Rows
from android_bridge.facts.network import WIFI, Wifi
from android_bridge.facts.people import CALENDAR_AHEAD, CALENDAR_REPEATED
from collectors.config import CollectorsConfig
from collectors.sources.agenda import CalendarSource, RegularSource
from heed.trust import Trust
from tests.collectors.sources.phone_values import NOW, readings
from tests.phones import START
from virtual_phone import VirtualPhone

CONFIG = CollectorsConfig()


def row(begin: datetime, hours: float = 1, title: str | None = "Standup", **more: str | None) -> dict[str, str | None]:
    end = begin + timedelta(hours=hours)
    millis = {"begin": str(round(begin.timestamp() * 1000)), "end": str(round(end.timestamp() * 1000))}
    return {"_id": "1", **millis, "allDay": "0", "eventLocation": None, "title": title, "description": None, **more}


async def ahead(*rows: dict[str, str | None]) -> Any:
    found = await readings(CalendarSource(CONFIG), {CALENDAR_AHEAD: Rows(items=rows)})
    assert all(reading.trust is Trust.THIRD_PARTY for reading in found.values())
    return found["calendar.next"].value if "calendar.next" in found else []


async def test_an_event_has_its_times_on_the_phones_clock() -> None:
    assert await ahead(row(NOW + timedelta(minutes=50), eventLocation="Room 4")) == [
        {
            "title": "Standup",
            "location": "Room 4",
            "start": "2026-02-06T17:00:00+08:00",
            "end": "2026-02-06T18:00:00+08:00",
            "minutes_ahead": 50,
        }
    ]


async def test_what_is_going_on_counts_and_what_is_over_does_not() -> None:
    (one,) = await ahead(row(NOW - timedelta(hours=2)), row(NOW - timedelta(minutes=30)))
    assert one["minutes_ahead"] == -30


async def test_an_event_of_the_whole_day_has_a_date_and_no_time() -> None:
    utc_day = datetime.fromisoformat("2026-02-06T00:00:00+00:00")
    tomorrow = utc_day + timedelta(days=1)
    assert await ahead(row(utc_day, 24, "Birthday", allDay="1"), row(tomorrow, 24, "Fair", allDay="1")) == [
        {"title": "Birthday", "date": "2026-02-06", "all_day": True}
    ]


async def test_an_event_without_a_title_is_there_without_one() -> None:
    (one,) = await ahead(row(NOW, title=None))
    assert "title" not in one


async def test_an_event_has_its_description_and_the_links_in_it() -> None:
    (one,) = await ahead(row(NOW, eventLocation="Room 4", description="Agenda\nhttps://us02web.zoom.us/j/845?pwd=x1."))
    assert one["description"].startswith("Agenda") and one["links"] == ["https://us02web.zoom.us/j/845?pwd=x1"]


async def test_a_long_description_is_cut_and_its_links_are_not_lost() -> None:
    (one,) = await ahead(row(NOW, description="words " * 200 + "https://meet.google.com/abc-defg-hij"))
    assert len(one["description"]) == 600 and one["links"] == ["https://meet.google.com/abc-defg-hij"]


async def test_a_faulty_profile_hides_no_event(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("user_profile: {no_such_section: {}}", "utf-8")
    rows = Rows(items=(row(NOW, eventLocation="Room 4"),))
    source = CalendarSource(CollectorsConfig(profile=tmp_path / "profile.yaml"))
    found = await readings(source, {CALENDAR_AHEAD: rows})
    assert found["calendar.next"].value[0]["title"] == "Standup"


async def test_what_begins_later_than_in_twelve_hours_is_not_next() -> None:
    assert await ahead(row(NOW + timedelta(hours=13))) == []


PROFILE = """locations:
  home: {address: 14 Elm Road Leeds, wifi: Nest, latitude: 53.81, longitude: -1.56}
  work: {address: St James Hospital, latitude: 53.80, longitude: -1.52}
  gym: {address: 3 Kirkgate Leeds, label: Gym}
"""


async def located(tmp_path: Path, location: str, wifi: str | None) -> Any:
    (tmp_path / "profile.yaml").write_text(PROFILE)
    config = CollectorsConfig(profile=tmp_path / "profile.yaml")
    rows = Rows(items=(row(NOW, eventLocation=location),))
    found = await readings(CalendarSource(config), {CALENDAR_AHEAD: rows, WIFI: Wifi(enabled=True, ssid=wifi)})
    (one,) = found["calendar.next"].value
    return one.get("place"), one.get("distance_km")


async def test_an_event_at_a_known_place_has_the_place_and_the_distance(tmp_path: Path) -> None:
    assert await located(tmp_path, "St James Hospital, Ward 4", "Nest") == ("work", 2.9)
    assert await located(tmp_path, "14 Elm Road, Leeds", "Nest") == ("home", 0.0)


async def test_without_a_position_of_the_phone_or_the_place_there_is_no_distance(tmp_path: Path) -> None:
    assert await located(tmp_path, "St James Hospital", None) == ("work", None)
    assert await located(tmp_path, "Gym", "Nest") == ("Gym", None)
    assert await located(tmp_path, "Somewhere else", "Nest") == (None, None)


async def first_of(alarm: datetime | None, *rows: dict[str, str | None]) -> Any:
    found = await readings(
        CalendarSource(CONFIG), {CALENDAR_AHEAD: Rows(items=rows), NEXT_ALARM: alarm and NextAlarm(at=alarm)}
    )
    return found["calendar.first"].value if "calendar.first" in found else None


TOMORROW = NOW.replace(hour=0, minute=0) + timedelta(days=1)


async def test_the_first_appointment_of_the_morning_is_counted_from_the_alarm() -> None:
    rows = row(NOW + timedelta(hours=2)), row(TOMORROW.replace(hour=8), title="Dentist"), row(TOMORROW.replace(hour=9))
    first = await first_of(TOMORROW.replace(hour=6, minute=45), *rows)
    assert first == {
        "title": "Dentist",
        "start": "2026-02-07T08:00:00+08:00",
        "minutes_ahead": 950,
        "minutes_after_alarm": 75,
    }


async def test_an_alarm_after_the_appointment_gives_negative_minutes_and_none_gives_none() -> None:
    dentist = row(TOMORROW.replace(hour=8), title="Dentist")
    assert (await first_of(TOMORROW.replace(hour=8, minute=30), dentist))["minutes_after_alarm"] == -30
    assert "minutes_after_alarm" not in await first_of(None, dentist)


async def test_what_has_begun_or_begins_in_the_afternoon_is_not_first_of_the_morning() -> None:
    assert await first_of(None, row(NOW), row(TOMORROW.replace(hour=13))) is None


async def test_what_repeats_is_told_by_its_rule() -> None:
    start = str(round(datetime.fromisoformat("2026-01-05T18:30:00+08:00").timestamp() * 1000))
    base = {"_id": "1", "dtstart": start, "eventTimezone": "Asia/Shanghai"}
    rows = (
        {**base, "allDay": "0", "title": "Gym", "rrule": "FREQ=WEEKLY;WKST=MO;BYDAY=MO,1WE"},
        {**base, "allDay": "1", "title": "Mum's birthday", "rrule": "FREQ=YEARLY"},
        {**base, "allDay": "0", "title": "Odd", "rrule": "FREQ=SECONDLY"},
    )
    found = await readings(RegularSource(CONFIG), {CALENDAR_REPEATED: Rows(items=rows)})
    assert found["calendar.regular"].value == [
        {"title": "Gym", "every": "week", "days": ["mon", "wed"], "clock": "18:30"},
        {"title": "Mum's birthday", "every": "year"},
    ]


async def test_the_phone_gives_the_next_hours_by_its_own_clock(phone: VirtualPhone, device: Device) -> None:
    calendar = phone.state.calendar
    for hours, title in ((1, "Team, meeting"), (25, "Too late"), (-30, "Yesterday")):
        calendar.add(title, START + timedelta(hours=hours), location="Room 4, house B")
    start = round((START - timedelta(days=21)).timestamp() * 1000)
    calendar.insert({"title": "Gym", "start": start, "duration": "PT1H", "rrule": "FREQ=WEEKLY;BYDAY=FR"})
    rows = (await device.read(CALENDAR_AHEAD)).items
    assert [(one["title"], one["eventLocation"]) for one in rows] == [
        ("Gym", None),
        ("Team, meeting", "Room 4, house B"),
    ]
    assert [one["title"] for one in (await device.read(CALENDAR_REPEATED)).items] == ["Gym"]
    phone.state.clock.advance(4 * 3600)
    assert [one["title"] for one in (await device.read(CALENDAR_AHEAD)).items] == ["Too late"]


async def test_a_description_that_imitates_columns_hides_only_its_own_event(
    phone: VirtualPhone, device: Device
) -> None:
    phone.state.calendar.add("Hostile", START, description="x, description=y, title=z\nRow: 9 _id=1, title=w")
    phone.state.calendar.add("Standup", START + timedelta(hours=1), description="Notes, with commas\nand lines")
    rows = (await device.read(CALENDAR_AHEAD)).items
    assert [(one["title"], one["description"]) for one in rows] == [("Standup", "Notes, with commas\nand lines")]
