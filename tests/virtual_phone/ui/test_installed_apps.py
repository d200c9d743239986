"""Apps that a scenario installs, by touch: notes, files, recipes, events, the stopwatch; with any names and texts."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import adbutils
import pytest
import uiautomator2

from android_bridge.adb import AdbServer
from bench.oracles.androidworld import HERE
from tests.phones import connected_device
from virtual_phone import PhoneState, Scenario, VirtualPhone
from virtual_phone.scenario.touch_events import TapEvent, TypeEvent
from virtual_phone.state.packages import data_folder
from virtual_phone.state.sqlite_files import Cell, rows_in, with_row
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen
from virtual_phone.ui.tree import ViewNode

MARKOR, BROCCOLI = "net.gsantner.markor", "com.flauschcode.broccoli"
CALENDAR = "com.simplemobiletools.calendar.pro"
FILES, CLOCK = "com.google.android.documentsui", "com.google.android.deskclock"
NOTES = "/sdcard/Documents/Markor"
NAMES = ("a.md", "été 笔记 🙂.md", "no extension", "x" * 120 + ".txt", "two  blanks.md", "quote'.md")


@pytest.fixture
def state() -> PhoneState:
    state = Scenario.load(HERE / "androidworld.yaml").new_state()
    state.clock.freeze()
    return state


def tap(state: PhoneState, *texts: str) -> None:
    for text in texts:
        TapEvent(text=text).apply(state)


def hold(state: PhoneState, text: str) -> None:
    TapEvent(text=text, seconds=0.8).apply(state)


def views(state: PhoneState) -> list[ViewNode]:
    return list(Screen(state).active_window().root.walk())


def texts(state: PhoneState) -> list[str]:
    return [node.text for node in views(state) if node.text]


def fill(state: PhoneState, field: str, text: str) -> None:
    """Replace a field's text, as an accessibility service does."""
    assert any(node.resource == field and node.kind == "field" for node in views(state)), field
    state.apps.set_field(field, text)


# --- Markor ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_a_note_is_made_written_renamed_moved_and_deleted(state: PhoneState, name: str) -> None:
    state.files.ensure_directory(f"{NOTES}/Folder")
    state.open_app(MARKOR)
    tap(state, "Create a new file or folder")
    fill(state, "new_file_dialog__name", name)
    fill(state, "new_file_dialog__ext", "")
    tap(state, "OK")
    text = "line\n第二行\n" + "long " * 400
    fill(state, "document__fragment__edit__highlighting_editor", text)
    assert state.files.read(f"{NOTES}/{name}").read() == b""
    touch.back(state)
    assert state.files.read(f"{NOTES}/{name}").read().decode() == text
    hold(state, name)
    tap(state, "Rename")
    fill(state, "new_name", f"2 {name}")
    tap(state, "OK")
    assert state.files.names(NOTES) == sorted([f"2 {name}", "Folder"])
    hold(state, f"2 {name}")
    tap(state, "More options", "Move", "Folder", "Select this folder", "Folder")
    assert state.files.names(f"{NOTES}/Folder") == [f"2 {name}"]
    hold(state, f"2 {name}")
    tap(state, "Delete", "CANCEL")
    assert state.files.names(f"{NOTES}/Folder") == [f"2 {name}"]
    tap(state, "Delete", "OK")
    assert state.files.names(f"{NOTES}/Folder") == []


def test_an_editor_stores_its_text_when_another_app_comes_and_never_next_to_nothing(state: PhoneState) -> None:
    state.files.put(f"{NOTES}/a.md", b"old")
    state.open_app(MARKOR)
    tap(state, "a.md")
    fill(state, "document__fragment__edit__highlighting_editor", " ")
    touch.home(state)
    assert state.files.read(f"{NOTES}/a.md").read() == b"old"
    state.open_app(MARKOR)
    fill(state, "document__fragment__edit__highlighting_editor", "new")
    state.open_app(CLOCK)
    assert state.files.read(f"{NOTES}/a.md").read() == b"new"


def test_save_stores_at_once_and_an_empty_name_makes_nothing(state: PhoneState) -> None:
    state.open_app(MARKOR)
    tap(state, "Create a new file or folder", "OK", "FOLDER")
    assert state.files.names(NOTES) == []
    fill(state, "new_file_dialog__name", 'a<b>:"c')
    tap(state, "OK")
    fill(state, "document__fragment__edit__highlighting_editor", "x")
    tap(state, "Save")
    assert state.files.read(f"{NOTES}/abc.md").read() == b"x"


def test_back_leaves_the_keyboard_the_dialogue_the_folder_and_then_the_app(state: PhoneState) -> None:
    state.files.put(f"{NOTES}/Folder/a.md", b"")
    state.open_app(MARKOR)
    tap(state, "Folder", "Create a new file or folder")
    touch.back(state)
    assert "OK" in texts(state)
    touch.back(state)
    assert "a.md" in texts(state)
    touch.back(state)
    assert "Folder" in texts(state)
    touch.back(state)
    assert state.apps.foreground.package != MARKOR


def test_the_type_sets_the_extension_and_the_clipboard_takes_a_note(state: PhoneState) -> None:
    state.files.put(f"{NOTES}/a.md", "текст".encode())
    state.open_app(MARKOR)
    tap(state, "Create a new file or folder")
    TypeEvent("list").apply(state)
    tap(state, "Markdown", "CSV", "OK")
    touch.back(state)
    assert state.files.names(NOTES) == ["a.md", "list.csv"]
    hold(state, "a.md")
    tap(state, "More options", "Clipboard")
    assert state.keyboard.clipboard == "текст"


def test_a_name_that_is_taken_is_refused_and_a_folder_never_goes_into_itself(state: PhoneState) -> None:
    state.files.put(f"{NOTES}/Folder/Inner/a.md", b"a")
    state.files.put(f"{NOTES}/b.md", b"b")
    state.open_app(MARKOR)
    hold(state, "b.md")
    tap(state, "Rename")
    fill(state, "new_name", "Folder")
    assert "File/folder already exists! Please use a different name" in texts(state)
    assert not next(node for node in views(state) if node.text == "OK").enabled
    tap(state, "CANCEL", "b.md")
    hold(state, "Folder")
    tap(state, "More options", "Copy")
    assert "Folder" not in [node.text for node in views(state) if node.resource.endswith("item__title")]
    tap(state, "..", "Select this folder")
    assert state.files.read("/sdcard/Documents/Folder/Inner/a.md").read() == b"a"


# --- DocumentsUI ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_moved_copied_and_deleted(state: PhoneState, name: str) -> None:
    state.files.put(f"/sdcard/Here/{name}", b"text")
    state.files.ensure_directory("/sdcard/There")
    state.open_app(FILES)
    for verb in ("Copy", "Move"):
        tap(state, "Show roots", "sdk_gphone_x86_64", "Here")
        hold(state, name)
        tap(state, "More options", f"{verb} to…", "Show roots", "sdk_gphone_x86_64", "There", verb)
        assert state.files.read(f"/sdcard/There/{name}").read() == b"text"
        assert (state.files.stat(f"/sdcard/Here/{name}") is None) is (verb == "Move")
        if verb == "Copy":
            state.files.remove(f"/sdcard/There/{name}")
    tap(state, "Show roots", "sdk_gphone_x86_64", "There")
    hold(state, name)
    tap(state, "Delete")
    assert f'Delete "{name}"?' in texts(state)
    tap(state, "OK")
    assert state.files.names("/sdcard/There") == []


def test_all_files_are_selected_and_back_ends_the_selection_first(state: PhoneState) -> None:
    for name in ("a", "b", "c"):
        state.files.put(f"/sdcard/Here/{name}", b"")
    state.open_app(FILES)
    tap(state, "Show roots", "sdk_gphone_x86_64", "Here")
    hold(state, "a")
    tap(state, "More options", "Select all", "c")
    assert "2 selected" in texts(state)
    touch.back(state)
    assert "Here" in texts(state)
    touch.back(state)
    assert "sdk_gphone_x86_64" in texts(state)


# --- Broccoli -------------------------------------------------------------------------------------------------------
def recipes(state: PhoneState) -> list[dict[str, Any]]:
    path = f"{data_folder(BROCCOLI)}/databases/broccoli"
    return list(rows_in(state.files.as_root.read(path).read(), "SELECT * FROM recipes"))


def test_a_recipe_is_written_shown_changed_liked_and_deleted(state: PhoneState) -> None:
    state.open_app(BROCCOLI)
    tap(state, "New Recipe", "SAVE")
    assert recipes(state) == []
    written = {"title": "Ölsuppe 汤 🙂", "description": "d" * 500, "ingredients": "a\nb", "directions": ""}
    for column, text in written.items():
        fill(state, f"new_{column}", text)
    tap(state, "SAVE")
    assert written.items() <= recipes(state)[0].items()
    tap(state, "Mark as favorite", "More options", "Edit")
    fill(state, "new_preparation_time", "2 min")
    touch.back(state)
    tap(state, "CANCEL", "SAVE")
    assert (recipes(state)[0]["favorite"], recipes(state)[0]["preparationTime"]) == (1, "2 min")
    assert "2 min" in texts(state)
    touch.back(state)
    tap(state, "Ölsuppe 汤 🙂", "More options", "Delete", "CANCEL", "More options", "Delete", "DELETE")
    assert recipes(state) == []
    assert "No recipes found." in texts(state)


def test_leaving_a_changed_recipe_asks_first(state: PhoneState) -> None:
    state.open_app(BROCCOLI)
    tap(state, "New Recipe")
    fill(state, "new_title", "x")
    tap(state, "Navigate up")
    assert "Discard changes?" in texts(state)
    tap(state, "DISCARD")
    assert recipes(state) == []
    assert state.apps.foreground.screen == "broccoli"


# --- the stopwatch --------------------------------------------------------------------------------------------------
def test_the_stopwatch_runs_on_stops_and_is_forgotten_with_the_apps_data(state: PhoneState) -> None:
    def shown() -> str:
        named = {node.resource: node.text for node in views(state)}
        return f"{named['stopwatch_time_text']}.{named['stopwatch_hundredths_text']}"

    state.open_app(CLOCK)
    tap(state, "Stopwatch")
    assert shown() == "0.00"
    tap(state, "Start")
    state.clock.advance(65.5)
    tap(state, "Lap")
    touch.home(state)
    state.clock.advance(3600)
    state.open_app(CLOCK)
    assert shown() == "1:01:05.50"
    assert "01:05.50" in texts(state)
    tap(state, "Pause")
    state.clock.advance(10)
    assert shown() == "1:01:05.50"
    state.apps.clear_data(CLOCK)
    state.open_app(CLOCK)
    tap(state, "Stopwatch")
    assert shown() == "0.00"


# --- long presses by clients ----------------------------------------------------------------------------------------
async def test_clients_press_long_and_short(state: PhoneState, adb_server: AdbServer) -> None:
    state.files.put(f"{NOTES}/a.md", b"")
    state.open_app(MARKOR)
    place = Screen(state).find("a.md")
    assert place is not None
    x, y = place
    async with connected_device(VirtualPhone(state), adb_server, emulated=True) as device:
        await device.shell(f"input swipe {x} {y} {x} {y} 100")
        assert state.apps.foreground.screen == "markor_document"
        touch.back(state)
        await device.shell(f"input swipe {x} {y} {x} {y} 800")
        assert any(node.description == "Rename" for node in views(state))
        tap(state, "a.md")
        assert await asyncio.to_thread(_renames_after_a_long_click, device.serial, adb_server, place)


def _renames_after_a_long_click(serial: str, server: AdbServer, place: tuple[int, int]) -> bool:
    client = uiautomator2.connect(adbutils.AdbClient(host=server.host, port=server.port).device(serial))
    client.long_click(*place)
    found = bool(client(description="Rename", longClickable=False).exists)
    client.stop_uiautomator()
    return found


# --- Simple Calendar Pro --------------------------------------------------------------------------------------------
def events(state: PhoneState) -> list[dict[str, Any]]:
    path = f"{data_folder(CALENDAR)}/databases/events.db"
    return list(rows_in(state.files.as_root.read(path).read(), "SELECT * FROM events"))


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("Delete the selected occurrence only", {17, 31}),
        ("Delete this and all future occurrences", {17}),
        ("Delete all occurrences", set()),
    ],
)
def test_an_event_that_repeats_is_deleted_as_chosen(state: PhoneState, choice: str, left: set[int]) -> None:
    path = f"{data_folder(CALENDAR)}/databases/events.db"
    first = int(datetime(2023, 10, 17, 19, tzinfo=UTC).timestamp())
    row: dict[str, Cell] = {"title": "Chor 🎵", "start_ts": first, "end_ts": first + 3600, "repeat_interval": 604_800}
    row |= {"description": "", "location": "", "reminder_1_minutes": -1, "repetition_exceptions": "[]"}
    state.files.as_root.put(path, with_row(state.files.as_root.read(path).read(), "events", row))
    state.open_app(CALENDAR)
    tap(state, "24", "Chor 🎵", "Delete", "NO", "Delete", choice, "YES")
    shown = set()
    for day in (17, 24, 31):
        state.apps.force_stop(CALENDAR)
        state.open_app(CALENDAR)
        tap(state, str(day))
        shown |= {day} if "Chor 🎵" in texts(state) else set()
    assert shown == left
    assert bool(events(state)) is bool(left)


def test_an_event_that_happens_once_is_deleted_without_a_choice(state: PhoneState) -> None:
    state.open_app(CALENDAR)
    tap(state, "New Event")
    fill(state, "event_title", "Once")
    tap(state, "Save", str(state.clock.wall().day), "Once", "Delete")
    assert not any(node.kind == "radio" for node in views(state))
    touch.back(state)
    assert len(events(state)) == 1
    tap(state, "Delete", "YES")
    assert events(state) == []
