"""``heed devices`` and ``heed phone``: what is connected, and a virtual phone to connect."""

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.common import ConfigOption, JsonOption, console, load_config, print_json, run
from agent.config import Config
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.device import phones
from android_bridge.virtual import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from heed.clock import SystemClock
from heed.errors import ExitCode


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
        console.print("No phone is connected. Connect one with USB debugging on, or run `heed phone`.")
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
    config: ConfigOption = None,
) -> None:
    """Start a virtual phone and connect it to adb, until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        run(_phone(load_config(config), scenario, port))


async def _phone(settings: Config, scenario: Path | None, port: int) -> None:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    day = Scenario.load(scenario) if scenario else None
    state = day.new_state() if day else PhoneState.standard(now=SystemClock().wall())
    virtual = VirtualPhone(state)
    async with virtual.connected(server, port=port) as device:
        console.print(f"The virtual phone is {device.serial}. In another terminal: heed -s {device.serial} ...")
        console.print("Ctrl-C switches it off.")
        if day:
            ScenarioPlayer(day, state).play()
        await asyncio.Event().wait()
