"""``heed habits``: list the learnt habits, show one, or switch one off."""

from typing import Annotated

import typer
from rich.table import Table

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.cli.output import headed
from agent.compose import learned_habits, open_stores
from executors.taught.pool import known_pool
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup
from models.routines.mining.habit import Habit, HabitEdit
from models.routines.wording import habit_reason


def register(app: typer.Typer) -> None:
    """Add ``habits``."""
    app.command()(habits)


def habits(
    habit: Annotated[str, typer.Argument(help="ID of one habit, or its beginning, shown with its log entries.")] = "",
    on: Annotated[bool | None, typer.Option("--on/--off", help="Suggest this habit, or never suggest it.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the habits mined from the behaviour log, with their evidence; switch one on or off."""
    settings = load_config(config)
    with open_stores(settings) as stores:
        known = learned_habits(settings, known_pool(settings.executors), stores)()
        if habit:
            chosen = _named(habit, known)
            if on is not None:
                stores.habits.set(chosen.id, HabitEdit(enabled=on))
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
        raise UsageError(
            msg("There {value} habit {name!r}.", value=msg("is no") if not found else msg("are several"), name=name),
            msg("`heed habits` lists them."),
        )
    return found[0]


def _table(known: tuple[Habit, ...], language: Language) -> Table:
    table = headed(msg("habit"), msg("function"), "", msg("because"), language=language, whole="habit")
    for habit in known:
        table.add_row(habit.id, habit.function, _off(habit, language), safe_markup(habit_reason(habit, language)))
    return table


def _off(habit: Habit, language: Language) -> str:
    return "" if habit.enabled else translate(msg("off"), language)


def _show(habit: Habit, language: Language) -> None:
    console.print(f"[bold]{safe_markup(habit.id)}[/]  {habit.function}  {_off(habit, language)}")
    console.print(safe_markup(habit_reason(habit, language)))
    for item in habit.evidence:
        console.print(f"  [dim]{safe_markup(item.ref)}: {safe_markup(item.text)}[/]", soft_wrap=True)
