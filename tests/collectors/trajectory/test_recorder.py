"""A person uses the virtual phone; what they do is recorded through the real adb, event stream and touch events."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from android_bridge.device import Device
from collectors.config import CollectorsConfig, TrajectoryConfig
from collectors.trajectory import StepKind, StepSource
from collectors.wording import render
from heed.language import Language
from tests.collectors.contexts import make
from tests.collectors.trajectory.person import Person, using
from tests.phones import START
from virtual_phone import VirtualPhone
from virtual_phone.ui import touch

MESSAGES, MAPS, BANK = "com.google.android.apps.messaging", "com.google.android.apps.maps", "my.bank"


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
