"""``heed phone``: start a virtual phone."""

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, load_config
from agent.config import Config
from android_bridge.adb import AdbServer
from heed.messages import msg
from heed.printing import console, say
from heed.safe_text import safe_markup
from virtual_phone import Scenario, ScenarioEntry
from virtual_phone.builds import DEFAULT_BUILD, build_named, build_names
from virtual_phone.command import run_phone


def register(app: typer.Typer) -> None:
    """Add ``phone``."""
    app.command()(phone)


def phone(
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario", help="Scenario to play on it: a YAML file, or the name of one that ships with heed."
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 = any free port.")] = 0,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            min=0.001,
            max=100_000,
            help="Speed of its clock relative to real time: by default 720 (a day in two minutes) during a scenario, "
            "otherwise 1; 43200 is a month in one minute.",
        ),
    ] = None,
    build: Annotated[
        str,
        typer.Option(
            "--build",
            help=f"Build of Android: {', '.join(build_names())}. By default the scenario's, otherwise {DEFAULT_BUILD}.",
        ),
    ] = "",
    root: Annotated[
        bool,
        typer.Option("--root", help="A build for developers: adb root, su and sqlite3 work on it."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Start a virtual phone and connect it to adb, until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        settings = load_config(config)
        asyncio.run(_phone(settings, Scenario.load(scenario) if scenario else None, port, speed, build, root))


async def _phone(
    settings: Config, scenario: Scenario | None, port: int, speed: float | None, build: str, root: bool
) -> None:
    if build:
        build_named(build)  # an unknown name is refused before an adb server is started
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    await run_phone(
        server,
        on_connected=_print_serial,
        on_entry=_print_entry,
        on_end=_print_end,
        scenario=scenario,
        port=port,
        speed=speed,
        build=build,
        root=root,
    )


def _print_serial(serial: str) -> None:
    say(msg("The virtual phone is {serial}. In another terminal: heed -s {serial} ...", serial=serial))
    say(msg("Ctrl-C switches it off."))


def _print_entry(entry: ScenarioEntry) -> None:
    console.print(f"{entry.at}  {safe_markup(entry.note or entry.event)}", soft_wrap=True)


def _print_end() -> None:
    say(msg("The day is over; from now on the phone's time is real time."))
