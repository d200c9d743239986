"""``heed devices`` and ``heed phone``: what is connected, and a virtual phone to connect."""

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from agent.cli.common import ConfigOption, JsonOption, console, load_config, print_json, run, say
from agent.config import Config
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.device import phones
from heed.clock import SystemClock
from heed.errors import ExitCode
from heed.messages import msg
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from virtual_phone.scenario import Entry

A_DAY_IN_TWO_MINUTES = 720.0


def register(app: typer.Typer) -> None:
    """Add ``devices`` and ``phone``."""
    app.command()(devices)
    app.command()(phone)


def devices(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """The phones that adb knows."""
    entries = run(_entries(load_config(config)))
    if as_json:
        print_json([{"serial": entry.serial, "state": entry.state} for entry in entries])
    elif not entries:
        say(msg("No phone is connected. Connect one with USB debugging on, or run `heed phone`."))
        raise typer.Exit(ExitCode.NO_DEVICE)
    for entry in () if as_json else entries:
        console.print(f"{entry.serial}\t{entry.state}")


async def _entries(settings: Config) -> list[DeviceEntry]:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    return await phones(server)


def phone(
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario", help="A day (YAML, or the name of one that ships with heed) for it to live through."
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where it listens; 0 = any free port.")] = 0,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            min=0.001,
            max=100_000,
            help="How many times as fast as real time its time passes, or the scenario's: 720 (a day in two minutes) "
            "while a scenario lasts, else 1; 43200 is a month in one minute.",
        ),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Start a virtual phone and connect it to adb, until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        run(_phone(load_config(config), Scenario.load(scenario) if scenario else None, port, speed))


async def _phone(settings: Config, day: Scenario | None, port: int, speed: float | None) -> None:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    state = day.new_state() if day else PhoneState.standard(now=SystemClock().wall())
    state.clock.speed(0 if day else speed or 1)
    async with VirtualPhone(state).connected(server, port=port) as serial:
        say(msg("The virtual phone is {serial}. In another terminal: heed -s {serial} ...", serial=serial))
        say(msg("Ctrl-C switches it off."))
        if day:
            await _live_through(day, state, speed or A_DAY_IN_TWO_MINUTES)
        await asyncio.Event().wait()


async def _live_through(day: Scenario, state: PhoneState, speed: float) -> None:
    """The day in a hurry; what comes after it happens in real time."""
    player = ScenarioPlayer(day, state, tell=_tell)
    player.follow()
    state.clock.speed(speed)
    await player.over()
    state.clock.speed(1)
    say(msg("The day is over; from now on the phone's time is real time."))


def _tell(entry: Entry) -> None:
    console.print(f"{entry.at}  {escape(entry.note or entry.event)}", soft_wrap=True)
