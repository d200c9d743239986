"""``heed decide``: decide once, without asking or acting."""

import asyncio
from typing import Any

import typer

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
from agent.compose import phone_agent
from agent.config import Config
from agent.loop.decider import PlannedDecision
from agent.wording import rule_text, word
from collectors.context import Context, Trigger, TriggerKind
from heed.language import Language
from heed.printing import console, print_json
from heed.safe_text import safe_markup


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
    context, decision = asyncio.run(_decide(settings))
    if as_json:
        print_json({"now": context.now.isoformat(), "serial": context.serial, **_data(decision, settings.language)})
    else:
        _show(decision, settings.language)


async def _decide(settings: Config) -> tuple[Context, PlannedDecision]:
    async with phone_agent(settings) as agent:
        context = await agent.read_context(Trigger(kind=TriggerKind.CLOCK))
        return context, await agent.decide_on(context)


def _data(decision: PlannedDecision, language: Language) -> dict[str, Any]:
    return {
        "decision": decision.verdict.decision,
        "rule": decision.verdict.rule,
        "reason": rule_text(decision.verdict, language),
        "recommendation": decision.recommendation,
        "plan": decision.plan,
    }


def _show(decision: PlannedDecision, language: Language) -> None:
    recommendation = decision.recommendation
    if decision.plan is None:
        console.print(f"heed {word('silent', language)}: {safe_markup(rule_text(decision.verdict, language))}")
    if recommendation.silent:
        return
    console.print(f"[bold]{safe_markup(recommendation.rec)}[/]  ({safe_markup(rule_text(decision.verdict, language))})")
    console.print(f"  {word('why', language)}: {safe_markup(recommendation.why.text)}")
    for item in recommendation.why.evidence:
        console.print(f"  [dim]{item.kind.value} {safe_markup(item.ref)}: {safe_markup(item.text)}[/]")
    for step in decision.plan.steps if decision.plan else ():
        for command in step.commands:
            console.print(f"  {word('runs', language)}: {safe_markup(command)}")
