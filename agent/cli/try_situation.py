"""``heed try``: play the example moment of a situation against the owner's configuration."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from agent.cli.options import ConfigOption, JsonOption, load_config
from agent.compose import compose
from agent.config import Config
from agent.maintenance.trial import SituationTrial, try_situation
from agent.policy.verdict import Decision
from agent.wording import rule_message, rule_text, word
from collectors.wording import word_trigger
from heed.language import Language
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup
from models.routines.wording import offer


def register(app: typer.Typer) -> None:
    """Add ``try``."""
    app.command(name="try")(try_one)


def try_one(
    situation: Annotated[
        str, typer.Argument(help="ID of a situation, or its beginning; `heed situations` lists them.")
    ],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what heed, as configured, would say at a situation's example moment; asks, changes and records nothing."""
    settings = load_config(config)
    trial = asyncio.run(_trial(settings, situation))
    if as_json:
        print_json(_data(trial, settings.language))
    else:
        _show(trial, settings.language)


def play(config: Path, situation: str) -> None:
    """Play the example moment of a situation with the configuration at ``config``, and print the result."""
    settings = load_config(config)
    _show(asyncio.run(_trial(settings, situation)), settings.language)


async def _trial(settings: Config, situation: str) -> SituationTrial:
    async with compose(settings) as runtime:
        return await try_situation(runtime, situation)


def _data(trial: SituationTrial, language: Language) -> dict[str, Any]:
    return {
        "situation": trial.situation,
        "on": trial.is_on,
        "example": trial.sentence,
        "now": trial.context.now.isoformat(),
        "decision": trial.verdict.decision,
        "rule": trial.verdict.rule,
        "reason": rule_text(trial.verdict, language),
        "recommendation": trial.recommendation,
    }


def _show(trial: SituationTrial, language: Language) -> None:
    moment = f"{trial.context.now:%H:%M}  {word_trigger(trial.context, language)}"
    console.print(f"[dim]{safe_markup(moment)}[/]", soft_wrap=True)
    said = trial.recommendation
    if trial.verdict.decision is Decision.ASK:
        console.print(f"[bold]{safe_markup(said.rec)}[/]", soft_wrap=True)
        will = "; ".join(offer(call, language) for call in said.calls)
        console.print(f"  {word('why', language)}{word('colon', language)}{safe_markup(said.why.text)}", soft_wrap=True)
        console.print(f"  {word('will', language)}{word('colon', language)}{safe_markup(will)}", soft_wrap=True)
    elif not trial.is_on:
        say(msg("heed says nothing here: the situation is off. Switched on, it would ask:"), language)
        console.print(f"[bold]{safe_markup(trial.sentence)}[/]", soft_wrap=True)
        say(msg("Switch it on: `heed situations {id} --on`.", id=trial.situation), language)
    else:
        say(
            msg("heed stays silent here: {reason}. Otherwise it would ask:", reason=rule_message(trial.verdict)),
            language,
        )
        console.print(f"[bold]{safe_markup(trial.sentence)}[/]", soft_wrap=True)
    say(msg("This was an example: nobody was asked, and nothing was done or recorded."), language, style="dim")
