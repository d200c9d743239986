"""``heed doctor --record`` on a virtual phone that is full of private values."""

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from agent.recording.bundle import OUTPUTS, Manifest, read_manifest, unread
from agent.recording.recorded import recorded_readers
from agent.recording.recorder import record
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.notifications import NOTIFICATIONS, parse_notifications
from android_bridge.facts.reader import Reader
from collectors.sources.senders import CONTACTS
from executors.capability import WRITES_SETTINGS
from heed.errors import ExitCode
from tests.agent.command import heed
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone


class Planted(NamedTuple):
    """The private values of one owner."""

    language: Literal["en", "zh"]
    name: str
    number: str
    network: str
    address: str
    text: str
    headset: str


ENGLISH = Planted(
    "en", "Theodora Quill", "+44 7700 900 123", "Quillery Upstairs", "17 Larkspur Crescent, Leeds",
    "Theodora left the gate code 7391 with Barnaby, Bcc quill.t@larkspur.example", "Theodora's Earbuds",
)  # fmt: skip
CHINESE = Planted(
    "zh", "欧阳静怡", "13918273645", "欧阳家的网", "长乐路1088弄3号502室",
    "静怡说验证码739182，邮箱ouyang@larkspur.example", "静怡的耳机",
)  # fmt: skip
SERIAL, IMEI, MAC, ANDROID_ID = "R5CT90XKZ1K", "356938035643809", "9c:5a:81:3e:77:d2", "8f3a1c5be7d29046"
ACCOUNT, LATITUDE, LONGITUDE = "quill.theodora@larkspur.example", 53.80671, -1.55523
OF_THE_PHONE = (SERIAL, IMEI, MAC, ANDROID_ID, ACCOUNT, str(LATITUDE), str(LONGITUDE), "192.168.77.41", "larkspur")


def owned(planted: Planted) -> PhoneState:
    """A phone with the values of ``planted`` in every place that heed reads."""
    state = PhoneState.standard(now=START, language=planted.language, serial=SERIAL)
    state.clock.freeze()
    state.contacts.add(planted.name, planted.number, ACCOUNT)
    state.messages.receive(planted.number, planted.text)
    state.messages.receive("+86 10 8765 4321", f"{planted.name}: {planted.address}")
    state.calls.ring(planted.number)
    state.calls.hang_up()
    state.calendar.add(planted.name, START + timedelta(hours=2), location=planted.address, description=planted.text)
    state.notifications.post(
        "com.whatsapp",
        planted.name,
        planted.text,
        tag=planted.number,
        category="msg",
        conversation=planted.name,
        big_text=f"{planted.text}\n{planted.name}",
    )
    state.audio.play("com.spotify.music", f"{planted.name} (live)", planted.name)
    state.network.ssid = planted.network
    state.bluetooth.name, state.bluetooth.address = f"{planted.name} Pixel", MAC.upper()
    state.bluetooth.connect(planted.headset)
    state.location.move(LATITUDE, LONGITUDE)
    state.identity.properties |= {
        "ro.ril.oem.imei": IMEI, "ro.boot.wifimacaddr": MAC, "net.hostname": planted.name,
        "dhcp.wlan0.ip": "192.168.77.41",
    }  # fmt: skip
    for namespace, key, value in (
        ("global", "device_name", f"{planted.name} Pixel"),
        ("secure", "bluetooth_name", planted.headset),
        ("secure", "android_id", ANDROID_ID),
        ("secure", "lock_screen_owner_info", f"{planted.name} {planted.number}"),
        ("system", "last_account", ACCOUNT),
    ):
        state.settings.store(namespace, key, value)
    return state


@pytest.fixture(params=[ENGLISH, CHINESE], ids=["English", "Chinese"])
def planted(request: pytest.FixtureRequest) -> Planted:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
async def phone_of(planted: Planted, adb_server: AdbServer) -> AsyncIterator[tuple[VirtualPhone, Device]]:
    phone = VirtualPhone(owned(planted))
    async with phone.connected(adb_server) as serial:
        yield phone, Device(adb_server, serial)


def kept(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.is_file())


def survivors(text: str, planted: Planted) -> list[str]:
    """The private values that stand in ``text``, or whose words or digits do."""
    words = {
        word for value in (planted.name, planted.address, planted.headset) for word in re.findall(r"[^\W\d]{4,}", value)
    }
    values = {*planted[1:], *OF_THE_PHONE, "Theodora", "Barnaby", "739182", "静怡", *words} - {"Earbuds"}
    digits = re.sub(r"[ +]", "", planted.number)[-9:]
    plain = re.sub(r"(?<=\d)[ -](?=\d)", "", text)
    return sorted(value for value in values if value.casefold() in text.casefold()) + [digits] * (digits in plain)


async def test_no_private_value_survives_and_every_reader_reads_as_before(
    planted: Planted, phone_of: tuple[VirtualPhone, Device], adb_server: AdbServer, tmp_path: Path
) -> None:
    phone, device = phone_of
    folder = tmp_path / "bundle"
    printed = "\n".join([(await device.shell(reader.command)).text for reader in recorded_readers()])
    assert len(survivors(printed, planted)) > 10, "the values were not planted"
    ended = await heed("doctor", "--record", str(folder), "--yes", port=adb_server.port)
    assert ended.code == 0, ended.err
    assert survivors(kept(folder) + ended.out, planted) == []
    assert str(folder / OUTPUTS) in ended.out
    manifest = read_manifest(folder)
    assert manifest.complete and not manifest.not_recorded
    assert [output.file for output in manifest.outputs if output.changed] == []
    assert unread(folder, recorded_readers()) == []
    assert len(manifest.outputs) == len({reader.command for reader in recorded_readers()})
    assert phone.state.settings.get("system", "heed_probe") is None


async def test_the_same_number_becomes_the_same_invented_one_everywhere(
    planted: Planted, phone_of: tuple[VirtualPhone, Device]
) -> None:
    _, device = phone_of
    recording = await record(device, [CONTACTS, NOTIFICATIONS])
    people = CONTACTS.parse(recording.texts[CONTACTS.command])
    before = await device.read(CONTACTS)
    place = next(at for at, row in enumerate(before.items) if row["data1"] == planted.number)
    invented = str(people.items[place]["data1"])
    assert re.sub(r"\d", "0", invented) == re.sub(r"\d", "0", planted.number)
    assert people.items[place]["display_name"] != planted.name
    notes = parse_notifications(recording.texts[NOTIFICATIONS.command]).items
    chat = next(note for note in notes if note.package == "com.whatsapp")
    assert chat.title == people.items[place]["display_name"]
    assert chat.text is not None and len(chat.text) == len(planted.text)


async def test_what_is_not_confirmed_is_deleted(device: Device, adb_server: AdbServer, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    ended = await heed("doctor", "--record", str(folder), port=adb_server.port)
    assert ended.code == ExitCode.DECLINED
    assert not folder.exists()


async def test_a_folder_with_files_is_left_alone(tmp_path: Path, adb_server: AdbServer) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    ended = await heed("doctor", "--record", str(tmp_path), "--yes", port=adb_server.port)
    assert ended.code == ExitCode.USAGE
    assert (tmp_path / "mine.txt").read_text() == "mine"


async def test_a_phone_that_is_unplugged_keeps_what_was_read(phone: VirtualPhone, adb_server: AdbServer) -> None:
    async with phone.connected(adb_server) as serial:
        device = Device(adb_server, serial)
        await device.read(BATTERY)

        class Unplugging(Device):
            async def shell(self, line: str, *, timeout: float | None = None):  # type: ignore[no-untyped-def]
                if line == CLOCK.command:
                    phone.faults.offline = True
                    await phone.unplug()
                return await super().shell(line, timeout=timeout)

        recording = await record(Unplugging(adb_server, serial), [BATTERY, CLOCK, CONTACTS], limit=5.0)
    assert [output.command for output in recording.manifest.outputs] == [BATTERY.command]
    assert not recording.manifest.complete
    assert [one.command for one in recording.manifest.not_recorded] == [CLOCK.command, CONTACTS.command]


async def test_a_command_without_end_is_left_out_and_the_next_one_runs(device: Device) -> None:
    endless = Reader("endless", "sleep 60", str)
    recording = await record(device, [endless, BATTERY], limit=1.0)
    assert [output.command for output in recording.manifest.outputs] == [BATTERY.command]
    assert recording.manifest.complete
    assert "sleep" in recording.manifest.not_recorded[0].command


def test_no_command_that_writes_is_recorded() -> None:
    assert WRITES_SETTINGS.reader not in recorded_readers()
    commands = " ".join(reader.command for reader in recorded_readers())
    assert not re.search(r"\b(?:put|delete|insert|update|am start|input |svc )\b", commands)


async def test_a_manifest_says_what_was_replaced_and_not_by_what(phone_of: tuple[VirtualPhone, Device]) -> None:
    _, device = phone_of
    manifest = (await record(device, [CONTACTS])).manifest
    assert manifest.replaced["phone number"] > 0
    assert Manifest.model_validate_json(manifest.model_dump_json()) == manifest
    assert set(json.loads(manifest.model_dump_json())) == set(Manifest.model_fields)
