"""``heed phone``: start a virtual phone."""

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from agent.cli.options import ConfigOption, load_config
from agent.cli.output import console, say
from agent.config import Config
from android_bridge.adb import AdbServer
from heed.clock import SystemClock
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from virtual_phone.scenario import Entry

SCENARIO_SPEED = 720.0
"""Default speed of a scenario: a day in two minutes."""


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
    config: ConfigOption = None,
) -> None:
    """Start a virtual phone and connect it to adb, until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_phone(load_config(config), Scenario.load(scenario) if scenario else None, port, speed))


async def _phone(settings: Config, scenario: Scenario | None, port: int, speed: float | None) -> None:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    state = scenario.new_state() if scenario else PhoneState.standard(now=SystemClock().wall())
    state.clock.speed(0 if scenario else speed or 1)
    async with VirtualPhone(state).connected(server, port=port) as serial:
        say(f"The virtual phone is {serial}. In another terminal: heed -s {serial} ...")
        say("Ctrl-C switches it off.")
        if scenario:
            await _play(scenario, state, speed or SCENARIO_SPEED)
        await asyncio.Event().wait()


async def _play(scenario: Scenario, state: PhoneState, speed: float) -> None:
    """Play the scenario at ``speed``; afterwards the phone's clock runs in real time."""
    player = ScenarioPlayer(scenario, state, tell=_print_entry)
    player.follow()
    state.clock.speed(speed)
    await player.over()
    state.clock.speed(1)
    say("The day is over; from now on the phone's time is real time.")


def _print_entry(entry: Entry) -> None:
    console.print(f"{entry.at}  {escape(entry.note or entry.event)}", soft_wrap=True)
