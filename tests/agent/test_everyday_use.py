"""Commands as they are used every day: beside a daemon, with options in either place, with mistakes in the settings."""

import json
import socket
from pathlib import Path

import pytest

from agent.maintenance import service
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.config import CollectorsConfig
from tests.agent.command import heed, says_one_sentence, write_config
from tests.agent.test_commands import daemon
from tests.phones import START, connected_device
from virtual_phone import PhoneState, VirtualPhone


@pytest.mark.parametrize("shown", ["WeChat", "wechat", "微信", " WeChat "])
def test_an_excluded_app_may_be_named_as_it_is_shown(shown: str) -> None:
    assert CollectorsConfig(excluded_apps=frozenset({shown})).excluded_apps == {"com.tencent.mm"}


def test_a_name_that_several_apps_have_excludes_all_of_them() -> None:
    excluded = CollectorsConfig(excluded_apps=frozenset({"Messages"})).excluded_apps
    assert {"com.google.android.apps.messaging", "com.android.mms", "com.samsung.android.messaging"} <= excluded


@pytest.mark.parametrize("name", ["MyBank", "my bank", "com.", "", "com.example/.Main", "com..x"])
async def test_an_excluded_app_that_is_neither_known_nor_a_package_is_refused(heed_home: Path, name: str) -> None:
    write_config(heed_home, f"[collectors]\nexcluded_apps = [{json.dumps(name)}]\n")
    ended = await heed("journal")
    assert ended.code == 2
    assert says_one_sentence(ended) and "package" in ended.err and "excluded_apps" in ended.err


async def test_doctor_warns_of_an_excluded_package_that_the_phone_does_not_have(
    heed_home: Path, adb_server: AdbServer, device: Device
) -> None:
    write_config(heed_home, '[collectors]\nexcluded_apps = ["com.wechat"]\n')
    checks = (await heed("doctor", "--json", port=adb_server.port)).data
    assert [one["result"] for one in checks if "com.wechat" in str(one["found"])] == ["warning"]


MISTAKES = {
    "a situation that is none": '[models.routines]\nsituations = ["no_such_situation"]\n',
    "a file of situations that is not there": '[models.routines]\nsituation_files = ["/nonexistent.yaml"]\n',
    "a source that is none": '[collectors]\ndisabled = ["no_such_source"]\n',
    "a model that is not there": '[models]\nreasoner = "llama"\n[models.llama]\nmodel = "/nonexistent.gguf"\n',
    "a journal that is a folder": '[journal]\npath = "/tmp"\n',
    "a behaviour log that is a folder": '[collectors]\nbehaviour_log = "/tmp"\n',
}


@pytest.mark.parametrize("mistake", MISTAKES)
async def test_doctor_finds_what_decide_refuses(
    heed_home: Path, adb_server: AdbServer, device: Device, mistake: str
) -> None:
    write_config(heed_home, MISTAKES[mistake])
    decided = await heed("decide", port=adb_server.port)
    examined = await heed("doctor", "--json", port=adb_server.port)
    assert says_one_sentence(decided) or decided.code == 0, decided.err
    assert (examined.code == 1) == (decided.code != 0), (decided.err, examined.out)


async def test_the_phone_is_chosen_before_the_command_too(adb_server: AdbServer) -> None:
    one, two = (VirtualPhone(PhoneState.standard(now=START)) for _ in range(2))
    async with connected_device(one, adb_server) as first, connected_device(two, adb_server) as second:
        for option in (("-s", second.serial), (f"--serial={second.serial}",), ("--serial", second.serial)):
            ended = await heed(*option, "collect", "--json", port=adb_server.port)
            assert ended.code == 0, ended.err
            assert ended.data["serial"] == second.serial
        nearer = await heed("-s", second.serial, "collect", "-s", first.serial, "--json", port=adb_server.port)
        assert nearer.data["serial"] == first.serial
        decided = await heed("-s", second.serial, "decide", "--json", port=adb_server.port)
        assert decided.data["serial"] == second.serial


async def test_a_serial_that_is_the_name_of_a_command_is_a_serial(adb_server: AdbServer, device: Device) -> None:
    ended = await heed("-s", "init", "collect", port=adb_server.port)
    assert ended.code == 3
    assert says_one_sentence(ended) and "init" in ended.err


async def test_beside_a_daemon_decide_and_a_dry_run_go_through_it(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    async with daemon(adb_server.port):
        decided = await heed("decide", "--json", port=adb_server.port)
        assert decided.code == 0, decided.err
        assert decided.data["serial"] == device.serial
        other = await heed("decide", "--reasoner", "routines", "--json", port=adb_server.port)
        assert other.code == 0, other.err
        planned = await heed("call", "set_display", "setting=dark_mode", "value=on", "--dry-run", port=adb_server.port)
        assert planned.code == 0, planned.err
        told = await heed("call", "set_power_saving_mode", "enabled=true", "--dry-run", "--json", port=adb_server.port)
        assert told.data["steps"][0]["commands"]
        wrong = await heed("call", "set_alarm", "time=never", "--dry-run", port=adb_server.port)
        assert wrong.code == 2
        recorded = (await heed("journal", "--json")).data
    assert not [entry for entry in recorded if entry["plan"]]
    assert not phone.state.power.saver


async def test_a_decision_of_now_is_the_same_when_it_is_replayed(
    heed_home: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    write_config(heed_home, '[models.routines]\nsituations = ["low_battery"]\n')
    phone.state.battery.set(level=9, charger="none")
    now = await heed("now", port=adb_server.port)
    assert now.code == 0, now.err
    entry = (await heed("journal", "--json")).data[0]
    assert entry["decision"]["recommendation"]["calls"]
    again = (await heed("replay", str(entry["decision"]["id"]), "--json")).data
    assert again["again"]["calls"] == again["recorded"]["calls"]
    assert again["again"]["rec"] == again["recorded"]["rec"]


async def test_a_wrong_variable_is_named_and_not_the_file(heed_home: Path) -> None:
    write_config(heed_home, "[policy]\nper_day = 2\n")
    ended = await heed("journal", HEED_POLICY__PER_DAY="many")
    assert ended.code == 2
    assert "HEED_POLICY__PER_DAY" in ended.err and "config.toml" not in ended.err
    port = await heed("journal", ANDROID_ADB_SERVER_PORT="70000")
    assert "ANDROID_ADB_SERVER_PORT" in port.err and "config.toml" not in port.err
    unknown = await heed("journal", HEED_POLICY__PER_WEEK="2")
    assert "HEED_POLICY__PER_WEEK" in unknown.err and "config.toml" not in unknown.err
    section = await heed("journal", HEED_POLICIES__PER_DAY="2")
    assert "HEED_POLICIES__PER_DAY" in section.err
    list_ = await heed("journal", HEED_COLLECTORS__EXCLUDED_APPS="my.bank")
    assert "HEED_COLLECTORS__EXCLUDED_APPS" in list_.err and "[" in list_.err
    language = await heed("journal", HEED_LANGUAGE="fr")
    assert "HEED_LANGUAGE" in language.err


async def test_a_wrong_field_of_the_file_is_told_with_the_file(heed_home: Path) -> None:
    path = write_config(heed_home, '[policy]\nper_day = "many"\n')
    ended = await heed("journal", HEED_POLICY__PER_HOUR="1")
    assert str(path) in ended.err and "HEED_" not in ended.err


async def test_a_taken_port_is_told_with_its_remedy(heed_home: Path, adb_server: AdbServer, device: Device) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        write_config(heed_home, f"[console]\nport = {port}\n")
        ended = await heed("run", port=adb_server.port)
    assert ended.code == 2
    assert says_one_sentence(ended) and str(port) in ended.err and "0" in ended.err.split("Set")[1]


async def test_a_program_that_is_no_adb_server_on_its_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = await heed("devices", port=port)
    assert ended.code in (1, 3)
    assert says_one_sentence(ended) and str(port) in ended.err and "ANDROID_ADB_SERVER_PORT" in ended.err


def test_the_unit_holds_the_home_and_the_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_HOME", '/srv/my "heed" 100%/$home\\x')
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5038")
    monkeypatch.setenv("HEED_POLICY__PER_DAY", "2")
    monkeypatch.setenv("HEED_MODELS__OPENAI__API_KEY", "sk-secret")
    text = service.unit("/usr/bin/python3", "")
    assert 'Environment="HEED_HOME=/srv/my \\"heed\\" 100%%/$home\\\\x"' in text
    assert 'Environment="ANDROID_ADB_SERVER_PORT=5038"' in text
    assert 'Environment="HEED_POLICY__PER_DAY=2"' in text
    assert "sk-secret" not in text and "API_KEY" not in text


def test_a_home_without_a_leading_slash_is_whole_in_the_unit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEED_HOME", "mine")
    assert f'Environment="HEED_HOME={tmp_path}/mine"' in service.unit("/usr/bin/python3", "")


def test_a_variable_of_several_lines_is_one_line_of_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_LANGUAGE", "en\nExecStartPre=/bin/false")
    text = service.unit("/usr/bin/python3", "")
    assert "\nExecStartPre" not in text


async def test_a_home_with_too_long_a_path_is_told_by_run_and_by_doctor(
    tmp_path: Path, adb_server: AdbServer, device: Device
) -> None:
    home = str(tmp_path / ("long" * 30))
    ran = await heed("run", port=adb_server.port, HEED_HOME=home)
    assert ran.code == 2 and says_one_sentence(ran) and "HEED_HOME" in ran.err
    assert (await heed("doctor", port=adb_server.port, HEED_HOME=home)).code == 1
