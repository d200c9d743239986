"""Plays the demo's scenario on a virtual phone, with the real adb server, event stream, journal and executors between.

The script knows the day and, where there is no terminal, the person's answers; heed knows nothing of either.
"""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import JsonValue

from agent.compose import Household, Phone, compose
from agent.config import Config, ConsoleConfig, JournalConfig
from agent.consent.request import Answer, Channel
from agent.demo.changes import Change, changes
from agent.demo.moments import Heard, Moment, ScriptedChannel, moment_of, newest_action
from agent.demo.pace import Pace
from agent.demo.virtual_time import JumpingAlarm, JumpingClock, Jumps, MarkedEvents
from agent.loop.control_socket import Handler, Request
from agent.loop.progress import Listener, Stage, every
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from collectors.config import CollectorsConfig
from heed.language import Language
from models.config import ModelsConfig, RoutinesConfig
from models.routines.rules.situations import builtin_situations
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from virtual_phone.scenario import Entry, Persona

DEADLINE = 30.0
"""Seconds within which heed must attend the phone."""


class _Stage(NamedTuple):
    """Everything that the play needs while it runs."""

    player: ScenarioPlayer
    state: PhoneState
    phone: Phone
    jumps: Jumps
    heard: Heard
    channel: Channel
    announce: Callable[[Entry], None]


async def play_day(
    home: Path,
    *,
    scenario: Scenario | None = None,
    language: Language = Language.EN,
    channel: Channel | None = None,
    listen: Callable[[Stage], None] = lambda stage: None,
    announce: Callable[[Entry], None] = lambda entry: None,
    show_console: Callable[[str], None] | None = None,
    pace: Pace | None = None,
) -> AsyncGenerator[Moment, None]:
    """Play a scenario in ``home`` (an empty folder for journal and frames), one moment after the other.

    ``scenario`` is what happens; None = the demo's day. ``channel`` is who answers; None = the script.
    ``show_console`` is given the link of the day's console; None = there is no console. ``pace`` is how fast the day
    goes by; None = as fast as it can.
    """
    pace = pace or Pace()
    scenario = scenario or Scenario.load("demo")
    async with _staged(
        home, scenario, language, channel or ScriptedChannel(), listen, announce, show_console, pace
    ) as stage:
        while (coming := stage.player.next) is not None:
            await pace.between()
            yield await _play_moment(stage, *coming)


async def _play_moment(stage: _Stage, at: datetime, entry: Entry) -> Moment:
    """One entry, and what was due since the one before it."""
    heard = stage.heard
    heard.clear()
    if isinstance(stage.channel, ScriptedChannel):
        stage.channel.answer = Answer(entry.answer)
    stage.announce(entry)
    await stage.jumps.until(at)
    stage.player.step()
    await stage.jumps.settle()
    after = stage.state.to_json()
    undone = await _take_back(stage, entry.take_back)
    at_last = f"{stage.state.clock.wall():%H:%M}"
    return moment_of(entry, at_last, heard, changed=changes(heard.before, after), undone=undone)


async def _take_back(stage: _Stage, function: str) -> tuple[Change, ...]:
    """Undo the newest action of ``function``."""
    action = newest_action(stage.phone.attendant, function)
    if action is None:
        return ()
    before = stage.state.to_json()
    await stage.phone.attendant.undo(action)
    await stage.jumps.settle()
    return changes(before, stage.state.to_json())


@asynccontextmanager
async def _staged(
    home: Path,
    scenario: Scenario,
    language: Language,
    channel: Channel,
    listen: Callable[[Stage], None],
    announce: Callable[[Entry], None],
    show_console: Callable[[str], None] | None,
    pace: Pace,
) -> AsyncIterator[_Stage]:
    """The virtual phone on a private adb server, attended as ``heed run`` would attend it."""
    state = scenario.new_state()
    state.clock.freeze()
    heard = Heard(listen, state.to_json)
    async with _private_server(home) as server, VirtualPhone(state).connected(server) as serial:
        bridge = BridgeConfig(port=server.port, serial=serial)
        config = config_of(home, bridge, language, scenario.persona)
        host, alarm, events = JumpingClock(), JumpingAlarm(), MarkedEvents(Device(server, serial), state)
        async with (
            compose(config, host) as household,
            _attended(household, channel, heard.tell, show_console, pace) as attended,
        ):
            phone = attended._replace(events=events)
            watcher = Watcher(
                phone.attendant,
                clock=phone.clock,
                host=host,
                triggers=phone.triggers,
                dues=phone.dues,
                upcoming=phone.upcoming.due_triggers,
                alarm=alarm,
            )
            jumps = Jumps(state, phone, events, watcher, alarm, host)
            running = asyncio.create_task(watcher.run())
            try:
                async with asyncio.timeout(DEADLINE):
                    await state.log.followed()
                await jumps.settle()
                yield _Stage(ScenarioPlayer(scenario, state), state, phone, jumps, heard, channel, announce)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def _attended(
    household: Household, channel: Channel, listen: Listener, show_console: Callable[[str], None] | None, pace: Pace
) -> AsyncIterator[Phone]:
    """The phone with its attendant, and the console beside them where it is wanted."""
    serial = household.config.bridge.serial
    if show_console is None:
        yield household.phone(serial, channels=[channel], listen=listen)
        return
    # The web server takes half a second to import, and commands import the demo.
    from agent.console.console import Console

    console = Console(household)
    phone = household.phone(serial, channels=[channel, *console.channels], listen=every(listen, console.listen))
    async with console.serving(_handler(phone, pace)):
        show_console(console.link())
        yield phone


def _handler(phone: Phone, pace: Pace) -> Handler:
    """What the console asks of a daemon, for the one phone of the demo."""

    async def answer(request: Request) -> JsonValue:
        if request.op == "undo":
            outcome = await phone.attendant.undo(int(str(request.arguments["action"])))
            return outcome.model_dump(mode="json")
        if request.op == "pause":
            pace.hold(bool(request.arguments["paused"]))
        return [{"serial": phone.attendant.serial, "state": "attended", "reason": "", "paused": pace.paused}]

    return answer


def config_of(home: Path, bridge: BridgeConfig, language: Language, persona: Persona) -> Config:
    """heed as the scenario's person has set it up, with all that it keeps in ``home``."""
    profile = home / "profile.yaml"
    profile.write_text(yaml.safe_dump({"user_profile": persona.profile}, allow_unicode=True), encoding="utf-8")
    log = Path(persona.behaviour) if persona.behaviour else home / "behaviour.jsonl"
    switched_on = [one.id for one in builtin_situations()] if persona.situations == "all" else persona.situations
    return Config(
        language=language,
        bridge=bridge,
        collectors=CollectorsConfig(
            language=language, profile=profile, behaviour_log=log, frames_folder=home / "frames"
        ),
        models=ModelsConfig(routines=RoutinesConfig(situations=frozenset(switched_on))),
        console=ConsoleConfig(phone=False),
        journal=JournalConfig(path=home / "journal.sqlite3"),
    )


@asynccontextmanager
async def _private_server(home: Path) -> AsyncIterator[AdbServer]:
    """A real adb server of our own, so that the person's phones and keys are left alone."""
    # It looks for no phones: not on a cable (which takes it three seconds), nor in the network, nor emulators.
    quiet = {"HOME": str(home), "ADB_USB": "0", "ADB_MDNS": "0", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554"}
    server = AdbServer(BridgeConfig(port=_free_port()), environment=quiet)
    await server.ensure_running()
    try:
        yield server
    finally:
        await server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
