"""``heed habits``, ``heed forget`` and ``heed export``: what heed knows about its owner, and taking it away."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from agent.cli.common import ConfigOption, JsonOption, console, headed, load_config, print_json, say
from agent.compose import learnt, open_books
from agent.maintenance import forget as forgetting
from agent.maintenance.export import benchmark_records
from agent.maintenance.forget import What
from function_pool.plugins import installed_pool
from heed.clock import SystemClock
from heed.errors import DeclinedError, UsageError
from heed.language import Language
from heed.messages import msg, translate
from models.routines.mining.habit import Habit, HabitEdit
from models.routines.wording import habit_reason


def register(app: typer.Typer) -> None:
    """Add ``habits``, ``forget`` and ``export``."""
    app.command()(habits)
    app.command()(forget)
    app.command()(export)


def habits(
    habit: Annotated[str, typer.Argument(help="Show one habit with its log lines.")] = "",
    on: Annotated[bool | None, typer.Option("--on/--off", help="Propose it again, or never.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """The habits heed has learnt, each with the log lines it rests on."""
    settings = load_config(config)
    with open_books(settings) as books:
        known = learnt(settings, installed_pool(), books)()
        if habit:
            chosen = _named(habit, known)
            if on is not None:
                books.habits.set(chosen.id, HabitEdit(enabled=on))
                chosen = chosen.model_copy(update={"enabled": on})
            known = (chosen,)
        elif on is not None:
            raise UsageError(msg("Say which habit: `heed habits ID --off`."))
    if as_json:
        print_json(known)
    elif habit:
        _show(known[0], settings.language)
    elif known:
        console.print(_table(known, settings.language))
    else:
        say(
            msg("No habits yet: {behaviour_log} holds too little.", behaviour_log=settings.collectors.behaviour_log),
            settings.language,
        )


def _named(name: str, known: tuple[Habit, ...]) -> Habit:
    found = [habit for habit in known if habit.id.startswith(name)]
    if len(found) != 1:
        several = msg("There are several habits whose name begins with {name!r}.", name=name)
        raise UsageError(
            several if found else msg("There is no habit {name!r}.", name=name), msg("`heed habits` lists them.")
        )
    return found[0]


def _table(known: tuple[Habit, ...], language: Language) -> Table:
    table = headed(msg("habit"), msg("function"), "", msg("because"), language=language, whole="habit")
    for habit in known:
        table.add_row(habit.id, habit.function, _off(habit, language), escape(habit_reason(habit, language)))
    return table


def _off(habit: Habit, language: Language) -> str:
    return "" if habit.enabled else translate(msg("off"), language)


def _show(habit: Habit, language: Language) -> None:
    console.print(f"[bold]{escape(habit.id)}[/]  {habit.function}  {_off(habit, language)}")
    console.print(escape(habit_reason(habit, language)))
    for item in habit.evidence:
        console.print(f"  [dim]{item.ref}: {escape(item.text)}[/]", soft_wrap=True)


def forget(
    before: Annotated[str, typer.Option(help="Everything before this date (YYYY-MM-DD), or older, e.g. 30d.")] = "",
    app: Annotated[str, typer.Option(help="Everything that came from this package.")] = "",
    everything: Annotated[bool, typer.Option("--everything", help="Journal, log, frames, saved prompts.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete what heed knows, by time, by app or all of it, and prove that it is gone."""
    settings = load_config(config)
    what = What(before=_moment(before) if before else None, app=app, everything=everything)
    if what.nothing:
        raise UsageError(msg("Say what to forget: --before DATE, --app PACKAGE or --everything."))
    forgetting.require_no_daemon()
    if not yes and not typer.confirm(translate(msg("This cannot be undone. Forget it?"), settings.language)):
        raise DeclinedError(msg("Nothing was deleted."))
    proof = forgetting.forget(settings, what)
    if as_json:
        print_json(proof)
        return
    for gone in proof.gone:
        say(
            msg("{place}: {removed} deleted, {left} left", place=gone.place, removed=gone.removed, left=gone.left),
            settings.language,
        )


def _moment(text: str) -> datetime:
    now = SystemClock().wall()
    try:
        if text.endswith("d") and text[:-1].isdigit():
            return now - timedelta(days=int(text[:-1]))
        return datetime.fromisoformat(text).replace(tzinfo=now.tzinfo)
    except (ValueError, OverflowError) as error:
        raise UsageError(msg("{text!r} is neither a date (2026-11-20) nor an age (30d).", text=text)) from error


def export(
    path: Annotated[Path | None, typer.Argument(help="File to write; standard output when left out.")] = None,
    config: ConfigOption = None,
) -> None:
    """Write the journal as benchmark records: what was known, and what was accepted."""
    settings = load_config(config)
    with open_books(settings) as books:
        records = benchmark_records(books.journal, settings.language)
    if path is None:
        print_json(records)
        return
    try:
        path.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            msg("Cannot write {path}: {strerror}.", path=path, strerror=error.strerror), msg("Name another file.")
        ) from error
    say(msg("Wrote {count} records to {path}.", count=len(records), path=path), settings.language)
