"""``heed teach``: show heed once how something is done in an app, and have it done again."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.compose import chosen_serial, compose
from agent.config import Config
from agent.loop.phone_lock import phone_lock
from agent.teaching.identify import label_of
from agent.teaching.recording import TaskRecording, TouchMoment
from agent.teaching.sentences import step_sentences
from agent.teaching.session import record_task
from agent.teaching.slots import compare, open_texts, with_slots
from agent.teaching.steps import learn
from android_bridge.device import Device
from executors.apps import find_app
from executors.steps.vocabulary import AnyStep
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from heed.clock import SystemClock
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``teach``."""
    app.command()(teach)


def teach(
    name: Annotated[str, typer.Argument(help="Name of the task, like water_plants.")] = "",
    app: Annotated[str, typer.Option("--app", help="App in which you do it: its name or its package.")] = "",
    again: Annotated[bool, typer.Option("--again", help="Do it a second time: what differs becomes a slot.")] = False,
    slot: Annotated[
        list[str] | None, typer.Option("--slot", help="NAME=TEXT: this text of yours differs each time.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the steps of a task.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the tasks.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete a task.")] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record what you do in an app once, as a task that `heed do NAME` does again. You are asked each time."""
    settings = load_config(config, serial)
    tasks = TaughtTasks(settings.executors.taught_folder)
    if listed or not name:
        _list(tasks, settings.language, as_json=as_json)
    elif forget:
        tasks.forget(name)
        say(msg("{name} is forgotten.", name=name), settings.language)
    elif show:
        _show(tasks.get(name), settings.language, as_json=as_json)
    else:
        slots = dict(_slot(text) for text in slot or ())
        task = _again(settings, tasks.get(name), slots) if again else _first(settings, tasks, name, app, slots)
        tasks.save(task)
        _show(task, settings.language, as_json=as_json)
        say(msg("`heed do {usage}` does it, after asking you.", usage=_usage(task)), settings.language)


def _slot(given: str) -> tuple[str, str]:
    name, _, text = given.partition("=")
    if not name or not text:
        raise UsageError(msg("{given!r} is not of the form NAME=TEXT.", given=given))
    return text, name


# --- recording -------------------------------------------------------------------------------------------------------
def _first(settings: Config, tasks: TaughtTasks, name: str, app: str, slots: dict[str, str]) -> TaughtTask:
    if name in tasks:
        raise UsageError(
            msg("{name} is taught already.", name=name),
            msg("Add --again to do it a second time, or --forget to begin anew."),
        )
    tasks.require_name(name)
    if not app:
        raise UsageError(msg("In which app? Name it with --app."))
    recording, steps = asyncio.run(_record(settings, app))
    slots = slots or _asked(steps, settings.language)
    return _task(name, recording, (recording.language,), with_slots(steps, slots), dict.fromkeys(slots.values(), ""))


def _again(settings: Config, task: TaughtTask, slots: dict[str, str]) -> TaughtTask:
    recording, steps = asyncio.run(_record(settings, task.app))
    compared = compare(task.steps, steps, same_language=recording.language in task.languages)
    slots = slots or {text: _named(name, task.slots) for text, name in compared.slots.items()}
    languages = tuple(dict.fromkeys((*task.languages, recording.language)))
    known = {**task.slots, **dict.fromkeys(slots.values(), "")}
    return _task(task.name, recording, languages, with_slots(compared.steps, slots, task.slots), known)


def _named(name: str, taken: object) -> str:
    return name if name not in (taken if isinstance(taken, dict) else {}) else f"{name}_2"


def _task(
    name: str, recording: TaskRecording, languages: tuple[str, ...], steps: tuple[AnyStep, ...], slots: dict[str, str]
) -> TaughtTask:
    now = SystemClock().wall()
    return TaughtTask(name=name, app=recording.app, languages=languages, taught=now, slots=slots, steps=steps)


async def _record(settings: Config, app: str) -> tuple[TaskRecording, tuple[AnyStep, ...]]:
    """Records on the chosen phone until Enter is pressed here, and returns what was learned."""
    async with compose(settings) as runtime:
        await runtime.server.ensure_running()
        serial = await chosen_serial(runtime.server, runtime.stores, settings.bridge.serial)
        identity = await runtime.identify(serial)
        device = Device(runtime.server, serial, timeout=settings.bridge.command_timeout, identity=identity)
        with phone_lock(identity.id, serial):
            found = await find_app(device, app)
            with _enter_ends() as stop:
                recording = await record_task(
                    device,
                    found.package,
                    stop=stop,
                    told=lambda moment: _tell(moment, settings.language),
                    excluded=settings.collectors.excluded_apps,
                )
    lesson = learn(recording)
    for note in lesson.notes:
        say(note, settings.language)
    return recording, lesson.steps


@contextmanager
def _enter_ends() -> Iterator[asyncio.Event]:
    """The event that Enter sets; ``UsageError`` where nobody could press it."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(sys.stdin.fileno(), stop.set)
    except (OSError, ValueError) as error:
        raise UsageError(msg("Nobody can end the recording: standard input is no terminal.")) from error
    try:
        yield stop
    finally:
        loop.remove_reader(sys.stdin.fileno())
        if stop.is_set():
            sys.stdin.readline()


def _tell(moment: TouchMoment | None, language: Language) -> None:
    """Prints what was just recorded: the next touch may come."""
    if moment is None:
        say(msg("Do it now on the phone; after each touch, wait for its line here. Enter ends."), language)
        return
    for typed in moment.typed if moment.kind is None else ():
        field = label_of(typed.field)
        hidden = msg("a password, which is not recorded")
        say(msg("Typed into “{field}”: {text}", field=field, text=typed.field.text or hidden), language)
    if moment.kind is not None:
        what = label_of(moment.target) if moment.target is not None else moment.direction.value
        say(msg("{kind}: “{what}”", kind=moment.kind.value, what=what), language)


# --- questions and lists ---------------------------------------------------------------------------------------------
def _asked(steps: tuple[AnyStep, ...], language: Language) -> dict[str, str]:
    """The slots that the owner names; none where nobody can be asked."""
    if not sys.stdin.isatty():
        return {}
    named = {}
    for one in open_texts(steps):
        question = msg(
            "“{text}”: does it differ each time? Then its name ({suggestion}), else Enter:",
            text=one.text,
            suggestion=one.suggestion,
        )
        if answer := str(typer.prompt(translate(question, language), default="", show_default=False)).strip():
            named[one.text] = answer
    return named


def _list(tasks: TaughtTasks, language: Language, *, as_json: bool) -> None:
    known = tasks.all()
    if as_json:
        print_json(list(known.values()))
        return
    if not known:
        say(msg("No tasks yet. Teach one: `heed teach NAME --app APP`."), language)
    for task in known.values():
        console.print(f"[bold]{safe_markup(_usage(task))}[/]  [dim]{safe_markup(task.app)}[/]", soft_wrap=True)


def _show(task: TaughtTask, language: Language, *, as_json: bool) -> None:
    if as_json:
        print_json(task)
        return
    console.print(f"[bold]{safe_markup(_usage(task))}[/]  [dim]{safe_markup(task.app)}[/]", soft_wrap=True)
    for number, sentence in enumerate(step_sentences(task, language), 1):
        console.print(f"  {number}. {safe_markup(sentence)}", soft_wrap=True)


def _usage(task: TaughtTask) -> str:
    return " ".join((task.name, *(f"{slot}=…" for slot in task.slots)))
