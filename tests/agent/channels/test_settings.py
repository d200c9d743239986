"""What is switched on, what is refused, and what `heed doctor`, `heed status` and the log say."""

import logging
import shutil
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from agent.channels.config import ChannelsConfig
from agent.channels.extras import optional
from agent.channels.registry import load_services, service_classes
from agent.config import load
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed import logs
from heed.errors import UsageError
from tests.agent.channels.asked import asked
from tests.agent.channels.desktop_server import address
from tests.agent.channels.drivers import DRIVERS, DesktopDriver, Driver, TelegramDriver
from tests.agent.channels.servers import TelegramServer
from tests.agent.command import heed, write_config
from virtual_phone import VirtualPhone

TELEGRAM = """
[channels.telegram]
enabled = true
token = "{token}"
chat = {chat}
url = "{url}"
"""


def config(**sections: Any) -> ChannelsConfig:
    return ChannelsConfig.model_validate(sections)


def test_every_channel_is_off_by_default() -> None:
    assert load_services(ChannelsConfig()) == ()


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"ntfy": {"enabled": True}}, r"needs channels\.ntfy\.url"),
        ({"ntfy": {"enabled": True, "url": "http://localhost"}}, r"needs channels\.ntfy\.topic"),
        ({"telegram": {"enabled": True}}, r"needs channels\.telegram\.token"),
        ({"telegram": {"enabled": True, "token": "1:a", "chat": -5}}, r"needs channels\.telegram\.users"),
        ({"home_assistant": {"enabled": True, "url": "http://ha", "token": "a"}}, r"channels\.home_assistant\.notify"),
        ({"telegramm": {"enabled": True}}, "no channel called 'telegramm'"),
    ],
)
def test_what_is_missing_is_named(sections: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_services(config(**sections))


@pytest.mark.parametrize(("value", "told"), [("no.such.module:X", "cannot be loaded"), ("os:environ", "not a channel")])
def test_a_faulty_plug_in_is_named(value: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        service_classes([EntryPoint("bad", value, "heed.channels")])


def test_a_channel_that_there_is_already_is_refused() -> None:
    twice = [EntryPoint(name, "agent.channels.builtin:SERVICES", "heed.channels") for name in ("one", "two")]
    with pytest.raises(UsageError, match="there is already"):
        service_classes(twice)


def test_a_library_that_is_not_installed_is_told_with_its_extra() -> None:
    with pytest.raises(UsageError, match=r"pip install 'heed-android\[channels\]'"):
        optional("no_such_library", "channels")


def test_a_token_comes_from_the_environment_and_is_printed_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_CHANNELS__TELEGRAM__TOKEN", "123:secret")
    settings = load()
    assert settings.channels.telegram.token.get_secret_value() == "123:secret"
    assert "secret" not in settings.model_dump_json() + repr(settings)


async def test_the_configuration_that_is_printed_hides_tokens(heed_home: Path) -> None:
    write_config(heed_home, TELEGRAM.format(token="123:hidden", chat=1, url="http://127.0.0.1:1"))
    printed = await heed("config")
    assert printed.code == 0, printed.err
    assert "123:hidden" not in printed.out


@pytest.mark.parametrize("made", DRIVERS, ids=lambda driver: driver.name)
async def test_doctor_asks_the_service_whether_it_can_be_used(
    made: type[Driver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if made is DesktopDriver and not shutil.which("dbus-daemon"):
        pytest.skip("dbus-daemon is not installed")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address(tmp_path))
    driver = made(tmp_path)
    async with driver.serving():
        (loaded,) = load_services(config(**driver.section()))
        await loaded.service.check()
        await loaded.service.aclose()
        assert driver.messages() == []


async def test_doctor_tells_a_wrong_chat_in_telegrams_own_words(
    heed_home: Path, adb_server: AdbServer, device: Device
) -> None:
    server = TelegramServer()
    write_config(heed_home, TELEGRAM.format(token=TelegramServer.BOT, chat=1, url=server.url))
    async with server.serving():
        ended = await heed("doctor", "--json", port=adb_server.port)
    (check,) = [check for check in ended.data if check["name"] == "channel telegram"]
    assert check["result"] == "warning"
    assert check["found"] == "Telegram refused: Bad Request: chat not found."


async def test_status_shows_each_channel_and_why_it_fails(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    driver = TelegramDriver(tmp_path)
    async with asked(tmp_path, adb_server, phone, driver.section()) as one:
        await one.house.until(lambda: one.state_of("telegram") == "failing")
        dead = await heed("status")
        async with driver.serving():
            await one.house.until(lambda: one.state_of("telegram") == "working")
            alive = await heed("status")
    assert "channel telegram  failing  Telegram did not answer" in dead.out
    assert "channel telegram  working" in alive.out


async def test_no_log_at_any_level_holds_a_token_or_a_code(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, caplog: pytest.LogCaptureFixture
) -> None:
    driver = TelegramDriver(tmp_path)
    before = logging.getLogger().handlers[:], logging.getLogger().level
    try:
        logs.configure("DEBUG")
        caplog.set_level(logging.DEBUG)
        logging.getLogger().addHandler(caplog.handler)
        async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
            one.low_battery()
            await one.house.until(driver.messages)
            codes = driver.messages()[-1].buttons.values()
            await driver.press(next(iter(codes)))
            await one.answered()
    finally:
        logging.getLogger().handlers[:], _ = before
        logging.getLogger().setLevel(before[1])
    assert "secret-of-the-bot" not in caplog.text
    assert not [code for code in codes if code in caplog.text]


async def test_strangers_in_telegram_cannot_answer(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> None:
    driver = TelegramDriver(tmp_path)
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        one.low_battery()
        await one.house.until(driver.messages)
        code = driver.messages()[-1].buttons["once"]
        driver.server.press(code, by=666)
        driver.server.press(code, chat=666)
        await one.house.until(lambda: len(driver.server.popups) == 2)
        assert all("text" not in popup for popup in driver.server.popups)
        assert one.answers == []
        assert driver.open() == 1
