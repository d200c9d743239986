"""The tasks of AndroidWorld that functions of the pool and taught tasks do, with their calls.

``unsolved.yaml`` has the others.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from bench.oracles.judging import Found, JudgedCase, Params
from function_pool.call import FunctionCall
from function_pool.taught import PREFIX


def _call(function: str, /, **parameters: Any) -> FunctionCall:
    return FunctionCall(name=function, parameters=parameters)


def _taught(lesson: str, /, **slots: Any) -> FunctionCall:
    return FunctionCall(name=f"{PREFIX}{lesson}", parameters=slots)


def _new_note(params: Params) -> list[FunctionCall]:
    """The dialogue has a field for the name and one for its extension."""
    name, dot, extension = params["file_name"].rpartition(".")
    return [
        _taught("new_note", name=name, extension=dot + extension),
        _taught("write_note", note=params["file_name"], text=params["text"]),
    ]


def _entries(goal: str) -> list[dict[str, str]]:
    """What a goal lists: a table with bars, or a block for each entry that begins with its kind and name."""
    lines = goal.split("\n")[1:]
    if "|" in lines[0]:
        names = lines[0].split("|")
        return [dict(zip(names, line.split("|"), strict=True)) for line in lines[1:] if line]
    found: list[dict[str, str]] = []
    for line in filter(str.strip, lines):
        name, _, value = line.partition(": ")
        if not line.startswith(" "):
            found.append({"name": value, "title": value})
        else:
            found[-1][name.strip()] = value
    return found


def _named(goal: str) -> list[str]:
    """The names that a goal lists after its colon."""
    return goal.rpartition(": ")[2].rstrip(".").split(", ")


def _add_recipes(params: Params) -> list[FunctionCall]:
    names = {"title": "title", "description": "description", "servings": "servings", "time": "preparationTime",
             "ingredients": "ingredients", "directions": "directions"}  # fmt: skip
    return [
        _taught("new_recipe", **{slot: recipe[name] for slot, name in names.items()})
        for recipe in _entries(params["goal"])
    ]


def _delete_recipes(params: Params) -> list[FunctionCall]:
    return [_taught("delete_recipe", recipe=title) for title in _named(params["goal"])]


def _fixed(*calls: FunctionCall) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: list(calls)


def _sms(recipient: str) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: [_call("send_sms", recipient=params[recipient], content=params["message"])]


def _sms_text(params: Params) -> list[FunctionCall]:
    return [_call("send_sms", recipient=params["number"], content=params["text"])]


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


def _reads_named_day(params: Params) -> list[FunctionCall]:
    day = datetime(params["year"], params["month"], params["day"])  # noqa: DTZ001
    return _reads(day, day.replace(hour=23, minute=59))


def _reads_weekday(params: Params) -> list[FunctionCall]:
    day = _date(params["day_of_week"])
    return _reads(day, day.replace(hour=23, minute=59))


def _delete_found(params: Params, found: Sequence[Found]) -> list[FunctionCall]:
    return [
        _taught("delete_event", day=str(datetime.fromisoformat(entry["start"]).day), title=entry["title"])
        for entry in found
    ]


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
    JudgedCase(
        "MarkorCreateFolder",
        lambda params: [_taught("new_folder", name=params["folder_name"])],
        lessons=("new_folder",),
    ),
    JudgedCase("MarkorCreateNote", _new_note, lessons=("new_note", "write_note")),
    JudgedCase(
        "MarkorCreateNoteAndSms",
        lambda params: [*_new_note(params), *_sms_text(params)],
        owner=_SEND,
        lessons=("new_note", "write_note"),
    ),
    JudgedCase(
        "MarkorDeleteNote",
        lambda params: [_taught("delete_note", note=params["file_name"])],
        lessons=("delete_note",),
    ),
    JudgedCase(
        "MarkorMoveNote",
        lambda params: [
            _taught(
                "move_note",
                folder=params["source_folder"],
                note=params["file_name"],
                target=params["destination_folder"],
            )
        ],
        lessons=("move_note",),
    ),
    JudgedCase(
        "MarkorChangeNoteContent",
        lambda params: [
            _taught("write_note", note=params["original_name"], text=params["updated_content"]),
            _taught("rename_note", note=params["original_name"], name=params["new_name"]),
        ],
        lessons=("write_note", "rename_note"),
    ),
    *(
        JudgedCase(task, _add_recipes, lessons=("new_recipe",))
        for task in ("RecipeAddSingleRecipe", "RecipeAddMultipleRecipes")
    ),
    *(
        JudgedCase(task, _delete_recipes, lessons=("delete_recipe",))
        for task in (
            "RecipeDeleteSingleRecipe",
            "RecipeDeleteSingleWithRecipeWithNoise",
            "RecipeDeleteMultipleRecipes",
            "RecipeDeleteMultipleRecipesWithNoise",
        )
    ),
    JudgedCase("ClockStopWatchRunning", _fixed(_taught("start_stopwatch")), lessons=("start_stopwatch",)),
    JudgedCase("ClockStopWatchPausedVerify", _fixed(_taught("show_stopwatch")), lessons=("show_stopwatch",)),
    JudgedCase(
        "FilesDeleteFile",
        lambda params: [_taught("delete_file", folder=params["subfolder"], file=params["file_name"])],
        lessons=("delete_file",),
    ),
    JudgedCase(
        "FilesMoveFile",
        lambda params: [
            _taught(
                "move_file",
                folder=params["source_folder"],
                file=params["file_name"],
                target=params["destination_folder"],
            )
        ],
        lessons=("move_file",),
    ),
    JudgedCase(
        "SimpleCalendarDeleteOneEvent",
        lambda params: [_taught("delete_event", day=str(params["day"]), title=params["event_title"])],
        lessons=("delete_event",),
    ),
    JudgedCase("SimpleCalendarDeleteEvents", _reads_named_day, then=_delete_found, lessons=("delete_event",)),
    JudgedCase(
        "SimpleCalendarDeleteEventsOnRelativeDay", _reads_weekday, then=_delete_found, lessons=("delete_event",)
    ),
)
