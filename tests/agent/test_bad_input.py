"""Bad input gets a clear sentence with the remedy and the right exit code, and loses nothing."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.agent.command import heed, says_one_sentence, start, write_config
from tests.phones import START, connected_device, free_port
from virtual_phone import PhoneState, VirtualPhone


async def test_without_adb_the_remedy_is_to_install_it() -> None:
    ended = await heed("devices", port=free_port(), ADBUTILS_ADB_PATH="/nonexistent/adb")
    assert ended.code == 3
    assert says_one_sentence(ended)
    assert "adb" in ended.err
    assert "Install" in ended.err


async def test_without_a_phone_the_remedy_is_to_connect_one(adb_server: AdbServer) -> None:
    ended = await heed("decide", port=adb_server.port)
    assert ended.code == 3
    assert says_one_sentence(ended)
    assert "heed phone" in ended.err


async def test_of_two_phones_both_are_named_and_s_chooses(adb_server: AdbServer) -> None:
    one, two = (VirtualPhone(PhoneState.standard(now=START)) for _ in range(2))
    async with connected_device(one, adb_server) as first, connected_device(two, adb_server) as second:
        ended = await heed("collect", port=adb_server.port)
        assert ended.code == 3
        assert says_one_sentence(ended)
        assert first.serial in ended.err
        assert second.serial in ended.err
        assert (await heed("collect", "-s", first.serial, "--json", port=adb_server.port)).code == 0


async def test_an_unknown_serial_is_told_what_there_is(adb_server: AdbServer, device: Device) -> None:
    ended = await heed("collect", "-s", "nosuchphone", port=adb_server.port)
    assert ended.code == 3
    assert device.serial in ended.err


async def test_broken_toml_is_told_with_file_and_place(heed_home: Path) -> None:
    path = write_config(heed_home, 'language = "en\n')
    ended = await heed("journal")
    assert ended.code == 2
    assert says_one_sentence(ended)
    assert str(path) in ended.err
    assert "line 1" in ended.err


async def test_a_wrong_field_is_named(heed_home: Path) -> None:
    write_config(heed_home, "[policy]\nper_day = -1\n")
    ended = await heed("journal")
    assert ended.code == 2
    assert "policy.per_day" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set_power_saving"], ["set_power_saving_mode"]),
        (["set_power_saving_mode"], ["set_power_saving_mode", "enabled"]),
        (["set_do_not_disturb", "mode=sleepy"], ["mode", "priority", "alarms_only"]),
        (["set_do_not_disturb", "priority"], ["parameter=value"]),
    ],
)
async def test_a_call_that_does_not_fit_is_told_why(
    arguments: list[str], words: list[str], adb_server: AdbServer, device: Device
) -> None:
    ended = await heed("call", *arguments, port=adb_server.port)
    assert ended.code == 2
    assert says_one_sentence(ended)
    for word in words:
        assert word in ended.err


async def test_a_call_that_the_phone_cannot_do_is_refused_and_never_faked(
    adb_server: AdbServer, device: Device
) -> None:
    ended = await heed("call", "launch_app", "app_name=Nonesuch", "--yes", port=adb_server.port)
    assert ended.code == 1
    assert says_one_sentence(ended)
    assert "no app called 'Nonesuch'" in ended.err


async def test_without_consent_nothing_is_done(adb_server: AdbServer, device: Device, phone: VirtualPhone) -> None:
    ended = await heed("call", "set_power_saving_mode", "enabled=true", port=adb_server.port)
    assert ended.code == 4
    assert "--yes" in ended.err
    assert not phone.state.power.saver


@pytest.mark.parametrize("content", [None, b"GGUF", b"not a model at all" * 50])
async def test_a_missing_or_broken_model_is_told(
    content: bytes | None, tmp_path: Path, adb_server: AdbServer, device: Device
) -> None:
    model = tmp_path / "model.gguf"
    if content is not None:
        model.write_bytes(content)
    ended = await heed("decide", "--reasoner", "llama", "--model", str(model), "--json", port=adb_server.port)
    assert ended.code == 1
    assert says_one_sentence(ended)
    assert str(model) in ended.err


async def test_a_phone_unplugged_in_the_middle_is_asked_when_it_is_back(
    adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with AsyncExitStack() as line:
        device = await line.enter_async_context(connected_device(phone, adb_server))
        port = phone.port
        call = ("call", "set_power_saving_mode", "enabled=true", "--yes")
        command = asyncio.create_task(heed(*call, port=adb_server.port))
        async with asyncio.timeout(60):
            # The phone's state tells nobody when it changes.
            while not phone.state.power.saver:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        await line.aclose()
        ended = await command
    assert ended.code == 1
    assert "Traceback" not in ended.err
    begun = (await heed("journal", "--json")).data[0]["actions"][0]
    assert begun["state"] in ("started", "performed")

    async with phone.connected(adb_server, port=port):
        assert (await heed("now", "-s", device.serial, port=adb_server.port)).code == 0
        known = (await heed("journal", "--json")).data[-1]["actions"][0]
        assert known["state"] == "interrupted"
        assert known["outcome"]["kind"] == "verified"
        assert (await heed("undo", str(known["id"]), port=adb_server.port)).code == 0
        assert not phone.state.power.saver


async def test_ctrl_c_ends_without_a_traceback(adb_server: AdbServer, device: Device) -> None:
    process = await start("run", port=adb_server.port)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        await process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in err


async def test_an_answer_that_has_expired_begins_nothing(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    call = ("call", "set_power_saving_mode", "enabled=true", "--yes")
    ended = await heed(*call, port=adb_server.port, HEED_CONSENT__VALID_FOR="0.000000001")
    assert ended.code == 1
    assert "expired" in ended.out
    assert not phone.state.power.saver
    assert (await heed("journal", "--json")).data[0]["actions"][0]["outcome"]["kind"] == "refused"


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (("undo", "99999999999999999999"), {}),
        (("export", "/nonexistent/x.json"), {}),
        (("init", "--config", "/proc/x/y.toml"), {}),
        (("status",), {"HEED_LOG_LEVEL": "LOUD"}),
        (("devices",), {"ANDROID_ADB_SERVER_PORT": "abc"}),
        (("journal",), {"HEED_HOME": "/proc/x"}),
    ],
)
async def test_what_cannot_be_is_wrong_usage_and_no_traceback(
    arguments: tuple[str, ...], environment: dict[str, Any]
) -> None:
    ended = await heed(*arguments, **environment)
    assert ended.code == 2
    assert "Traceback" not in ended.err
