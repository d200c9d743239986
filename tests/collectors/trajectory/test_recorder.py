"""A person uses the virtual phone; what they do is recorded through the real adb, event stream and touch events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from android_bridge.device import Device
from android_bridge.events import phone_events
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig, FramesConfig, TrajectoryConfig
from collectors.context import LogEntry
from collectors.frames import Album
from collectors.trajectory import Recorder, StepKind, StepSource, recorder
from collectors.trajectory.steps import TrajectoryStep
from collectors.wording import render
from heed.clock import ManualClock, PhoneClock
from heed.language import Language
from tests.collectors.contexts import make
from tests.phones import START
from virtual_phone import VirtualPhone
from virtual_phone.ui import touch

MESSAGES, MAPS, BANK = "com.google.android.apps.messaging", "com.google.android.apps.maps", "my.bank"
TYPED = (StepKind.TYPE, StepKind.PASSWORD)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "SETTLE_S", 0.05)
    monkeypatch.setattr(recorder, "TYPING_LOOK_S", 0.2)


@pytest.fixture
def config(tmp_path: Path) -> CollectorsConfig:
    profile = tmp_path / "profile.yaml"
    profile.write_text("locations: {home: {latitude: 31.2304, longitude: 121.4737}}")
    return CollectorsConfig(
        profile=profile,
        behaviour_log=tmp_path / "log.jsonl",
        frames_folder=tmp_path / "frames",
        excluded_apps=frozenset({"my.diary"}),
        frames=FramesConfig(per_context=10),
    )


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


@pytest.fixture
async def person(phone: VirtualPhone, device: Device, config: CollectorsConfig) -> AsyncIterator[Person]:
    phone.state.messages.store("+86 139 1122 3344", "New job starts Monday", date=phone.state.clock.milliseconds())
    phone.state.apps.home()
    async with using(phone, device, config) as user:
        yield user


async def test_a_minute_of_use_is_recorded_in_order(person: Person) -> None:
    await person.taps("Messages")
    await person.taps("Bob Li")
    await person.taps("Text message")
    await person.types("Good luck!")
    await person.taps("Send")
    await person.does(lambda: touch.home(person.phone.state))
    await person.taps("Maps")
    await person.taps("Search")
    await person.types("noodles")
    assert person.did()[-11:] == [
        ("tap", "Messages"),
        ("open", MESSAGES),
        ("tap", "Bob Li"),
        ("tap", "compose message text"),
        ("type", "compose message text"),
        ("tap", "Send"),
        ("open", "com.google.android.apps.nexuslauncher"),
        ("tap", "Maps"),
        ("open", MAPS),
        ("tap", "search"),
        ("type", "search"),
    ]
    steps = person.steps()
    assert [step.text for step in steps if step.kind is StepKind.TYPE] == ["Good luck!", "noodles"]
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert steps[0].at > START and steps[-1].at - steps[0].at < timedelta(minutes=1)
    assert 3 <= len(person.frames()) <= 10


async def test_the_steps_are_a_fact_and_are_told_in_words(person: Person) -> None:
    await person.taps("Maps")
    await person.taps("Search")
    await person.types("my code is 482913")
    now = person.phone.state.clock.wall()
    values = [step.value(now, Language.EN) for step in person.steps()]
    assert "482913" not in str(values)
    context = make({"trajectory.steps": values}).model_copy(update={"now": now})
    *told, _ = render(context, Language.EN).trace
    assert [line.rpartition(", ")[0] for line in told] == [
        'Tap "Maps" in Home screen',
        "Open Maps",
        'Tap "search" in Maps',
        'Input Text "my code is [code]" into "search" in Maps',
    ]
    assert told[0].endswith(", 14:00:01")
    assert StepSource.name == "steps"


async def test_each_visit_is_a_line_of_the_long_term_log_without_what_was_typed(person: Person) -> None:
    await person.taps("Maps")
    await person.taps("Search")
    await person.types("noodles")
    await person.does(lambda: touch.home(person.phone.state))
    (line,) = person.lines()
    assert line.action == 'opened Maps: tapped "search", entered text'
    assert (line.location, line.time.replace(microsecond=0)) == ("home", START + timedelta(seconds=1))


async def test_of_a_private_app_only_that_there_was_one(person: Person) -> None:
    person.phone.state.apps.install("my.diary", "Diary", screen="search")
    await person.does(lambda: touch.home(person.phone.state))
    before = person.frames()
    await person.opens("my.diary")
    await person.taps("Search")
    assert touch.type_text(person.phone.state, "Dear diary")
    await person.swipes((540, 1800), (540, 600))
    assert [kind for kind, _ in person.did()][-2:] == ["swipe", "private"]
    await person.does(lambda: touch.home(person.phone.state))
    assert "diary" not in str(person.steps()).casefold() and "diary" not in str(person.lines()).casefold()
    assert person.frames() == before


async def test_a_password_is_recorded_as_such_and_its_page_is_not_pictured(person: Person) -> None:
    person.phone.state.apps.install("a.shop", "Shop", screen="sign_in")
    await person.does(lambda: touch.home(person.phone.state))
    before = set(person.frames())
    await person.opens("a.shop")
    await person.taps("User name")
    await person.types("robin")
    await person.taps("Password")
    await person.types("hunter2")
    assert person.did()[-2:] == [("tap", "password"), ("password", "password")]
    assert "hunter2" not in str(person.steps())
    assert set(person.frames()) == before


async def test_a_protected_screen_is_recorded_as_such(person: Person) -> None:
    person.phone.state.apps.install(BANK, "Bank", screen="sign_in", secure=True)
    before = set(person.frames())
    await person.opens(BANK)
    await person.taps("User name")
    await person.taps("Sign in")
    assert person.did()[-2:] == [("open", BANK), ("protected", BANK)]
    assert set(person.frames()) == before


async def test_nothing_is_recorded_while_the_phone_is_locked(person: Person) -> None:
    await person.does(person.phone.state.power.sleep)
    await person.does(person.phone.state.power.wake)
    await person.does(lambda: person.phone.state.touchscreen.touch((540, 1500)))
    assert person.did()[-2:] == [("screen", "off"), ("screen", "on")]


async def test_an_app_that_comes_by_itself_was_not_opened_by_the_person(person: Person) -> None:
    await person.does(lambda: person.phone.state.apps.open(MAPS))
    await person.does(lambda: touch.home(person.phone.state))
    assert ("appear", MAPS) in person.did() and person.lines() == []


async def test_scrolling_and_swiping(person: Person) -> None:
    for number in range(30):
        person.phone.state.messages.store(f"55501{number:02}", "hello")
    await person.opens(MESSAGES)
    await person.swipes((540, 1800), (540, 600))
    last = person.steps()[-1]
    assert (last.kind, last.direction) == (StepKind.SCROLL, "up")


async def test_typed_text_can_be_left_out(phone: VirtualPhone, device: Device, config: CollectorsConfig) -> None:
    config = config.model_copy(update={"trajectory": TrajectoryConfig(typed_text=False)})
    phone.state.apps.open(MAPS)
    async with using(phone, device, config) as person:
        await person.taps("Search")
        await person.types("noodles")
        assert "noodles" not in str(person.steps()) and person.did()[-1] == ("type", "search")


async def test_after_ten_minutes_steps_are_gone(person: Person) -> None:
    await person.taps("Maps")
    assert person.recorder.steps(person.phone.state.clock.wall() + timedelta(minutes=11)) == ()


async def test_the_views_may_come_from_uiautomator2(
    phone: VirtualPhone, device: Device, config: CollectorsConfig
) -> None:
    config = config.model_copy(update={"trajectory": TrajectoryConfig(helper=True)})
    phone.state.apps.home()
    async with using(phone, device, config) as person:
        await person.taps("Maps")
        await person.taps("Search")
        assert phone.local_service("9008") is not None
        assert person.did() == [("tap", "Maps"), ("open", MAPS), ("tap", "search")]
