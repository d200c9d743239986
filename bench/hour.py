"""A busy hour of use on the virtual clock, recorded as the daemon records it, and what it leaves on disk.

Somebody does something every quarter of a minute: opens apps, taps what can be tapped, types, scrolls, goes home. The
touches reach the recorder as a panel's reports, through the real adb; the pauses between them are the clock's alone.
"""

import asyncio
import random
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.events import PhoneEvents
from collectors.config import CollectorsConfig
from collectors.frames import Album
from collectors.trajectory import Recorder, recorder
from collectors.trajectory.steps import TrajectoryStep
from heed.clock import ManualClock, PhoneClock
from tests.phones import connected_device
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.ui import touch

START = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)
PAUSE_S = 15
SETTLE_S = 0.1
"""Nothing else happens on this phone between two deeds, so its screen is at rest sooner than a real one's."""
_DEADLINE_S = 20.0
_WORDS = ("noodles", "See you at seven", "weather tomorrow", "museum", "train to Suzhou")


class Hour(NamedTuple):
    """What was recorded, and what lies on the disk."""

    deeds: int
    steps: int
    frames: int
    frame_bytes: int
    log_bytes: int

    @property
    def bytes_an_hour(self) -> float:
        return (self.frame_bytes + self.log_bytes) * 3600 / (self.deeds * PAUSE_S)


async def use(server: AdbServer, folder: Path, deeds: int) -> Hour:
    """Use a phone for so many quarters of a minute."""
    recorder.SETTLE_S = SETTLE_S
    config = CollectorsConfig(frames_folder=folder / "frames", behaviour_log=folder / "log.jsonl")
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.clock.jump(START)
    phone = VirtualPhone(state)
    async with connected_device(phone, server) as device:
        clock = PhoneClock(ManualClock(START))
        recording = Recorder(device, clock, config, album=Album(device, config))
        tasks = [asyncio.create_task(recording.run()), asyncio.create_task(_listen(device, recording))]
        await state.touchscreen.followed()
        await state.log.followed()
        steps = await _deeds(phone, recording, clock, deeds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    frames = list(config.frames_folder.rglob("*.jpg"))
    size = sum(frame.stat().st_size for frame in frames)
    return Hour(deeds, steps, len(frames), size, config.behaviour_log.stat().st_size)


async def _listen(device: Device, recording: Recorder) -> None:
    async with aclosing(PhoneEvents(device).listen()) as events:
        async for event in events:
            recording.handle(event)


async def _deeds(phone: VirtualPhone, recording: Recorder, clock: PhoneClock, count: int) -> int:
    """Do them, each when the last one is recorded; how many steps they were."""
    dice = random.Random(7)  # the same hour each time
    seen: set[TrajectoryStep] = set()
    for _ in range(count):
        phone.state.clock.advance(PAUSE_S)
        clock.set(phone.state.clock.wall())
        _do_something(phone, dice)
        # The event of an app and the touch that opened it take two ways through adb.
        await asyncio.sleep(recorder.BEFORE_SWITCH_S + SETTLE_S)
        async with asyncio.timeout(_DEADLINE_S):
            await recording.idle()
        seen |= set(recording.steps(phone.state.clock.wall()))
    return len(seen)


def _do_something(phone: VirtualPhone, dice: random.Random) -> None:
    state = phone.state
    match dice.choices(("tap", "home", "type", "scroll"), weights=(10, 3, 2, 3))[0]:
        case "home":
            touch.home(state)
        case "type":
            touch.type_text(state, dice.choice(_WORDS))
        case "scroll":
            start, end = (540, 1800), (540, 700)
            state.touchscreen.touch(start, end, seconds=0.3)
            touch.swipe(phone.screen, state, start, end)
        case _:
            places = [node.box.center for window in phone.screen.windows() for node in window.root.walk() if node.tap]
            place = dice.choice(places)
            state.touchscreen.touch(place)
            touch.tap(phone.screen, state, *place)
