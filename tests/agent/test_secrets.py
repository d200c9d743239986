"""Secrets planted everywhere on the phone are nowhere in what heed stores, logs or shows to a model."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agent.compose import Phone, compose
from agent.config import Config
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from collectors.context import Trigger, TriggerKind
from collectors.wording import render
from heed.language import Language
from models.argument_basis import Grounding
from tests.phones import START
from virtual_phone import VirtualPhone
from virtual_phone.ui import touch

SECRETS = {
    "an SMS": "482913",
    "a notification": "551203",
    "its long text": "4111 1111 1111 1111",
    "a title": "hunter2!x",
    "a network": "884213",
    "a date": "773311",
    "the profile": "sk-proj-abcdef1234567890abcdef",
    "the log": "662044",
    "the clipboard": "919191",
    "a search": "120934",
    "a password": "correct-horse-battery",
    "a page": "6222 0212 3456 7890 128",
}
OTP = "5550199"


def plant(phone: VirtualPhone, config: Config) -> None:
    """Put secrets wherever somebody can put text, before heed comes."""
    state = phone.state
    state.audio.play("com.spotify.music", f"password: {SECRETS['a title']}")
    state.network.join(f"pin is {SECRETS['a network']}")
    state.calendar.add(f"Bank, code is {SECRETS['a date']}", START + timedelta(hours=1))
    state.keyboard.put_on_clipboard(f"verification code {SECRETS['the clipboard']}")
    state.messages.store(OTP, f"Your card number is {SECRETS['a page']}")
    state.apps.install("a.shop", "Shop", screen="sign_in")
    config.collectors.profile.parent.mkdir(parents=True, exist_ok=True)
    config.collectors.profile.write_text(f"preferences: {{note: 'api key: {SECRETS['the profile']}'}}")
    line = {"time": (START - timedelta(days=1)).isoformat(), "action": f"typed PIN: {SECRETS['the log']}"}
    config.collectors.behaviour_log.parent.mkdir(parents=True, exist_ok=True)
    config.collectors.behaviour_log.write_text(json.dumps(line) + "\n")


@asynccontextmanager
async def watched(config: Config, device: Device, phone: VirtualPhone) -> AsyncIterator[tuple[Phone, Watcher]]:
    async with compose(config) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial))
        watcher = Watcher(
            one.agent,
            clock=one.clock,
            host=runtime.clock,
            triggers=one.triggers,
            dues=one.dues,
            upcoming=one.upcoming.due_triggers,
            record=one.recorder.run,
        )
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            await phone.state.log.followed()
            await phone.state.touchscreen.followed()
            await one.recorder.idle()
        yield one, watcher
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def deeds(phone: VirtualPhone) -> list[Callable[[], object]]:
    """What happens on the phone while heed monitors it."""
    state, screen = phone.state, phone.screen

    def tap(field: str) -> None:
        place = next(node for node in screen.app_window().root.walk() if node.resource == field).box.center
        state.touchscreen.touch(place)
        touch.tap(screen, state, *place)

    return [
        lambda: state.messages.receive(OTP, f"Your verification code is {SECRETS['an SMS']}"),
        lambda: state.notifications.post(
            "my.bank", "OTP", f"OTP {SECRETS['a notification']}", big_text=f"Card {SECRETS['its long text']}"
        ),
        lambda: state.open_app("com.google.android.apps.maps"),
        lambda: tap("search"),
        lambda: touch.type_text(state, f"code: {SECRETS['a search']}"),
        lambda: state.open_app("a.shop"),
        lambda: tap("password"),
        lambda: touch.type_text(state, SECRETS["a password"]),
        lambda: state.open_app("com.google.android.apps.messaging"),
        lambda: touch.home(state),
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names and addresses of machines that this process has asked for."""
    found: set[str] = set()
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connecting(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            found.add(str(address[0]))
        connect(self, address)

    def looking_up(host: Any, *arguments: Any, **more: Any) -> Any:
        found.add(str(host))
        return look_up(host, *arguments, **more)

    monkeypatch.setattr(socket.socket, "connect", connecting)
    monkeypatch.setattr(socket, "getaddrinfo", looking_up)
    return found


async def test_unless_it_is_configured_nobody_is_asked_but_this_machine(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, heed_home: Path, asked: set[str]
) -> None:
    async with watched(Config(bridge=BridgeConfig(port=adb_server.port)), device, phone) as (one, watcher):
        phone.state.clock.advance(2)
        phone.state.battery.set(level=14, charger="none")
        phone.state.messages.receive("+15550111", "How is the weather, and what does a dollar cost?")
        await one.agent.handle(Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 14}))
        await watcher.idle()
    assert asked <= {"127.0.0.1", "localhost"}
    assert asked


async def test_secrets_are_nowhere(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, heed_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    config = Config(bridge=BridgeConfig(port=adb_server.port))
    plant(phone, config)
    async with watched(config, device, phone) as (one, watcher):
        for deed in deeds(phone):
            phone.state.clock.advance(2)
            deed()
            await asyncio.sleep(0.5)
            await one.recorder.idle()
            await watcher.idle()
        context = await one.agent.read_context(Trigger(kind=TriggerKind.CLOCK))
    told = [str(render(context, language)) for language in Language]
    kept = [context.model_dump_json(), *told, caplog.text, str(Grounding(context).evidence(()))]
    stored = [path for path in heed_home.rglob("*") if path.is_file() and path.suffix != ".jpg"]
    stored = [path for path in stored if path not in (config.collectors.profile, config.collectors.behaviour_log)]
    kept += [path.read_bytes().decode("utf-8", "replace") for path in stored]
    assert any(path.name.startswith("journal") for path in stored)
    for place, secret in SECRETS.items():
        assert not any(secret in text for text in kept), f"the secret of {place} got out"
    # What heed itself wrote into the log, after the line that the owner had imported.
    lines = config.collectors.behaviour_log.read_text().splitlines()[1:]
    assert lines and not any(secret in line for line in lines for secret in SECRETS.values())
    assert "[code]" in kept[0]
