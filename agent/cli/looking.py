"""``heed collect`` and ``heed decide``: what is known now, and what would be suggested."""

from typing import Annotated, Any

import typer
from rich.markup import escape

from agent.attendant import Judged
from agent.cli.common import ConfigOption, JsonOption, SerialOption, console, load_config, print_json, run
from agent.compose import attended
from agent.config import Config
from agent.wording import rule_text, word
from collectors.context import Context, Dimension, RenderedContext, Trigger
from collectors.wording import render
from heed.language import Language
from models.config import ReasonerKind


def register(app: typer.Typer) -> None:
    """Add ``collect`` and ``decide``."""
    app.command()(collect)
    app.command()(decide)


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
    reasoner: Annotated[ReasonerKind | None, typer.Option("--reasoner", help="Who decides.")] = None,
    model: Annotated[str, typer.Option("--model", help="GGUF file, or hf:org/repo/file.gguf.")] = "",
    mmproj: Annotated[str, typer.Option("--mmproj", help="Vision projector of the model.")] = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide once what to suggest now; asks nobody, changes nothing, remembers nothing."""
    settings = load_config(config, serial, models=_model_flags(reasoner, model, mmproj))
    context, judged = run(_judge(settings))
    if as_json:
        print_json({"now": context.now.isoformat(), "serial": context.serial, **_data(judged, settings.language)})
    else:
        _show(judged, settings.language)


def _model_flags(reasoner: ReasonerKind | None, model: str, mmproj: str) -> dict[str, Any]:
    flags: dict[str, Any] = {"reasoner": reasoner.value} if reasoner else {}
    llama = {key: value for key, value in {"model": model, "mmproj": mmproj}.items() if value}
    return flags | ({"llama": llama} if llama else {})


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
