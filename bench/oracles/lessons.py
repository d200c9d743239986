"""What the owner of AndroidWorld's phone has taught heed, each once, on notes, files and recipes of their own.

A lesson is taught on the phone before a task begins, through heed's recorder and with real touches; its values are
never those of a task. Then the phone is as at the start again.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agent.teaching.slots import with_slots
from agent.teaching.steps import learn
from bench.oracles.androidworld import AndroidWorld
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from function_pool.taught import PREFIX
from tests.agent.teaching.person import Deed, Person
from virtual_phone import PhoneState
from virtual_phone.state.packages import data_folder
from virtual_phone.state.sqlite_files import Cell, with_row
from virtual_phone.state.touchscreen import TouchscreenState

FILES, CLOCK = "com.google.android.documentsui", "com.google.android.deskclock"
MARKOR, BROCCOLI = "net.gsantner.markor", "com.flauschcode.broccoli"
CALENDAR = "com.simplemobiletools.calendar.pro"
_OK = "button1"
"""The positive button of a dialogue (``android:id/button1``)."""


@dataclass(frozen=True)
class Lesson:
    """One task that the owner teaches."""

    name: str
    app: str
    deeds: tuple[Deed, ...]
    slots: Mapping[str, str] = field(default_factory=dict)
    """The slot's name for each text that the owner typed or chose."""
    owner: tuple[str, ...] = ()
    """The buttons that heed leaves to the owner, by resource name or text: the last one of the task, and those that the
    app asks for after it."""
    prepare: Callable[[PhoneState], None] = lambda state: None
    """Puts on the phone what the owner had there when teaching."""


def _files(*paths: str) -> Callable[[PhoneState], None]:
    """Files below shared storage; a path that ends with a slash is a folder."""

    def prepare(state: PhoneState) -> None:
        for path in paths:
            if path.endswith("/"):
                state.files.ensure_directory(f"/sdcard/{path.rstrip('/')}")
            else:
                state.files.put(f"/sdcard/{path}", b"")

    return prepare


def _notes(*names: str) -> Callable[[PhoneState], None]:
    return _files(*(f"Documents/Markor/{name}" for name in names))


def _recipes(*titles: str) -> Callable[[PhoneState], None]:
    def prepare(state: PhoneState) -> None:
        path = f"{data_folder(BROCCOLI)}/databases/broccoli"
        for title in titles:
            file = state.files.as_root.read(path).read()
            state.files.as_root.put(path, with_row(file, "recipes", {"title": title, "imageName": "", "favorite": 0}))

    return prepare


def _event(title: str, start: datetime) -> Callable[[PhoneState], None]:
    begin = int(start.timestamp())
    row: dict[str, Cell] = {"title": title, "start_ts": begin, "end_ts": begin + 3600, "location": ""}
    row |= {"description": "", "repeat_interval": 0, "reminder_1_minutes": -1}

    def prepare(state: PhoneState) -> None:
        path = f"{data_folder(CALENDAR)}/databases/events.db"
        state.files.as_root.put(path, with_row(state.files.as_root.read(path).read(), "events", row))

    return prepare


_SOUP = {"Title": "Leek soup", "Description": "For cold days", "Servings": "2", "Time": "20 min",
         "Ingredients": "Leek, salt", "Directions": "Boil it."}  # fmt: skip
_NEW = ("tap", "Create a new file or folder")

LESSONS = (
    Lesson("new_folder", MARKOR, (_NEW, ("type", "Recipes"), ("tap", "FOLDER")), {"Recipes": "name"}),
    Lesson(
        "new_note",
        MARKOR,
        (_NEW, ("type", "Ideas"), ("tap", ".md"), *[("key", "DEL")] * 3, ("type", ".adoc"), ("tap", "OK")),
        {"Ideas": "name", ".adoc": "extension"},
        owner=(_OK,),
    ),
    Lesson(
        "write_note",
        MARKOR,
        (("tap", "Ideas.md"), ("tap_in", "", "document__fragment__edit__highlighting_editor"), ("type", "Buy tea"),
         ("back",), ("back",)),
        {"Ideas.md": "note", "Buy tea": "text"},
        prepare=_notes("Ideas.md"),
    ),
    Lesson(
        "rename_note",
        MARKOR,
        (("hold", "Tea.md"), ("tap", "Rename"), *[("key", "DEL")] * 6, ("type", "Coffee.md"), ("tap", "OK")),
        {"Tea.md": "note", "Coffee.md": "name"},
        owner=(_OK,),
        prepare=_notes("Tea.md"),
    ),
    Lesson(
        "delete_note",
        MARKOR,
        (("hold", "Tea.md"), ("tap", "Delete")),
        {"Tea.md": "note"},
        owner=("action_delete_selected_items", _OK),
        prepare=_notes("Tea.md", "Ideas.md"),
    ),
    Lesson(
        "move_note",
        MARKOR,
        (("tap", "Work"), ("hold", "Tea.md"), ("tap", "More options"), ("tap", "Move"), ("tap", ".."),
         ("tap", "Home"), ("tap", "Select this folder")),
        {"Work": "folder", "Tea.md": "note", "Home": "target"},
        prepare=_notes("Work/Tea.md", "Work/Ideas.md", "Home/"),
    ),
    Lesson(
        "delete_file",
        FILES,
        (("tap", "Show roots"), ("tap", "sdk_gphone_x86_64"), ("tap", "Notebook"), ("hold", "old.txt"),
         ("tap", "Delete")),
        {"Notebook": "folder", "old.txt": "file"},
        owner=("action_menu_delete", _OK),
        prepare=_files("Notebook/old.txt", "Notebook/new.txt"),
    ),
    Lesson(
        "move_file",
        FILES,
        (("tap", "Show roots"), ("tap", "sdk_gphone_x86_64"), ("tap", "Notebook"), ("hold", "old.txt"),
         ("tap", "More options"), ("tap", "Move to…"), ("tap", "Show roots"), ("tap", "sdk_gphone_x86_64"),
         ("tap", "Archive"), ("tap", "Move")),
        {"Notebook": "folder", "old.txt": "file", "Archive": "target"},
        prepare=_files("Notebook/old.txt", "Notebook/new.txt", "Archive/"),
    ),
    Lesson(
        "delete_event",
        CALENDAR,
        (("tap", "24"), ("tap", "Choir"), ("tap", "Delete")),
        {"24": "day", "Choir": "title"},
        owner=("delete", _OK),
        prepare=_event("Choir", datetime(2023, 10, 24, 19, tzinfo=UTC)),
    ),
    Lesson("show_stopwatch", CLOCK, (("tap", "Stopwatch"),)),
    Lesson("start_stopwatch", CLOCK, (("tap", "Stopwatch"), ("tap", "Start")), owner=("fab",)),
    Lesson(
        "new_recipe",
        BROCCOLI,
        (("tap", "New Recipe"), *(deed for label, text in _SOUP.items()
                                  for deed in (("tap", label), ("type", text), ("back",))), ("tap", "SAVE")),
        {text: label.casefold() for label, text in _SOUP.items()},
        owner=("button_save_recipe",),
    ),
    Lesson(
        "delete_recipe",
        BROCCOLI,
        (("tap", "Leek soup"), ("tap", "More options"), ("tap", "Delete")),
        {"Leek soup": "recipe"},
        owner=("Delete", _OK),
        prepare=_recipes("Leek soup", "Apple pie"),
    ),
)  # fmt: skip
_BY_FUNCTION: Mapping[str, Lesson] = {f"{PREFIX}{lesson.name}": lesson for lesson in LESSONS}


def lesson_of(function: str) -> Lesson | None:
    """The lesson by which a function was taught; None for a function of the pool."""
    return _BY_FUNCTION.get(function)


async def teach(world: AndroidWorld, lesson: Lesson, tasks: TaughtTasks) -> None:
    """Let the owner teach one lesson, and store what was learned.

    Raises ``TeachingError`` where the touches cannot be learned.
    """
    state = world.begin()
    # The panel reports only coordinates that changed: a new recorder would not learn one that the last touch had too.
    state.touchscreen = TouchscreenState(state.clock, state.display.width, state.display.height)
    lesson.prepare(state)
    recording = await Person(world.phone, lesson.deeds).teach(world.device, lesson.app)
    tasks.save(
        TaughtTask(
            name=lesson.name,
            app=lesson.app,
            languages=(recording.language,),
            taught=state.clock.wall(),
            slots=dict.fromkeys(lesson.slots.values(), ""),
            steps=with_slots(learn(recording).steps, lesson.slots),
        )
    )


async def teach_all(world: AndroidWorld, names: Container[str], tasks: TaughtTasks) -> None:
    """Teach those of the lessons that are not stored yet."""
    for lesson in LESSONS:
        if lesson.name in names and lesson.name not in tasks:
            await teach(world, lesson, tasks)
