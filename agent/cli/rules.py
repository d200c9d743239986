"""``heed rules``: the owner's own rules, each written as one sentence."""

import asyncio
from typing import Annotated, Any

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.compose import known_places
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.daemon_requests import RulesChangedRequest
from agent.loop.own_rules import OwnRules
from agent.policy.rules import in_quiet_hours
from executors.taught.pool import known_pool
from heed.language import Language
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup
from models.routines.rules.situations import Situation, example_sentence


def register(app: typer.Typer) -> None:
    """Add ``rules``."""
    app.command()(rules)


def rules(
    sentence: Annotated[
        str, typer.Argument(help="A new rule: “weekdays 22:30: do not disturb until 7”; without one they are listed.")
    ] = "",
    remove: Annotated[str, typer.Option("--remove", help="ID of a rule to delete.")] = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List your own rules, add one as a sentence, or delete one. heed asks each time until you answer “always”."""
    settings = load_config(config)
    own = OwnRules(settings.models.routines.rules)
    if remove:
        own.remove(remove)
    if sentence:
        _add(own, sentence, settings)
    if (remove or sentence) and control.is_running():
        asyncio.run(control.call(RulesChangedRequest()))
    if as_json:
        print_json([_data(rule, settings.language) for rule in own.all()])
        return
    if not own.all():
        say(msg('No rules yet. Write one: `heed rules "weekdays 22:30: do not disturb until 7"`.'), settings.language)
    for rule in own.all():
        console.print(f"[bold]{rule.id}[/]  {safe_markup(rule.about.text(settings.language))}", soft_wrap=True)
        console.print(f"    [dim]{safe_markup(example_sentence(rule, settings.language))}[/]", soft_wrap=True)


def _add(own: OwnRules, sentence: str, settings: Config) -> None:
    rule = own.add_sentence(sentence, known_pool(settings.executors), known_places(settings))
    say(msg("Added {id}; it counts from now on. `heed try {id}` plays it.", id=rule.id), settings.language)
    if rule.due is not None and in_quiet_hours(rule.due.time, settings.policy):
        say(msg("Its time is in your quiet hours, in which heed asks nothing."), settings.language)


def _data(rule: Situation, language: Language) -> dict[str, Any]:
    return {
        "id": rule.id,
        "sentence": rule.about.text(language),
        "example": example_sentence(rule, language),
        "rule": rule.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }
