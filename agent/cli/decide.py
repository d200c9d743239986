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
from agent.compose import reading_agent
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.daemon_requests import ContextRequest, PreviewRequest
from agent.loop.phone_agent import DecisionPreview
from agent.wording import rule_text, word
from collectors.context import Context
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
    flags = model_flags(reasoner, model, mmproj)
    settings = load_config(config, serial, models=flags)
    decision = asyncio.run(_decide(settings, own_reasoner=bool(flags)))
    if as_json:
        print_json({"now": decision.now.isoformat(), "serial": decision.serial, **_data(decision, settings.language)})
    else:
        _show(decision, settings.language)


async def _decide(settings: Config, *, own_reasoner: bool) -> DecisionPreview:
    """Ask the daemon where one runs; for the reasoner of a flag, only for its context."""
    serial = settings.bridge.serial
    if not own_reasoner:
        timeout = settings.policy.decision_timeout + control.TIMEOUT
        found = await control.call_if_monitored(PreviewRequest(serial=serial), timeout)
        if found is not None:
            return DecisionPreview.model_validate(found)
    seen = await control.call_if_monitored(ContextRequest(serial=serial))
    context = None if seen is None else Context.model_validate(seen)
    if context is not None:
        bridge = settings.bridge.model_copy(update={"serial": context.serial})
        settings = settings.model_copy(update={"bridge": bridge})
    async with reading_agent(settings) as agent:
        return await agent.preview(context)


def _data(decision: DecisionPreview, language: Language) -> dict[str, Any]:
    return {
        "decision": decision.verdict.decision,
        "rule": decision.verdict.rule,
        "reason": rule_text(decision.verdict, language),
        "recommendation": decision.recommendation,
        "plan": decision.plan,
    }


def _show(decision: DecisionPreview, language: Language) -> None:
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
