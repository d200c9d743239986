"""Events of an owner whose calendar app keeps them to itself, on the phone of AndroidWorld's tasks."""

from datetime import UTC, datetime
from pathlib import Path

from android_bridge.adb import AdbServer
from android_bridge.facts.clock import CLOCK
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind
from executors.registry import incapable_functions, load_executors
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from tests.phones import connected_device
from virtual_phone import PhoneState, Scenario, VirtualPhone
from virtual_phone.state.sqlite_files import Cell, rows_in, with_row

_APP = "com.simplemobiletools.calendar.pro"
_FILE = f"/data/data/{_APP}/databases/events.db"
_SCENARIO = Path(__file__).parents[2] / "bench" / "oracles" / "androidworld.yaml"
_START = datetime(2023, 10, 15, 15, 34, tzinfo=UTC)
_CONFIG = ExecutorsConfig(calendar_app=_APP)


async def _done(server: AdbServer, phone: VirtualPhone, **call: dict[str, str]) -> tuple[Outcome, ...]:
    """What the call's outcomes are, once the owner consented."""
    ((name, parameters),) = call.items()
    executors = load_executors(_CONFIG)
    async with connected_device(phone, server, emulated=True) as device:
        calls = [FunctionCall(name=name, parameters=parameters)]
        plan = await runner.prepare(executors, device, default_pool(), calls, await device.read(CLOCK))
        return await runner.execute(executors, device, plan, lambda _: None)


def _phone(*events: tuple[str, str, str]) -> VirtualPhone:
    """The phone with these events: title, start, place; each lasts an hour."""
    state = Scenario.load(_SCENARIO).new_state()
    data = state.files.as_root.read(_FILE).read()
    for title, start, place in events:
        second = int(datetime.fromisoformat(f"{start}+00:00").timestamp())
        row: dict[str, Cell] = {
            "title": title,
            "start_ts": second,
            "end_ts": second + 3600,
            "location": place,
            "description": "",
        }
        data = with_row(data, "events", row | {"repeat_interval": 0, "reminder_1_minutes": -1})
    state.files.as_root.put(_FILE, data)
    return VirtualPhone(state)


async def test_a_new_event_is_filled_in_and_left_to_the_owner(adb_server: AdbServer) -> None:
    phone = _phone()
    event = {"title": "Choir", "start_time": "2023-10-17T19:00:00", "end_time": "2023-10-17T20:30:00"}
    (outcome,) = await _done(adb_server, phone, create_calendar_event=event | {"recurrence": "weekly"})
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert phone.state.apps.foreground.fields["repeat"] == "604800"
    assert rows_in(phone.state.files.as_root.read(_FILE).read(), "SELECT * FROM events") == []


async def test_the_events_of_a_span_are_read_from_the_days(adb_server: AdbServer) -> None:
    days = [(f"Talk {number}", f"2023-10-16T{8 + number:02}:00", "") for number in range(12)]  # more than a page
    phone = _phone(*days, ("Choir", "2023-10-17T19:00", "Hall"), ("Later", "2023-10-18T09:00", ""))
    span = {"start_time": "2023-10-16T00:00:00", "end_time": "2023-10-17T23:59:00"}
    (outcome,) = await _done(adb_server, phone, query_calendar_events=span)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert _titles(outcome) == [*(title for title, _, _ in days), "Choir"]


async def test_a_phone_without_the_app_lacks_both_functions(adb_server: AdbServer) -> None:
    executors = load_executors(_CONFIG)
    pair = {name: executors[name] for name in ("create_calendar_event", "query_calendar_events")}
    for phone, absent in ((_phone(), 0), (VirtualPhone(PhoneState.standard(_START)), 2)):
        async with connected_device(phone, adb_server) as device:
            assert len(await incapable_functions(pair, device)) == absent


async def test_the_place_of_an_event_that_is_asked_for_is_read(adb_server: AdbServer) -> None:
    phone = _phone(("Choir", "2023-10-17T19:00", "Hall"))
    span = {"start_time": "2023-10-17T00:00:00", "end_time": "2023-10-17T23:59:00", "keyword": "choir"}
    (outcome,) = await _done(adb_server, phone, query_calendar_events=span)
    assert outcome.told[0].detail["events"] == ["10-17 19:00 Choir (Hall)"]


def _titles(outcome: Outcome) -> list[str]:
    found = outcome.told[0].detail["found"]
    assert isinstance(found, list)
    return [str(entry["title"]) for entry in found if isinstance(entry, dict)]
