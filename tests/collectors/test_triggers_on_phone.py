"""From the phone's own event log to triggers, through the real adb."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import pytest

from android_bridge.device import Device
from android_bridge.events import phone_events
from collectors.config import CollectorsConfig
from collectors.context import Trigger
from collectors.triggers import Triggers
from heed.clock import ManualClock
from tests.phones import START
from virtual_phone import VirtualPhone

CONFIG = CollectorsConfig(excluded_apps=frozenset({"my.bank"}))
Happening = Callable[[], object]


class Listener:
    """Makes something happen and waits for the trigger that it leads to."""

    def __init__(self, triggers: "asyncio.Queue[Trigger]") -> None:
        self._triggers = triggers

    async def after(self, happening: Happening, kind: str) -> Trigger:
        """The next trigger of this kind."""
        happening()
        async with asyncio.timeout(20):
            while (trigger := await self._triggers.get()).kind != kind:
                pass
        return trigger

    def others(self) -> list[str]:
        """Kinds of the triggers that came besides."""
        return [self._triggers.get_nowait().kind for _ in range(self._triggers.qsize())]


@pytest.fixture
async def listener(phone: VirtualPhone, device: Device) -> AsyncIterator[Listener]:
    queue: asyncio.Queue[Trigger] = asyncio.Queue()
    listening = asyncio.Event()

    async def listen() -> None:
        triggers = Triggers(device, ManualClock(START), CONFIG)
        async with aclosing(phone_events(device)) as events:
            async for event in events:
                listening.set()
                if (trigger := await triggers.of(event)) is not None:
                    queue.put_nowait(trigger)

    task = asyncio.create_task(listen())
    async with asyncio.timeout(20):
        while not (listening.is_set() or task.done()):  # until the stream tells of a change that we make
            phone.state.battery.set(level=phone.state.battery.level - 1)
            await asyncio.sleep(0.1)
    if task.done():
        task.result()
    yield Listener(queue)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_falling_battery_and_a_charger(phone: VirtualPhone, listener: Listener) -> None:
    battery = phone.state.battery
    low = await listener.after(lambda: battery.set(level=15), "battery_level")
    while low.data["level"] != 15:
        low = await listener.after(lambda: None, "battery_level")
    assert low.data == {"level": 15, "plugged": False}
    charger = await listener.after(lambda: battery.set(plugged=True), "charger")
    assert charger.data == {"plugged": True, "level": 15}


async def test_an_sms_is_told_once_with_text_and_sender(phone: VirtualPhone, listener: Listener) -> None:
    messages = phone.state.messages
    stranger = await listener.after(lambda: messages.receive("5550199", "hi, this is Bob"), "sms_received")
    assert (stranger.data["number"], stranger.data["text"], stranger.data["contact"]) == (
        "5550199",
        "hi, this is Bob",
        None,
    )
    friend = await listener.after(lambda: messages.receive("139 1122 3344", "your code is 482913"), "sms_received")
    assert (friend.data["contact"], friend.data["text"]) == ("Bob Li", "your code is [code]")


async def test_a_notification_is_told_and_an_excluded_one_is_not(phone: VirtualPhone, listener: Listener) -> None:
    post = phone.state.notifications.post
    post("my.bank", "Balance", "123")
    told = await listener.after(lambda: post("com.whatsapp", "Sam", "see you"), "notification")
    assert (told.data["app"], told.data["title"], told.data["text"]) == ("WhatsApp", "Sam", "see you")


async def test_apps_and_the_screen(phone: VirtualPhone, listener: Listener) -> None:
    opened = await listener.after(lambda: phone.state.open_app("com.android.chrome"), "app_foreground")
    assert opened.data["app"] == "Chrome"
    dark = await listener.after(phone.state.power.sleep, "screen")
    assert dark.data == {"state": "off"}
