"""``heed do``: carry out a request in the owner's own words."""

import asyncio
import sys
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.cli.progress_printer import ProgressPrinter
from agent.compose import phone_agent, reading_agent
from agent.config import Config
from agent.consent.terminal import TerminalChannel, consent_panel
from agent.loop import control_socket as control
from agent.loop.daemon_requests import DoRequest, PreviewDoRequest
from agent.loop.phone_agent import RequestPreview
from executors.plan import Outcome
from executors.wording import describe_outcome
from heed.errors import DeclinedError, ExitCode
from heed.language import Language
from heed.messages import msg
from heed.printing import console, print_json, say
from heed.safe_text import safe_markup

_ACTION_TIMEOUT = 60.0
"""Seconds for reading, acting and verifying, besides the time that the owner takes to answer."""
_MOST_ANSWERS = 3
"""Questions, the one about the plan included, whose whole time the command waits for the daemon."""


def register(app: typer.Typer) -> None:
    """Add ``do``."""
    app.command()(do)


def do(
    request: Annotated[list[str], typer.Argument(help='What you want, such as "set an alarm for half past six".')],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what was understood and the plan, and do nothing.")
    ] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Understand a request, ask for what it does not say, plan it, ask for consent, carry it out and verify it."""
    settings, text = load_config(config, serial), " ".join(request).strip()
    if dry_run:
        _show(asyncio.run(_preview(settings, text)), as_json=as_json, language=settings.language)
        return
    outcomes = asyncio.run(_do(settings, text, as_json=as_json))
    if not outcomes:
        raise DeclinedError(msg("Not allowed, so nothing was done."), msg("Allow it in the terminal or the console."))
    if as_json:
        print_json(outcomes)
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(ExitCode.FAILURE)


async def _preview(settings: Config, text: str) -> RequestPreview:
    """What a request would do, through the daemon if one is running."""
    found = await control.call_if_monitored(PreviewDoRequest(text=text, serial=settings.bridge.serial))
    if found is not None:
        return RequestPreview.model_validate(found)
    async with reading_agent(settings) as agent:
        return await agent.preview_request(text)


async def _do(settings: Config, text: str, *, as_json: bool) -> tuple[Outcome, ...]:
    """Carry a request out, through the daemon if one monitors the phone."""
    patience = _MOST_ANSWERS * settings.consent.timeout + _ACTION_TIMEOUT
    found = await control.call_if_monitored(DoRequest(text=text, serial=settings.bridge.serial), patience)
    if isinstance(found, list):
        outcomes = tuple(Outcome.model_validate(one) for one in found)
        for outcome in () if as_json else outcomes:
            say(describe_outcome(outcome, settings.language), settings.language)
        return outcomes
    listen = ProgressPrinter(console, settings.language).print
    channels = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
    async with phone_agent(settings, channels=channels, listen=_discard if as_json else listen) as agent:
        return await agent.carry_out_request(text)


def _discard(stage: object) -> None:
    """Print nothing: with ``--json``, standard output holds JSON only."""


def _show(preview: RequestPreview, *, as_json: bool, language: Language) -> None:
    if as_json:
        print_json(preview)
        return
    for call in preview.read.calls:
        console.print(f"[bold]{safe_markup(call.name)}[/]")
        for name, value in call.shown.items():
            facts = ", ".join(basis.fact for basis in call.basis.get(name, ()))
            console.print(f"  {safe_markup(name)} = {safe_markup(str(value))}  [dim]{safe_markup(facts)}[/]")
    for question in preview.read.open_questions:
        say(msg("heed would ask: {question}", question=question.question), language)
    if preview.planned is not None:
        console.print(consent_panel(preview.planned.request, language))
