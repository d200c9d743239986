"""Plays a scenario on an Android emulator while heed monitors it as in ``heed run``. Untried on a real emulator.

Events are sent through the emulator's console and adb. The emulator keeps its own clock, apps and contacts, so a
scenario's expectations are not checked.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from agent.compose import Phone, compose
from agent.consent.request import Answer, Channel
from agent.demo.emulator_commands import EmulatorScene, emulator_scenes, limitations
from agent.demo.emulator_console import console_port, emulator_console
from agent.demo.emulator_player import EmulatorPlayer
from agent.demo.moment import DemoMoment, demo_moment
from agent.demo.playback_control import PlaybackControl
from agent.demo.progress_recorder import ProgressRecorder
from agent.demo.scripted_owner import ScriptedChannel, newest_action
from agent.demo.setup import demo_config
from agent.demo.virtual_playback import CONNECT_TIMEOUT
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Listener
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import choose, phones
from heed.language import Language
from models.config import ModelsConfig
from virtual_phone.scenario import Scenario, ScenarioEntry

DECISION_TIMEOUT = 10.0
"""Seconds to wait for a decision about an entry."""


class _Playback(NamedTuple):
    """The parts of a running playback."""

    player: EmulatorPlayer
    phone: Phone
    watcher: Watcher
    recorder: ProgressRecorder
    channel: Channel


async def play_on_emulator(
    home: Path,
    bridge: BridgeConfig,
    *,
    scenario: Scenario,
    language: Language,
    channel: Channel | None = None,
    listen: Listener = lambda stage: None,
    announce: Callable[[ScenarioEntry], None] = lambda entry: None,
    warn: Callable[[str], None] = lambda sentence: None,
    control: PlaybackControl | None = None,
    models: ModelsConfig | None = None,
) -> AsyncGenerator[DemoMoment, None]:
    """Play ``scenario`` on the emulator ``bridge.serial`` and yield the result of each entry.

    Args:
        home: an empty folder for journal and frames.
        bridge: adb server and serial.
        warn: receives, before the first entry, one sentence for each difference from the scenario.

    The other arguments are those of ``play_day``. Raises ``UsageError`` when the phone is no emulator, and
    ``DeviceError`` when its console or adb refuses.
    """
    console_port(bridge.serial)
    for sentence in limitations(scenario):
        warn(sentence)
    async with _prepared(home, bridge, scenario, language, channel or ScriptedChannel(), listen, models) as playback:
        await playback.player.prepare(scenario)
        await playback.watcher.idle()
        for scene in emulator_scenes(scenario):
            await (control or PlaybackControl()).wait()
            announce(scene.entry)
            yield await _play(playback, scene)


async def _play(playback: _Playback, scene: EmulatorScene) -> DemoMoment:
    playback.recorder.clear()
    if isinstance(playback.channel, ScriptedChannel):
        playback.channel.answer = Answer(scene.entry.answer)
    if not scene.unsupported:
        await playback.player.play(scene)
        # An emulator logs fewer events than a phone, so some entries trigger no decision.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0 if scene.entry.event == "advance" else DECISION_TIMEOUT):
                await playback.recorder.wait_for_decision(scene.entry)
    await playback.watcher.idle()
    agent = playback.phone.agent
    if scene.entry.take_back and (action := newest_action(agent, scene.entry.take_back)) is not None:
        await agent.undo(action)
    return demo_moment(scene.entry, f"{playback.phone.clock.wall():%H:%M}", playback.recorder)


@asynccontextmanager
async def _prepared(
    home: Path,
    bridge: BridgeConfig,
    scenario: Scenario,
    language: Language,
    channel: Channel,
    listen: Listener,
    models: ModelsConfig | None,
) -> AsyncIterator[_Playback]:
    """Monitor the emulator as ``heed run`` does."""
    server = AdbServer(bridge)
    await server.ensure_running()
    serial = choose(await phones(server), bridge.serial)
    recorder = ProgressRecorder(listen, dict)
    config = demo_config(home, bridge, language, scenario.persona, models)
    async with emulator_console(serial) as console, compose(config) as runtime:
        identity = await runtime.identify(serial)
        phone = runtime.phone(serial, identity, channels=[channel], listen=recorder.record)
        watcher = phone.watcher(runtime.clock)
        with phone_lock(identity.id, serial):
            running = asyncio.create_task(watcher.run())
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    await phone.events.begun.wait()
                yield _Playback(EmulatorPlayer(phone.device, console), phone, watcher, recorder, channel)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
