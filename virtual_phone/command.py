"""``python -m virtual_phone``: start a virtual phone and connect it to adb until Ctrl-C."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Literal

from heed.clock import SystemClock
from heed.errors import PersonError
from virtual_phone.adb import AdbHost, LocalAdbServer
from virtual_phone.builds import DEFAULT_BUILD, build_names
from virtual_phone.phone import VirtualPhone
from virtual_phone.scenario import Scenario, ScenarioEntry, ScenarioPlayer, shipped
from virtual_phone.state import PhoneState

SCENARIO_SPEED = 720.0
"""How many times as fast as real time a scenario passes unless told otherwise: a day in two minutes."""


async def run_phone(
    server: AdbHost,
    *,
    on_connected: Callable[[str], None],
    on_entry: Callable[[ScenarioEntry], None],
    on_end: Callable[[], None],
    scenario: Scenario | None = None,
    language: Literal["en", "zh"] = "en",
    port: int = 0,
    speed: float | None = None,
    build: str = "",
    root: bool = False,
) -> None:
    """Connect a virtual phone to ``server`` and keep it running until cancelled.

    Args:
        server: the adb server, running.
        on_connected: called with the serial once adb lists the phone as ``device``.
        on_entry: called with each entry of the scenario, just before it happens.
        on_end: called when the scenario is over; from then on the phone's time is real time.
        scenario: what the phone starts from and what happens to it; None is the standard phone.
        language: of the standard phone; a scenario has its own.
        port: where the phone listens on 127.0.0.1; 0 is any free port.
        speed: phone seconds per real second; None is ``SCENARIO_SPEED`` during a scenario, else 1.
        build: the build of Android; empty takes the scenario's, or the default.
        root: a build for developers, on which ``adb root`` works; False takes the scenario's.

    Raises:
        UsageError: there is no such build.
    """
    state = _new_state(scenario, language, build, root)
    state.clock.speed(0 if scenario else speed or 1)
    async with VirtualPhone(state).connected(server, port=port) as serial:
        on_connected(serial)
        if scenario:
            await _play(ScenarioPlayer(scenario, state, tell=on_entry), state, speed or SCENARIO_SPEED)
            on_end()
        await asyncio.Event().wait()


def _new_state(scenario: Scenario | None, language: Literal["en", "zh"], build: str, root: bool) -> PhoneState:
    if scenario is not None:
        return scenario.new_state(build=build, root=root)
    return PhoneState.standard(SystemClock().wall(), language=language, build=build or DEFAULT_BUILD, rooted=root)


async def _play(player: ScenarioPlayer, state: PhoneState, speed: float) -> None:
    player.follow()
    state.clock.speed(speed)
    await player.over()
    state.clock.speed(1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    options = _parser().parse_args(arguments)
    try:
        scenario = Scenario.load(options.scenario) if options.scenario else None
        server = LocalAdbServer(port=options.adb_port)
        server.ensure_running()
        work = run_phone(
            server,
            on_connected=lambda serial: _print(f"The virtual phone is {serial}. Ctrl-C switches it off."),
            on_entry=lambda entry: _print(f"{entry.at}  {entry.note or entry.event}"),
            on_end=lambda: _print("The scenario is over; from now on the phone's time is real time."),
            scenario=scenario,
            language=options.language,
            port=options.port,
            speed=options.speed,
            build=options.build,
            root=options.root,
        )
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(work)
    except PersonError as error:
        sys.stderr.write(f"virtual_phone: {error}\n")
        return int(error.exit_code)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m virtual_phone", description="Start a virtual phone and connect it to adb, until Ctrl-C."
    )
    names = ", ".join(shipped())
    parser.add_argument("--scenario", help=f"play a scenario: a YAML file, or one of {names}")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="of the phone; a scenario has its own")
    parser.add_argument(
        "--build", choices=build_names(), default="", help="the build of Android; a scenario has its own"
    )
    parser.add_argument("--root", action="store_true", help="a build for developers: adb root, su and sqlite3 work")
    parser.add_argument("--port", type=_port, default=0, help="where the phone listens; 0 (default) is any free port")
    parser.add_argument(
        "--speed",
        type=_speed,
        help=f"phone seconds per real second: {SCENARIO_SPEED:g} (a day in two minutes) during a scenario, else 1",
    )
    parser.add_argument(
        "--adb-port", type=_port, help="the adb server's port: default ANDROID_ADB_SERVER_PORT, else 5037"
    )
    return parser


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return port


def _speed(text: str) -> float:
    speed = float(text)
    if not 0.001 <= speed <= 100_000:
        raise argparse.ArgumentTypeError("the speed is a number from 0.001 to 100000")
    return speed


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
