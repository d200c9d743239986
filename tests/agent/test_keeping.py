"""The commands for keeping heed running, and for taking away what it knows."""

import json
from pathlib import Path

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.screen_helper import JAR
from heed.messages import text_from
from tests.agent.command import heed, write_config
from virtual_phone import VirtualPhone

LOG = [
    {
        "time": f"2026-01-{day:02}T22:00:00+08:00",
        "location": "Home",
        "action": "At 22:00, she turned on Do Not Disturb.",
    }
    for day in range(1, 29)
]


def write_log(path: Path) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in LOG))
    return path


async def test_habits_are_listed_with_their_lines_and_can_be_switched_off(tmp_path: Path, heed_home: Path) -> None:
    write_config(heed_home, f'[collectors]\nbehaviour_log = "{write_log(tmp_path / "log.jsonl")}"\n')
    listed = (await heed("habits", "--json")).data
    assert [habit["function"] for habit in listed] == ["set_do_not_disturb"]
    assert len(listed[0]["evidence"]) >= 20
    assert (await heed("habits", listed[0]["id"], "--off")).code == 0
    assert (await heed("habits", "--json")).data[0]["enabled"] is False
    assert (await heed("habits", "nosuchhabit")).code == 2


async def test_doctor_reports_an_error_with_its_fix(adb_server: AdbServer) -> None:
    ended = await heed("doctor", "--json", port=adb_server.port)
    assert ended.code == 1
    errors = [check for check in ended.data if check["result"] == "error"]
    assert [check["name"] for check in errors] == ["phone"]
    assert errors[0]["fix"]


async def test_doctor_reports_no_error_with_a_phone(adb_server: AdbServer, device: Device) -> None:
    ended = await heed("doctor", port=adb_server.port)
    assert ended.code == 0, ended.out
    assert "Android 14" in ended.out


async def test_doctor_tells_what_is_left_on_a_phone_and_removes_it(adb_server: AdbServer, device: Device) -> None:
    async def left(*options: str) -> tuple[str, str]:
        checks = (await heed("doctor", "--json", *options, port=adb_server.port)).data
        found = {str(text_from(one["name"])): (one["result"], str(text_from(one["found"]))) for one in checks}
        return found[f"left on {device.serial}"]

    assert await left() == ("ok", "nothing of heed")
    await device.push(b"x", JAR)
    assert await left() == ("warning", JAR)
    assert await left("--clean-phone") == ("ok", "nothing of heed")
    assert not (await device.shell("ls /data/local/tmp")).stdout


async def test_everything_can_be_forgotten_and_it_is_proved(
    tmp_path: Path, heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    log = write_log(tmp_path / "log.jsonl")
    write_config(heed_home, f'[collectors]\nbehaviour_log = "{log}"\n')
    await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    assert len((await heed("journal", "--json")).data) == 1
    report = (await heed("forget", "--everything", "--yes", "--json")).data
    assert all(place["left"] == 0 for place in report["places"])
    assert not log.exists()
    assert (await heed("journal", "--json")).data == []


async def test_forget_before_a_date_keeps_newer_entries(tmp_path: Path, heed_home: Path) -> None:
    log = write_log(tmp_path / "log.jsonl")
    write_config(heed_home, f'[collectors]\nbehaviour_log = "{log}"\n')
    report = (await heed("forget", "--before", "2026-01-15", "--yes", "--json")).data
    assert all(place["left"] == 0 for place in report["places"])
    assert log.read_text().count("\n") in (13, 14)


async def test_text_from_one_app_is_gone_from_the_journals_file(
    heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    phone.state.messages.receive("+8615022334455", "the zebra eats at midnight")
    await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    journal = heed_home / "data" / "journal.sqlite3"
    assert b"zebra" in journal.read_bytes()
    report = (await heed("forget", "--app", "com.google.android.apps.messaging", "--yes", "--json")).data
    assert all(place["left"] == 0 for place in report["places"])
    assert b"zebra" not in journal.read_bytes()


async def test_a_decision_is_made_again_from_the_record(
    adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    decision = (await heed("journal", "--json")).data[0]["decision"]["id"]
    again = (await heed("replay", str(decision), "--json")).data
    assert again["recorded"]["reasoner"] == "owner"
    assert again["again"]["reasoner"] == "routines"


async def test_the_unit_runs_this_python_and_quotes_the_serial() -> None:
    text = (await heed("service", "print", "-s", 'odd "serial"%n')).out
    assert '--serial "odd \\"serial\\"%%n"' in text
    assert " -m heed run --wait " in text


async def test_config_shows_what_is_in_force_and_no_secret(heed_home: Path) -> None:
    write_config(heed_home, '[policy]\nper_day = 2\n[models.openai]\napi_key = "sk-verysecret"\n')
    ended = await heed("config")
    assert "policy.per_day = 2" in ended.out
    assert "verysecret" not in ended.out
