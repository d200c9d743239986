"""Plays a scenario on a real Android emulator, attended as ``heed run`` would attend it. Untried on a real one.

What happens is sent through the emulator's console and adb; heed sees it as on any phone. The emulator's own clock,
apps and people stay, so that a scenario's expectations are not checked here.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from agent.compose import Phone, compose
from agent.consent.request import Answer, Channel
from agent.demo.emulator_console import console_port, emulator_console
from agent.demo.emulator_player import EmulatorPlayer, Scene, limits, script
from agent.demo.moments import Heard, Moment, ScriptedChannel, moment_of, newest_action
from agent.demo.pace import Pace
from agent.demo.play import DEADLINE, config_of
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Stage
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import choose, phones
from heed.language import Language
from heed.messages import Text
from virtual_phone.scenario import Entry, Scenario

PATIENCE = 10.0
"""Seconds within which heed should have decided about what it can see at once."""


class _Stage(NamedTuple):
    player: EmulatorPlayer
    phone: Phone
    watcher: Watcher
    heard: Heard
    channel: Channel


async def play_on_emulator(
    home: Path,
    bridge: BridgeConfig,
    *,
    scenario: Scenario,
    language: Language,
    channel: Channel | None = None,
    listen: Callable[[Stage], None] = lambda stage: None,
    announce: Callable[[Entry], None] = lambda entry: None,
    warn: Callable[[Text], None] = lambda sentence: None,
    pace: Pace | None = None,
) -> AsyncGenerator[Moment, None]:
    """Play ``scenario`` on the emulator ``bridge.serial``; ``home`` is for journal and frames.

    ``warn`` is told, before anything happens, what will differ. ``UsageError`` when the phone is no emulator,
    ``DeviceError`` when its console or adb refuses.
    """
    console_port(bridge.serial)
    for sentence in limits(scenario):
        warn(sentence)
    async with _attended(home, bridge, scenario, language, channel or ScriptedChannel(), listen) as stage:
        await stage.player.prepare(scenario)
        await stage.watcher.idle()
        for scene in script(scenario):
            await (pace or Pace()).between()
            announce(scene.entry)
            yield await _play(stage, scene)


async def _play(stage: _Stage, scene: Scene) -> Moment:
    stage.heard.clear()
    if isinstance(stage.channel, ScriptedChannel):
        stage.channel.answer = Answer(scene.entry.answer)
    if not scene.left_out:
        await stage.player.play(scene)
        # An entry that heed was not told of (the emulator logs less than a phone) goes by.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0 if scene.entry.event == "advance" else PATIENCE):
                await stage.heard.decided(scene.entry)
    await stage.watcher.idle()
    attendant = stage.phone.attendant
    if scene.entry.take_back and (action := newest_action(attendant, scene.entry.take_back)) is not None:
        await attendant.undo(action)
    return moment_of(scene.entry, f"{stage.phone.clock.wall():%H:%M}", stage.heard)


@asynccontextmanager
async def _attended(
    home: Path,
    bridge: BridgeConfig,
    scenario: Scenario,
    language: Language,
    channel: Channel,
    listen: Callable[[Stage], None],
) -> AsyncIterator[_Stage]:
    server = AdbServer(bridge)
    await server.ensure_running()
    serial = choose(await phones(server), bridge.serial)
    heard = Heard(listen, dict)
    config = config_of(home, bridge, language, scenario.persona)
    async with emulator_console(serial) as console, compose(config) as household:
        phone = household.phone(serial, channels=[channel], listen=heard.tell)
        watcher = Watcher(
            phone.attendant,
            clock=phone.clock,
            host=household.clock,
            triggers=phone.triggers,
            dues=phone.dues,
            upcoming=phone.upcoming.dues,
        )
        with phone_lock(serial):
            running = asyncio.create_task(watcher.run())
            try:
                async with asyncio.timeout(DEADLINE):
                    await phone.events.begun.wait()
                yield _Stage(EmulatorPlayer(phone.device, console), phone, watcher, heard, channel)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
