"""Entities in Home Assistant, through a real MQTT broker."""

import asyncio
import contextlib
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from android_bridge.adb import AdbServer
from tests.agent.channels.asked import asked
from tests.phones import free_port
from virtual_phone import VirtualPhone

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin")
PASSWORD = shutil.which("mosquitto_passwd")
pytestmark = pytest.mark.skipif(not MOSQUITTO, reason="mosquitto is not installed")
USER = {"username": "heed", "password": "right"}


class Switch:
    """What pausing does, until `heed pause` does it."""

    def __init__(self) -> None:
        self.paused = False

    async def pause(self) -> None:
        self.paused = True

    async def resume(self) -> None:
        self.paused = False


class Broker:
    """A real broker with one user."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.retained: dict[str, str] = {}

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        (self.folder / "users").write_text("heed:right\n", encoding="utf-8")
        convert = await asyncio.create_subprocess_exec(str(PASSWORD), "-U", str(self.folder / "users"))
        assert await convert.wait() == 0
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {self.folder / 'users'}\n"
            "user root\npersistence false\n",
            encoding="utf-8",
        )
        process = await asyncio.create_subprocess_exec(
            str(MOSQUITTO), "-c", str(configuration), stderr=asyncio.subprocess.DEVNULL
        )
        try:
            async with asyncio.timeout(30):
                while not await self._answers():  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            yield
        finally:
            process.terminate()
            await process.wait()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[aiomqtt.Client]:
        """A client as Home Assistant is one: it sees everything that is retained."""
        async with aiomqtt.Client("127.0.0.1", self.port, **USER) as client:  # type: ignore[arg-type]
            await client.subscribe("#")
            reading = asyncio.create_task(self._read(client))
            try:
                yield client
            finally:
                reading.cancel()

    def entity(self, kind: str) -> dict[str, Any]:
        """The announcement of an entity, by the end of its name."""
        found = [text for topic, text in self.retained.items() if topic.endswith(f"{kind}/config")]
        return dict(json.loads(found[0])) if found else {}

    def state(self, kind: str) -> str | None:
        """The state of an entity, as Home Assistant reads it."""
        return self.retained.get(self.entity(kind).get("state_topic", ""))

    async def _read(self, client: aiomqtt.Client) -> None:
        with contextlib.suppress(aiomqtt.MqttError):
            async for message in client.messages:
                self.retained[str(message.topic)] = bytes(message.payload).decode()

    async def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.close()
            return True
        return False


def section(broker: Broker, **more: Any) -> dict[str, Any]:
    return {"mqtt": {"enabled": True, "host": "127.0.0.1", "port": broker.port, **USER, **more}}


async def test_battery_last_suggestion_and_availability_are_there(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    broker = Broker(tmp_path)
    async with broker.serving(), broker.watched():
        async with asked(tmp_path, adb_server, phone, section(broker)) as one, one.house.signed_in() as page:
            one.low_battery()
            await one.house.question(page)
            await one.house.until(lambda: broker.state("battery") == "15")
            await one.house.until(lambda: broker.state("suggestion"))
            assert "battery saver" in str(broker.state("suggestion"))
            battery = broker.entity("battery")
            assert (battery["device_class"], battery["unit_of_measurement"]) == ("battery", "%")
            assert battery["device"]["name"] == "Google Pixel 8"
            assert broker.retained["heed/available"] == "online"
            assert broker.entity("pause") == {}
        await one.house.until(lambda: broker.retained["heed/available"] == "offline")


async def test_the_switch_pauses_and_resumes_and_shows_what_was_paused_elsewhere(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    broker, switch = Broker(tmp_path), Switch()
    async with (
        broker.serving(),
        broker.watched() as home,
        asked(tmp_path, adb_server, phone, section(broker), pause=switch) as one,
    ):
        await one.house.until(lambda: broker.state("pause") == "OFF")
        await home.publish(broker.entity("pause")["command_topic"], "ON")
        await one.house.until(lambda: switch.paused and broker.state("pause") == "ON")
        await home.publish(broker.entity("pause")["command_topic"], "OFF")
        await one.house.until(lambda: not switch.paused and broker.state("pause") == "OFF")
        switch.paused = True
        await one.house.until(lambda: broker.state("pause") == "ON")


async def test_what_others_wrote_is_not_published(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> None:
    broker = Broker(tmp_path)
    async with (
        broker.serving(),
        broker.watched(),
        asked(tmp_path, adb_server, phone, section(broker)) as one,
        one.house.signed_in() as page,
    ):
        one.someone_wrote()
        await one.house.question(page)
        await one.house.until(lambda: broker.state("suggestion"))
        assert "Bob" not in "".join(broker.retained.values())


async def test_a_wrong_password_is_told(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> None:
    broker = Broker(tmp_path)
    async with broker.serving(), asked(tmp_path, adb_server, phone, section(broker, password="wrong")) as one:
        await one.house.until(lambda: one.state_of("mqtt") == "failing")
        assert "Are its address, user and password right?" in one.reason_of("mqtt")


async def test_a_broker_that_comes_back_is_told_everything_again(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    broker = Broker(tmp_path)
    async with asked(tmp_path, adb_server, phone, section(broker)) as one, one.house.signed_in() as page:
        await one.house.until(lambda: one.state_of("mqtt") == "failing")
        one.low_battery()
        await one.house.question(page)
        async with broker.serving(), broker.watched():
            await one.house.until(lambda: broker.state("battery") == "15")
        await one.house.until(lambda: one.state_of("mqtt") == "failing")
        async with broker.serving(), broker.watched():
            broker.retained.clear()
            await one.house.until(lambda: broker.state("battery") == "15")
