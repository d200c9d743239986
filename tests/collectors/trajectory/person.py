"""A person who uses the virtual phone while the recorder records it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from android_bridge.device import Device
from android_bridge.events import phone_events
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import LogEntry
from collectors.frames import Album
from collectors.trajectory import Recorder, StepKind, recorder
from collectors.trajectory.steps import TrajectoryStep
from heed.clock import ManualClock, PhoneClock
from tests.phones import START
from virtual_phone import VirtualPhone
from virtual_phone.ui import touch

TYPED = (StepKind.TYPE, StepKind.PASSWORD)


class Counting(Recorder):
    """Counts what it notices."""

    changes = 0

    def _change(self) -> None:
        self.changes += 1
        super()._change()


@dataclass
class Person:
    """Uses the phone, one second after the other, and waits until each thing is recorded."""

    phone: VirtualPhone
    recorder: "Counting"
    clock: PhoneClock
    config: CollectorsConfig

    async def does(self, something: Callable[[], object]) -> None:
        state = self.phone.state
        state.clock.advance(1)
        self.clock.set(state.clock.wall())
        before = self.recorder.changes
        something()
        await self.is_recorded(before)

    async def is_recorded(self, before: int) -> None:
        """Wait until the recorder has noticed what happened after so many changes, and rests."""
        with contextlib.suppress(TimeoutError):  # not everything is a change
            async with asyncio.timeout(4):
                while self.recorder.changes == before:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
        # The event of an app and the touch that opened it take two ways through adb; a look at the screen follows.
        await asyncio.sleep(recorder.BEFORE_SWITCH_S + 0.1)
        async with asyncio.timeout(20):
            await self.recorder.idle()

    async def taps(self, words: str) -> None:
        nodes = [node for window in self.phone.screen.windows() for node in window.root.walk() if node.tap]
        shown = (node for node in nodes if any(words in (one.text, one.hint, one.description) for one in node.walk()))
        place = next(shown).box.center
        await self.does(lambda: self._finger(place))

    def _swipe(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.phone.state.touchscreen.touch(start, end, seconds=0.3)
        touch.swipe(self.phone.screen, self.phone.state, start, end)

    def _finger(self, place: tuple[int, int]) -> None:
        self.phone.state.touchscreen.touch(place)
        touch.tap(self.phone.screen, self.phone.state, *place)

    async def swipes(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        await self.does(lambda: self._swipe(start, end))

    async def types(self, text: str) -> None:
        assert touch.type_text(self.phone.state, text)
        async with asyncio.timeout(20):
            # The recorder tells nobody what it has recorded.
            while not any(step.kind in TYPED for step in self.steps()[-1:]):  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def opens(self, package: str) -> None:
        await self.does(lambda: self.phone.state.open_app(package))

    def steps(self) -> tuple[TrajectoryStep, ...]:
        return self.recorder.steps(self.phone.state.clock.wall())

    def did(self) -> list[tuple[str, str]]:
        return [(str(step.kind), step.target or step.package) for step in self.steps()]

    def lines(self) -> list[LogEntry]:
        return list(BehaviourLog(self.config.behaviour_log).entries())

    def frames(self) -> list[Path]:
        return list(self.config.frames_folder.rglob("*.jpg"))


@asynccontextmanager
async def using(phone: VirtualPhone, device: Device, config: CollectorsConfig) -> AsyncIterator[Person]:
    clock = PhoneClock(ManualClock(START))
    clock.set(phone.state.clock.wall())
    one = Counting(device, clock, config, album=Album(device, config))

    async def listen() -> None:
        async for event in phone_events(device):
            one.handle(event)

    tasks = [asyncio.create_task(one.run()), asyncio.create_task(listen())]
    try:
        async with asyncio.timeout(20):
            await phone.state.touchscreen.followed()
            await phone.state.log.followed()
            await one.idle()
        yield Person(phone, one, clock, config)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
