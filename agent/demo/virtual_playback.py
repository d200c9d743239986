"""Plays a scenario on a virtual phone, with a real adb server, event stream, journal and executors.

The playback knows the scenario and, without a terminal, the owner's answers; heed knows neither.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from agent.compose import Phone, Runtime, compose
from agent.consent.request import Answer, Channel
from agent.demo.changes import Change, changes
from agent.demo.moment import DemoMoment, demo_moment
from agent.demo.playback_control import PlaybackControl
from agent.demo.progress_recorder import ProgressRecorder
from agent.demo.scripted_owner import ScriptedChannel, newest_action
from agent.demo.setup import demo_config, private_adb_server
from agent.demo.virtual_time import OffsetClock, SyncedPhoneEvents, VirtualTime, VirtualTimer
from agent.loop.control_socket import Handler
from agent.loop.daemon_requests import (
    DaemonRequest,
    DecideRequest,
    DoRequest,
    ForgetRequest,
    HoldDayRequest,
    TouchRequest,
    UndoRequest,
)
from agent.loop.phone_status import MonitoringState, PhoneStatus
from agent.loop.progress import Listener, every
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from models.config import ModelsConfig
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from virtual_phone.scenario import ScenarioEntry

CONNECT_TIMEOUT = 30.0
"""Seconds within which heed must receive the phone's events."""


class _Playback(NamedTuple):
    """The parts of a running playback."""

    player: ScenarioPlayer
    state: PhoneState
    phone: Phone
    time: VirtualTime
    recorder: ProgressRecorder
    channel: Channel
    announce: Callable[[ScenarioEntry], None]


async def play_day(
    home: Path,
    *,
    scenario: Scenario | None = None,
    language: Language = Language.EN,
    channel: Channel | None = None,
    listen: Listener = lambda stage: None,
    announce: Callable[[ScenarioEntry], None] = lambda entry: None,
    show_console: Callable[[str], None] | None = None,
    control: PlaybackControl | None = None,
    models: ModelsConfig | None = None,
) -> AsyncGenerator[DemoMoment, None]:
    """Play a scenario and yield the result of each entry.

    Args:
        home: an empty folder for journal and frames.
        scenario: the scenario; None = ``demo``.
        channel: where consent is requested; None = the scenario's answers.
        listen: receives every progress event.
        announce: receives each entry before it is played.
        show_console: receives the link of the web console; None = no console.
        control: delay and pause between entries; None = no delay.
        models: what decides; None = the routines.
    """
    control = control or PlaybackControl()
    scenario = scenario or Scenario.load("demo")
    async with _prepared(
        home, scenario, language, channel or ScriptedChannel(), listen, announce, show_console, control, models
    ) as playback:
        while (upcoming := playback.player.next) is not None:
            await control.wait()
            yield await _play_entry(playback, *upcoming)


async def _play_entry(playback: _Playback, at: datetime, entry: ScenarioEntry) -> DemoMoment:
    """Play everything that is due before ``at``, then the entry."""
    recorder = playback.recorder
    recorder.clear()
    if isinstance(playback.channel, ScriptedChannel):
        playback.channel.answer = Answer(entry.answer)
    playback.announce(entry)
    await playback.time.advance_to(at)
    playback.player.step()
    await playback.time.wait_until_idle()
    after = playback.state.to_json()
    undone = await _undo_newest(playback, entry.take_back)
    ended_at = f"{playback.state.clock.wall():%H:%M}"
    return demo_moment(entry, ended_at, recorder, changed=changes(recorder.state_before, after), undone=undone)


async def _undo_newest(playback: _Playback, function: str) -> tuple[Change, ...]:
    action = newest_action(playback.phone.agent, function)
    if action is None:
        return ()
    before = playback.state.to_json()
    await playback.phone.agent.undo(action)
    await playback.time.wait_until_idle()
    return changes(before, playback.state.to_json())


@asynccontextmanager
async def _prepared(
    home: Path,
    scenario: Scenario,
    language: Language,
    channel: Channel,
    listen: Listener,
    announce: Callable[[ScenarioEntry], None],
    show_console: Callable[[str], None] | None,
    control: PlaybackControl,
    models: ModelsConfig | None,
) -> AsyncIterator[_Playback]:
    """Connect the virtual phone to a private adb server and monitor it as ``heed run`` does."""
    state = scenario.new_state()
    state.clock.freeze()
    recorder = ProgressRecorder(listen, state.to_json)
    async with private_adb_server(home) as server, VirtualPhone(state).connected(server) as serial:
        bridge = BridgeConfig(port=server.port, serial=serial)
        config = demo_config(home, bridge, language, scenario.persona, models)
        host, timer, events = OffsetClock(), VirtualTimer(), SyncedPhoneEvents(Device(server, serial), state)
        async with (
            compose(config, host) as runtime,
            _composed_phone(runtime, channel, recorder.record, show_console, control) as composed,
        ):
            phone = composed._replace(events=events)
            watcher = phone.watcher(host, timer=timer)
            time = VirtualTime(state, phone, events, watcher, timer, host)
            running = asyncio.create_task(watcher.run())
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    await state.log.followed()
                await time.wait_until_idle()
                yield _Playback(ScenarioPlayer(scenario, state), state, phone, time, recorder, channel, announce)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def _composed_phone(
    runtime: Runtime,
    channel: Channel,
    listen: Listener,
    show_console: Callable[[str], None] | None,
    control: PlaybackControl,
) -> AsyncIterator[Phone]:
    """Compose the phone, and serve the web console when ``show_console`` is given."""
    serial = runtime.config.bridge.serial
    identity = await runtime.identify(serial)
    if show_console is None:
        yield runtime.phone(serial, identity, channels=[channel], listen=listen)
        return
    # The web server takes half a second to import, and most playbacks need none.
    from agent.console.console import Console

    console = Console(runtime)
    phone = runtime.phone(serial, identity, channels=[channel, *console.channels], listen=every(listen, console.listen))
    async with console.serving(_handler(phone, control)):
        show_console(console.link())
        yield phone


def _handler(phone: Phone, control: PlaybackControl) -> Handler:
    """Return the handler of the console's requests, which the daemon would answer in ``heed run``."""

    async def answer(request: DaemonRequest) -> JsonValue:
        if isinstance(request, UndoRequest):
            outcome = await phone.agent.undo(request.action)
            return outcome.model_dump(mode="json")
        if isinstance(request, DoRequest):
            outcomes = await phone.agent.carry_out_request(request.text)
            return [outcome.model_dump(mode="json") for outcome in outcomes]
        if isinstance(request, DecideRequest):
            return await phone.agent.handle_now()
        if isinstance(request, TouchRequest):
            await phone.agent.touch(request.touch)
            return None
        if isinstance(request, ForgetRequest):
            raise UsageError(msg("A demo keeps nothing: all of its data is deleted when it ends."))
        if isinstance(request, HoldDayRequest):
            control.set_paused(request.held)
        status = PhoneStatus(serial=phone.agent.serial, name=phone.agent.phone_name, state=MonitoringState.MONITORED)
        return [{**status.model_dump(mode="json"), "paused": control.paused}]

    return answer
