"""``heed situations``: list the situations with an example of each, or switch one on or off."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.compose import current_situations, declared_situations, open_stores
from agent.maintenance.trial import situation_named
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup
from models.routines.rules.situations import Situation, example_sentence


def register(app: typer.Typer) -> None:
    """Add ``situations``."""
    app.command()(situations)


def situations(
    situation: Annotated[str, typer.Argument(help="ID of one situation, or its beginning.")] = "",
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Suggest in this situation, or never suggest in it.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the situations in which heed may make a suggestion, each with an example; switch one on or off."""
    settings = load_config(config)
    known = declared_situations(settings)
    with open_stores(settings) as stores:
        if situation:
            known = (situation_named(situation, known),)
            if on is not None:
                stores.situations.set(known[0].id, on=on)
        elif on is not None:
            raise UsageError(msg("Say which situation: `heed situations ID --off`."))
        switched_on = frozenset(one.id for one in current_situations(settings, stores)())
    if as_json:
        print_json([_data(one, switched_on, settings.language) for one in known])
        return
    print_situations(known, settings.language, on=switched_on)
    if not situation:
        say(msg("Try one: `heed try ID`. Switch one: `heed situations ID --on`, or `--off`."), settings.language)


def print_situations(
    listed: Iterable[Situation], language: Language, *, on: frozenset[str] = frozenset(), numbered: bool = False
) -> None:
    """Print each situation with what heed would ask at its example moment; those in ``on`` are marked as on."""
    marked = translate(msg("on"), language)
    for number, one in enumerate(listed, 1):
        before, after = f"{number:2}  " if numbered else "", f"  [green]{marked}[/]" if one.id in on else ""
        about = safe_markup(one.about.text(language))
        console.print(f"  {before}[bold]{safe_markup(one.id)}[/]{after}  {about}", soft_wrap=True)
        if sentence := example_sentence(one, language):
            console.print(f"      [dim]{safe_markup(sentence)}[/]", soft_wrap=True)


def _data(situation: Situation, on: frozenset[str], language: Language) -> dict[str, Any]:
    return {
        "id": situation.id,
        "about": situation.about.text(language),
        "on": situation.id in on,
        "recommended": situation.by_default,
        "example": example_sentence(situation, language),
    }
