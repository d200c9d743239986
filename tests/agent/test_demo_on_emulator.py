"""``heed demo --emulator``: a scenario through the emulator's console and adb, monitored by the real agent."""

import json
from pathlib import Path

from android_bridge.adb import AdbServer
from tests.agent.command import heed, says_one_sentence
from tests.phones import connected_device
from virtual_phone import VirtualPhone

DAY = """
name: small
start: 2026-02-06T14:00:00+08:00
state: {battery: 60, charger: none}
timeline:
  - {at: "14:10", note: A pair of headphones, bluetooth: {device: Buds, connected: false}}
  - {at: "14:30", note: Low, battery: {level: 15}, expect: set_power_saving_mode, answer: once}
  - {at: "14:40", note: Not so low after all, advance: {minutes: 1}, take_back: set_power_saving_mode}
"""


async def test_a_day_on_an_emulator_is_monitored_answered_and_undone(
    phone: VirtualPhone, adb_server: AdbServer, tmp_path: Path
) -> None:
    path = tmp_path / "day.yaml"
    path.write_text(DAY, "utf-8")
    async with connected_device(phone, adb_server, emulated=True) as device:
        day = ("demo", "--emulator", device.serial, "--scenario", str(path), "--json")
        ended = await heed(*day, port=adb_server.port)
    assert ended.code == 0, ended.err
    assert "14:10 bluetooth is left out: An emulator has no Bluetooth devices." in ended.err
    headphones, low, back = json.loads(ended.out)
    assert headphones["sentence"] == back["sentence"] == ""
    assert (low["answer"], [outcome["kind"] for outcome in low["outcomes"]]) == ("once", ["verified"])
    assert phone.state.battery.level == 15
    assert not phone.state.power.saver


async def test_a_phone_that_is_no_emulator_is_refused_at_once(adb_server: AdbServer) -> None:
    ended = await heed("demo", "--emulator", "R5CT1234", port=adb_server.port)
    assert ended.code == 2
    assert says_one_sentence(ended)
    ended = await heed("demo", "--emulator", "emulator-5554", port=adb_server.port)
    assert ended.code == 3
    assert says_one_sentence(ended)
