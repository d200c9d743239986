"""``heed call``: carry out one call given on the command line."""

import asyncio
import json
import sys
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.cli.progress_printer import ProgressPrinter
from agent.compose import phone_agent, reading_agent
from agent.config import Config
from agent.consent.request import ConsentRequest
from agent.consent.terminal import TerminalChannel, consent_panel
from agent.loop import control_socket as control
from agent.loop.daemon_requests import PlanRequest
from agent.loop.phone_agent import PlanPreview
from agent.loop.progress import ProgressEvent
from executors.plan import Plan
from executors.taught.pool import known_pool
from function_pool.call import Basis, FunctionCall
from heed.errors import DeclinedError, ExitCode, UsageError
from heed.language import Language
from heed.messages import msg
from heed.printing import as_data, console, print_json
from heed.safe_text import safe_markup
from heed.trust import Trust


def register(app: typer.Typer) -> None:
    """Add ``call``."""
    app.command()(call)


def call(
    name: Annotated[str, typer.Argument(help="Function, as `heed functions` lists it.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments, each as parameter=value.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and do nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Consent without being asked.")] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Plan one call, ask for consent, carry it out and verify it."""
    settings = load_config(config, serial)
    given = dict(_argument(text) for text in arguments or ())
    typed = (Basis(fact="command line", trust=Trust.OWNER),)
    wanted = FunctionCall(name=name, parameters=given, basis=dict.fromkeys(given, typed))
    known_pool(settings.executors).get(name)
    if dry_run:
        preview = asyncio.run(_preview(settings, wanted))
        _show_plan(preview.request, preview.plan, as_json=as_json, language=settings.language)
    else:
        asyncio.run(_call(settings, wanted, yes=yes, as_json=as_json))


def _argument(text: str) -> tuple[str, JsonValue]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(
            msg("{text!r} is not of the form parameter=value.", text=text), msg("See `heed functions NAME`.")
        )
    if value.startswith(("[", "{")):
        try:
            return name, json.loads(value)
        except ValueError as error:
            raise UsageError(
                msg("{name}: {value} is not valid JSON ({error}).", name=name, value=repr(value), error=error)
            ) from error
    return name, value


async def _preview(settings: Config, wanted: FunctionCall) -> PlanPreview:
    """Plan a call, through the daemon if one is running."""
    found = await control.call_if_monitored(PlanRequest(call=wanted, serial=settings.bridge.serial))
    if found is not None:
        return PlanPreview.model_validate(found)
    async with reading_agent(settings) as agent:
        return await agent.preview_call(wanted)


async def _call(settings: Config, wanted: FunctionCall, *, yes: bool, as_json: bool) -> None:
    listen = _discard if as_json else ProgressPrinter(console, settings.language).print
    channels = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
    async with phone_agent(settings, channels=channels, listen=listen) as agent:
        plan = await agent.plan(wanted)
        outcomes = await agent.carry_out(plan, consented=yes)
    if not outcomes:
        raise DeclinedError(msg("Not allowed, so nothing was done."), "" if channels else msg("Allow it with --yes."))
    if as_json:
        print_json(outcomes)
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(ExitCode.FAILURE)


def _discard(stage: ProgressEvent) -> None:
    """Print nothing: with ``--json``, standard output holds JSON only."""


def _show_plan(request: ConsentRequest, plan: Plan, *, as_json: bool, language: Language) -> None:
    if as_json:
        print_json({**as_data(plan), "hash": plan.hash, "risk": plan.risk})
    else:
        console.print(consent_panel(request, language))
        for step in plan.steps:
            console.print(_argument_table(step.call))


def _argument_table(call: FunctionCall) -> Table:
    """Return each argument with its trust label and its basis; secrets are masked."""
    table = Table(box=None, header_style="dim")
    for heading in ("argument", "value", "trust", "rests on"):
        table.add_column(heading)
    for name, value in call.shown.items():
        facts = ", ".join(basis.fact for basis in call.basis.get(name, ()))
        table.add_row(name, safe_markup(str(value)), call.trust_of(name), safe_markup(facts))
    return table
