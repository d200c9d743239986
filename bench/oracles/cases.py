"""The tasks of AndroidWorld that functions of the pool do, with their calls; ``unsolved.yaml`` has the others."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from bench.oracles.judging import Found, JudgedCase, Params
from function_pool.call import FunctionCall


def _call(function: str, /, **parameters: Any) -> FunctionCall:
    return FunctionCall(name=function, parameters=parameters)


def _fixed(*calls: FunctionCall) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: list(calls)


def _sms(recipient: str) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: [_call("send_sms", recipient=params[recipient], content=params["message"])]


def _opens(params: Params) -> list[FunctionCall]:
    return [_call("launch_app", app_name=params["app_name"])]


_NOW = datetime(2023, 10, 15, 15, 34)  # noqa: DTZ001 - the phone's own time, at which AndroidWorld begins each task
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _date(words: str) -> datetime:
    """The day that a goal names: today, tomorrow, this Friday, the Friday after next, October 20 2023."""
    today, said = _NOW.replace(hour=0, minute=0), words.casefold()
    named = next((number for number, name in enumerate(_WEEKDAYS) if name in said), None)
    if named is not None:
        later = (named - today.weekday() - 1) % 7 + 1
        return today + timedelta(days=later + 7 * ("after next" in said))
    if "tomorrow" in said or "today" in said:
        return today + timedelta(days="tomorrow" in said)
    return datetime.strptime(words if said[-4:].isdigit() else f"{words} 2023", "%B %d %Y")  # noqa: DTZ007


def _at(words: str, time: str) -> datetime:
    """That day at 5pm, 5:20pm or 17:20."""
    text = time.replace(" ", "").upper()
    form = "%H:%M" if text[-1].isdigit() else "%I:%M%p" if ":" in text else "%I%p"
    clock = datetime.strptime(text, form)  # noqa: DTZ007
    return _date(words).replace(hour=clock.hour, minute=clock.minute)


def _adds_event(params: Params) -> list[FunctionCall]:
    start = datetime(params["year"], params["month"], params["day"], params["hour"])  # noqa: DTZ001
    end = start + timedelta(minutes=params["duration_mins"])
    given = {"title": params["event_title"], "description": params["event_description"]}
    given |= {"recurrence": params["repeat_rule"]} if "repeat_rule" in params else {}
    return [_call("create_calendar_event", **given, start_time=start.isoformat(), end_time=end.isoformat())]


def _reads(start: datetime, end: datetime, **given: str) -> list[FunctionCall]:
    return [_call("query_calendar_events", start_time=start.isoformat(), end_time=end.isoformat(), **given)]


def _reads_minute(start: datetime) -> list[FunctionCall]:
    return _reads(start, start + timedelta(minutes=1))


def _reads_day(params: Params) -> list[FunctionCall]:
    day = _date(params["date"])
    return _reads(day, day.replace(hour=23, minute=59))


def _reads_from(params: Params, time: str, hour: int, minute: int = 0) -> list[FunctionCall]:
    start = _at(params["date"], params[time])
    return _reads(start, start.replace(hour=hour, minute=minute))


def _titles(params: Params, found: Sequence[Found]) -> str:
    return ", ".join(entry["title"] for entry in found)


def _coming(found: Sequence[Found], after: datetime) -> list[Found]:
    """Those that begin at a time or later, in their order."""
    begun = [entry for entry in found if datetime.fromisoformat(entry["start"]).replace(tzinfo=None) >= after]
    return sorted(begun, key=lambda entry: str(entry["start"]))


def _first(params: Params, found: Sequence[Found]) -> str:
    after = _at(params["date"], params["time"]) if "date" in params else _NOW
    return _titles(params, _coming(found, after)[:1])


def _when(params: Params, found: Sequence[Found]) -> str:
    first = _coming(found, _NOW)[:1]
    return "".join(f"{datetime.fromisoformat(entry['start']):%B %d %Y %H:%M}" for entry in first)


def _where(params: Params, found: Sequence[Found]) -> str:
    return ", ".join(entry["location"] for entry in found)


_WIFI_ON = _call("set_connectivity", connection_type="wifi", enabled=True)
_WIFI_OFF = _call("set_connectivity", connection_type="wifi", enabled=False)
_BLUETOOTH_ON = _call("set_bluetooth", enabled=True)
_BLUETOOTH_OFF = _call("set_bluetooth", enabled=False)
_BRIGHT = _call("set_display", setting="brightness", value="100")
_DARK = _call("set_display", setting="brightness", value="0")
_SEND = ("send_message_button",)
_SAVE = ("save",)
_IN_A_DAY, _IN_TWO_WEEKS = _NOW + timedelta(days=1), _NOW + timedelta(days=15)
_NEXT_WEEK = (datetime(2023, 10, 16), datetime(2023, 10, 22, 23, 59))  # noqa: DTZ001 - Monday to Sunday
_SHUTTER = ("shutter_button",)

CASES = (
    JudgedCase("SystemBluetoothTurnOn", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOnVerify", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOff", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemBluetoothTurnOffVerify", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemWifiTurnOn", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOnVerify", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOff", _fixed(_WIFI_OFF)),
    JudgedCase("SystemWifiTurnOffVerify", _fixed(_WIFI_OFF)),
    JudgedCase("SystemBrightnessMax", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMaxVerify", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMin", _fixed(_DARK)),
    JudgedCase("SystemBrightnessMinVerify", _fixed(_DARK)),
    JudgedCase("TurnOffWifiAndTurnOnBluetooth", _fixed(_WIFI_OFF, _BLUETOOTH_ON)),
    JudgedCase("TurnOnWifiAndOpenApp", lambda params: [_WIFI_ON, *_opens(params)]),
    JudgedCase("OpenAppTaskEval", _opens),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "camera"}),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "settings"}),
    JudgedCase(
        "ContactsAddContact",
        lambda params: [_call("save_contact", name=params["name"], phone_number=params["number"])],
    ),
    JudgedCase("CameraTakePhoto", _fixed(_call("capture_image", mode="photo")), owner=_SHUTTER),
    # The first touch begins the recording, the second ends it.
    JudgedCase("CameraTakeVideo", _fixed(_call("capture_image", mode="video")), owner=_SHUTTER * 2),
    JudgedCase("SimpleSmsSend", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReply", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReplyMostRecent", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsResend", _sms("name"), owner=_SEND),
    JudgedCase("SimpleSmsSendReceivedAddress", _sms("name1"), owner=_SEND),
    JudgedCase("SimpleSmsSendClipboardContent", _sms("number"), owner=_SEND),
    JudgedCase("SimpleCalendarAddOneEvent", _adds_event, owner=_SAVE),
    JudgedCase("SimpleCalendarAddOneEventInTwoWeeks", _adds_event, owner=_SAVE),
    JudgedCase("SimpleCalendarAddOneEventRelativeDay", _adds_event, owner=_SAVE),
    JudgedCase("SimpleCalendarAddOneEventTomorrow", _adds_event, owner=_SAVE),
    JudgedCase("SimpleCalendarAddRepeatingEvent", _adds_event, owner=_SAVE),
    JudgedCase("SimpleCalendarAnyEventsOnDate", _reads_day, answer=_titles),
    JudgedCase("SimpleCalendarEventsOnDate", _reads_day, answer=_titles),
    JudgedCase(
        "SimpleCalendarEventOnDateAtTime",
        lambda params: _reads_minute(_at(params["date"], params["time"])),
        answer=_titles,
    ),
    JudgedCase("SimpleCalendarEventsInTimeRange", lambda params: _reads_from(params, "start_time", 20), answer=_titles),
    JudgedCase(
        "SimpleCalendarFirstEventAfterStartTime",
        lambda params: _reads_from(params, "time", 23, 59),
        answer=_first,
    ),
    JudgedCase("SimpleCalendarNextEvent", lambda params: _reads(_NOW, _IN_A_DAY), answer=_first),
    JudgedCase("SimpleCalendarEventsInNextWeek", lambda params: _reads(*_NEXT_WEEK), answer=_titles),
    JudgedCase(
        "SimpleCalendarNextMeetingWithPerson",
        lambda params: _reads(_NOW, _IN_TWO_WEEKS, keyword=params["person"]),
        answer=_when,
    ),
    JudgedCase(
        "SimpleCalendarLocationOfEvent",
        lambda params: _reads(_NOW, _IN_TWO_WEEKS, keyword=params["title"]),
        answer=_where,
    ),
)
