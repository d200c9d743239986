"""``heed decide``: decide once, without asking or acting."""

import asyncio
from typing import Any

import typer
from rich.markup import escape

from agent.cli.options import (
    ConfigOption,
    JsonOption,
    MmprojOption,
    ModelOption,
    ReasonerOption,
    SerialOption,
    load_config,
    model_flags,
)
from agent.cli.output import console, print_json
from agent.compose import attended
from agent.config import Config
from agent.loop.attendant import Judged
from agent.wording import rule_text, word
from collectors.context import Context, Trigger
from heed.language import Language


def register(app: typer.Typer) -> None:
    """Add ``decide``."""
    app.command()(decide)


def decide(
    serial: SerialOption = "",
    reasoner: ReasonerOption = None,
    model: ModelOption = "",
    mmproj: MmprojOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide once what to suggest now; asks, changes and records nothing."""
    settings = load_config(config, serial, models=model_flags(reasoner, model, mmproj))
    context, judged = asyncio.run(_decide(settings))
    if as_json:
        print_json({"now": context.now.isoformat(), "serial": context.serial, **_data(judged, settings.language)})
    else:
        _show(judged, settings.language)


async def _decide(settings: Config) -> tuple[Context, Judged]:
    async with attended(settings) as attendant:
        context = await attendant.see(Trigger(kind="clock"))
        return context, await attendant.judge_now(context)


def _data(judged: Judged, language: Language) -> dict[str, Any]:
    return {
        "decision": judged.verdict.decision,
        "rule": judged.verdict.rule,
        "reason": rule_text(judged.verdict, language),
        "recommendation": judged.recommendation,
        "plan": judged.plan,
    }


def _show(judged: Judged, language: Language) -> None:
    recommendation = judged.recommendation
    if judged.plan is None:
        console.print(f"heed {word('silent', language)}: {escape(rule_text(judged.verdict, language))}")
    if recommendation.silent:
        return
    console.print(f"[bold]{escape(recommendation.rec)}[/]  ({rule_text(judged.verdict, language)})")
    console.print(f"  {word('why', language)}: {escape(recommendation.why.text)}")
    for item in recommendation.why.evidence:
        console.print(f"  [dim]{item.kind.value} {escape(item.ref)}: {escape(item.text)}[/]")
    for step in judged.plan.steps if judged.plan else ():
        for command in step.commands:
            console.print(f"  {word('runs', language)}: {escape(command)}")
