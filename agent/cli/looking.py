"""``heed collect``, ``heed decide`` and ``heed now``: what is known now, and what would be suggested."""

import sys
from typing import Annotated, Any

import typer
from rich.markup import escape

from agent.cli.common import (
    ConfigOption,
    JsonOption,
    MmprojOption,
    ModelOption,
    ReasonerOption,
    SerialOption,
    console,
    load_config,
    model_flags,
    print_json,
    run,
    say,
)
from agent.cli.narrator import Narrator
from agent.compose import attended
from agent.config import Config
from agent.consent.terminal import TerminalChannel
from agent.loop import control_socket as control
from agent.loop.attendant import Judged
from agent.loop.control_socket import Request
from agent.wording import rule_text, word
from collectors.context import Context, Dimension, RenderedContext, Trigger
from collectors.wording import render
from heed.errors import ExitCode, PersonError
from heed.language import Language
from heed.messages import msg

_ACTING = 60.0
"""Seconds that looking, acting and verifying may take besides the person's thinking."""


def register(app: typer.Typer) -> None:
    """Add ``collect``, ``decide`` and ``now``."""
    app.command()(collect)
    app.command()(decide)
    app.command()(now)


def collect(
    serial: SerialOption = "",
    dimension: Annotated[Dimension | None, typer.Option("--dimension", help="Show one dimension only.")] = None,
    language: Annotated[Language | None, typer.Option("--language", help="Language of the text.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read the phone and the world once, and print the four dimensions of context."""
    settings = load_config(config, serial)
    context = run(_look(settings))
    hidden = [item for item in Dimension if dimension not in (None, item)]
    if as_json:
        print_json(context.model_dump(mode="json", exclude={item.value for item in hidden}))
        return
    words = render(context, language or settings.language)
    for item in Dimension:
        if item not in hidden:
            console.print(f"[bold]{item.value}[/]\n{escape(_text(words, item))}\n")


async def _look(settings: Config) -> Context:
    """A daemon's look also tells what the person did in the last minutes, which only it has watched."""
    if control.is_running():
        try:
            return Context.model_validate(await control.call(Request(op="see", serial=settings.bridge.serial)))
        except PersonError as refusal:  # it attends another phone, and leaves this one to us
            if refusal.exit_code is not ExitCode.NO_DEVICE:
                raise
    async with attended(settings) as attendant:
        return await attendant.see(Trigger(kind="clock"))


def _text(words: RenderedContext, dimension: Dimension) -> str:
    return {
        Dimension.PROFILE: words.profile,
        Dimension.DEVICE: words.phone,
        Dimension.WORLD: words.world,
        Dimension.TRAJECTORY: "\n".join(words.trace),
    }[dimension]


def decide(
    serial: SerialOption = "",
    reasoner: ReasonerOption = None,
    model: ModelOption = "",
    mmproj: MmprojOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide once what to suggest now; asks nobody, changes nothing, remembers nothing."""
    settings = load_config(config, serial, models=model_flags(reasoner, model, mmproj))
    context, judged = run(_judge(settings))
    if as_json:
        print_json({"now": context.now.isoformat(), "serial": context.serial, **_data(judged, settings.language)})
    else:
        _show(judged, settings.language)


async def _judge(settings: Config) -> tuple[Context, Judged]:
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


def now(serial: SerialOption = "", config: ConfigOption = None) -> None:
    """Look at the phone now, as if something had happened: suggest, ask, and after consent act."""
    settings = load_config(config, serial)
    if control.is_running():
        run(control.call(Request(op="now", serial=serial), timeout=settings.consent.timeout + _ACTING))
        say(msg("The daemon has looked: see `heed journal`."), settings.language)
    else:
        run(_now(settings))


async def _now(settings: Config) -> None:
    channels = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
    narrator = Narrator(console, settings.language)
    async with attended(settings, channels=channels, listen=narrator.tell) as attendant:
        await attendant.attend_now()
