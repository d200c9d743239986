"""``heed functions`` and ``heed call``: the pool, and one call by hand."""

import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from pydantic import JsonValue
from rich.markup import escape
from rich.table import Table

from agent.cli.common import ConfigOption, JsonOption, SerialOption, console, headed, load_config, print_json, run, say
from agent.cli.narrator import Narrator
from agent.compose import attended, compose
from agent.config import Config
from agent.consent.request import ConsentRequest
from agent.consent.terminal import TerminalChannel, consent_panel
from agent.loop.progress import Stage
from android_bridge.device import Device, choose
from executors.plan import Plan
from executors.registry import incapable_functions, load_executors
from function_pool.call import Basis, FunctionCall
from function_pool.plugins import installed_pool
from function_pool.spec import FunctionSpec, Meaning
from heed.errors import DeclinedError, ExitCode, UsageError
from heed.language import Language
from heed.messages import Text, msg, template_in, translate
from heed.trust import Trust


def register(app: typer.Typer) -> None:
    """Add ``functions`` and ``call``."""
    app.command()(functions)
    app.command()(call)


def functions(
    name: Annotated[str, typer.Argument(help="Show one function in full.")] = "",
    on_phone: Annotated[bool, typer.Option("--phone", help="Ask the phone which of them it can do.")] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """The functions that can be suggested, and which of them heed can carry out."""
    pool, executors = installed_pool(), load_executors()
    settings = load_config(config, serial)
    specs = [pool.get(name)] if name else list(pool)
    lacking: dict[str, Text] = {
        spec.name: msg("no executor is installed") for spec in specs if spec.name not in executors
    }
    if on_phone:
        lacking |= run(_incapable(settings))
    lacks = {function: translate(reason, settings.language) for function, reason in lacking.items()}
    if as_json:
        print_json([_data(spec, lacks.get(spec.name, ""), executor=spec.name in executors) for spec in specs])
    elif name:
        _show_function(specs[0], lacks.get(name, ""), settings.language)
    else:
        console.print(_table(specs, lacks, settings.language))


async def _incapable(settings: Config) -> Mapping[str, Text]:
    async with compose(settings) as household:
        await household.server.ensure_running()
        serial = choose(await household.server.devices(), settings.bridge.serial)
        return await incapable_functions(household.executors, Device(household.server, serial))


def _data(spec: FunctionSpec, lacks: str, *, executor: bool) -> dict[str, Any]:
    return {**spec.model_dump(mode="json"), "executor": executor, "lacks": lacks}


def _table(specs: list[FunctionSpec], lacks: Mapping[str, str], language: Language) -> Table:
    headings = (msg("function"), msg("scenario"), msg("risk"), msg("can act"), msg("what it does"))
    table = headed(*headings, language=language, whole="function")
    for spec in specs:
        scenario, description = (template_in(language, text) for text in (spec.scenario, spec.description))
        table.add_row(spec.name, scenario, spec.risk, escape(lacks.get(spec.name, "✓")), description)
    return table


def _show_function(spec: FunctionSpec, lacks: str, language: Language) -> None:
    console.print(f"[bold]{spec.name}[/]  {spec.risk}  {template_in(language, spec.scenario)}")
    console.print(escape(template_in(language, spec.description)))
    for name, parameter in spec.parameters.items():
        choices = f" ({', '.join(str(choice) for choice in parameter.choices)})" if parameter.choices else ""
        note = f": {template_in(language, parameter.description)}" if parameter.description else ""
        console.print(escape(f"  {name} {parameter.type} {parameter.must_fill}{choices}{note}"))
    if spec.similar:
        say(msg("Similar functions: {names}", names=spec.similar), language)
    if lacks:
        console.print(f"[yellow]{escape(lacks)}[/]")


def call(
    name: Annotated[str, typer.Argument(help="A function of `heed functions`.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="parameter=value ...")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and stop.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Consent without being asked: you typed the call yourself.")
    ] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Carry out one call: plan, consent, effect, proof."""
    settings = load_config(config, serial)
    given = dict(_argument(text) for text in arguments or ())
    typed = (Basis(fact="command line", trust=Trust.OWNER),)
    wanted = FunctionCall(name=name, parameters=given, basis=dict.fromkeys(given, typed))
    installed_pool().get(name)
    run(_call(settings, wanted, dry_run=dry_run, yes=yes, as_json=as_json))


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


async def _call(settings: Config, wanted: FunctionCall, *, dry_run: bool, yes: bool, as_json: bool) -> None:
    narrator = Narrator(console, settings.language)
    channels = [TerminalChannel(console, settings.language)] if sys.stdin.isatty() else []
    async with attended(settings, channels=channels, listen=_nobody if as_json else narrator.tell) as attendant:
        plan = await attendant.plan(wanted)
        if dry_run:
            _show_plan(attendant.request(0, plan), plan, as_json=as_json, language=settings.language)
            return
        outcomes = await attendant.by_hand(plan, consented=yes)
    if not outcomes:
        raise DeclinedError(msg("Not allowed, so nothing was done."), "" if channels else msg("Allow it with --yes."))
    if as_json:
        print_json(outcomes)
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(ExitCode.FAILURE)


def _nobody(stage: Stage) -> None:
    """Data alone goes to standard output."""


def _show_plan(request: ConsentRequest, plan: Plan, *, as_json: bool, language: Language) -> None:
    if as_json:
        print_json({**plan.model_dump(mode="json"), "hash": plan.hash, "risk": plan.risk})
    else:
        console.print(consent_panel(request, language))
        for step in plan.steps:
            console.print(_trust(step.call, language))


def _trust(call: FunctionCall, language: Language) -> Table:
    """Each argument, whose word it is, and the facts that it rests on; secrets are not shown."""
    table = headed(msg("argument"), msg("value"), msg("trust"), msg("rests on"), language=language)
    parameters = installed_pool().get(call.name).parameters
    for name, value in call.parameters.items():
        shown = "•••" if parameters[name].meaning is Meaning.SECRET else str(value)
        facts = ", ".join(basis.fact for basis in call.basis.get(name, ()))
        table.add_row(name, escape(shown), call.trust_of(name), facts)
    return table
