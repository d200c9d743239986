"""``heed functions``: list the function pool, or show one function in full."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from agent.cli.options import ConfigOption, JsonOption, SerialOption, load_config
from agent.cli.output import headed
from agent.compose import chosen_serial, compose
from agent.config import Config
from android_bridge.device import Device
from executors.registry import incapable_functions
from executors.taught.pool import known_executors, known_pool
from function_pool.plugins import installed_pool
from function_pool.pool_map import benchmark_map
from function_pool.pool_map_draft import draft
from function_pool.spec import FunctionSpec, load_pool
from heed.language import Language
from heed.messages import Text, msg, template_in, translate
from heed.printing import console, print_json, print_lines, say
from heed.safe_text import safe_markup


def register(app: typer.Typer) -> None:
    """Add ``functions``."""
    app.command()(functions)


def functions(
    name: Annotated[str, typer.Argument(help="Name of one function, shown in full.")] = "",
    map_of: Annotated[
        Path | None,
        typer.Option("--map", help="Draft the table of another pool's functions, a JSON file, in heed's names."),
    ] = None,
    on_phone: Annotated[bool, typer.Option("--phone", help="Probe which of them the phone can carry out.")] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the functions that can be suggested, and whether heed can carry them out."""
    if map_of is not None:
        print_lines(draft(load_pool(map_of), installed_pool(), benchmark_map(), map_of.name).rstrip())
        return
    settings = load_config(config, serial)
    pool, executors = known_pool(settings.executors), known_executors(settings.executors)
    specs = [pool.get(name)] if name else list(pool)
    lacking: dict[str, Text] = {
        spec.name: msg("no executor is installed") for spec in specs if spec.name not in executors
    }
    if on_phone:
        lacking |= asyncio.run(_incapable(settings))
    lacks = {function: translate(reason, settings.language) for function, reason in lacking.items()}
    if as_json:
        print_json([_data(spec, lacks.get(spec.name, ""), executor=spec.name in executors) for spec in specs])
    elif name:
        _show_function(specs[0], lacks.get(name, ""), settings.language)
    else:
        console.print(_table(specs, lacks, settings.language))


async def _incapable(settings: Config) -> Mapping[str, Text]:
    async with compose(settings) as runtime:
        await runtime.server.ensure_running()
        serial = await chosen_serial(runtime.server, runtime.stores, settings.bridge.serial)
        return await incapable_functions(runtime.executors, Device(runtime.server, serial))


def _data(spec: FunctionSpec, lacks: str, *, executor: bool) -> dict[str, Any]:
    return {**spec.model_dump(mode="json"), "executor": executor, "lacks": lacks}


def _table(specs: list[FunctionSpec], lacks: Mapping[str, str], language: Language) -> Table:
    headings = (msg("function"), msg("scenario"), msg("risk"), msg("can act"), msg("what it does"))
    table = headed(*headings, language=language, whole="function")
    for spec in specs:
        scenario, description = (template_in(language, text) for text in (spec.scenario, spec.description))
        table.add_row(spec.name, scenario, spec.risk, safe_markup(lacks.get(spec.name, "✓")), description)
    return table


def _show_function(spec: FunctionSpec, lacks: str, language: Language) -> None:
    console.print(f"[bold]{spec.name}[/]  {spec.risk}  {template_in(language, spec.scenario)}")
    console.print(safe_markup(template_in(language, spec.description)))
    for name, parameter in spec.parameters.items():
        listed = [*map(str, parameter.choices), *(["…"] if parameter.open else [])]
        choices = f" ({', '.join(listed)})" if listed else ""
        note = f": {template_in(language, parameter.description)}" if parameter.description else ""
        console.print(safe_markup(f"  {name} {parameter.type} {parameter.must_fill}{choices}{note}"))
    if spec.similar:
        say(msg("Similar functions: {names}", names=spec.similar), language)
    if lacks:
        console.print(f"[yellow]{safe_markup(lacks)}[/]")
