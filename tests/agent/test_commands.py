"""The commands as a person runs them, on a virtual phone behind the real adb server."""

import asyncio
import itertools
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from agent.config import Config
from agent.journal import stores_in
from agent.policy.grants import StepField, scope_of
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from function_pool.validation import validate
from models.llama import tiny
from models.reasoner import Recommendation
from tests.agent.command import heed, monitors, start, write_config
from tests.agent.make import NOON, plan, step
from tests.proof import examples
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.ui import touch

AFTER_THE_LOG = datetime(2026, 2, 2, 16, 20, tzinfo=timezone(timedelta(hours=8)))
"""The logs of the benchmark end on 2026-02-01."""


async def test_init_without_a_terminal_writes_defaults_and_keeps_what_is_there(heed_home: Path) -> None:
    ended = await heed("init")
    assert ended.code == 0
    path = heed_home / "config" / "config.toml"
    assert str(path) in ended.out
    assert (heed_home / "config" / "profile.yaml").exists()
    path.write_text('language = "zh"\n')
    again = await heed("init")
    assert again.code == 2
    assert "--force" in again.err
    assert path.read_text() == 'language = "zh"\n'
    assert (await heed("journal")).code == 0


async def test_devices_lists_what_adb_knows(adb_server: AdbServer, device: Device) -> None:
    assert (await heed("devices", "--json", port=adb_server.port)).data == [
        {"serial": device.serial, "name": "", "state": "device"}
    ]


async def test_collect_prints_four_dimensions(adb_server: AdbServer, device: Device, phone: VirtualPhone) -> None:
    phone.state.battery.set(level=37, charger="none")
    ended = await heed("collect", port=adb_server.port)
    assert ended.code == 0
    for heading in ("profile", "device", "world", "trajectory"):
        assert heading in ended.out
    assert "37" in ended.out
    chinese = await heed("collect", "--language", "zh", "--dimension", "device", port=adb_server.port)
    assert "37%" in chinese.out
    assert "world" not in chinese.out


async def test_a_low_battery_recommends_what_the_log_shows_and_nothing_without_a_log(
    shared: Path, heed_home: Path, tmp_path: Path, adb_server: AdbServer
) -> None:
    log, empty = shared / "bench/knowu/logs/developer.clean.jsonl", tmp_path / "empty.jsonl"
    empty.touch()
    state = PhoneState.standard(now=AFTER_THE_LOG)
    state.battery.set(level=15, charger="none")
    async with VirtualPhone(state).connected(adb_server):
        write_config(heed_home, f'[collectors]\nbehaviour_log = "{log}"\n')
        _cites_the_log((await heed("decide", "--json", port=adb_server.port)).data, log)
        off = "[models.routines]\nsituations = []\n"
        write_config(heed_home, f'[collectors]\nbehaviour_log = "{empty}"\n{off}')
        assert (await heed("decide", "--json", port=adb_server.port)).data["decision"] == "silent"


def _cites_the_log(decided: dict[str, Any], log: Path) -> None:
    """The battery saver is recommended, and every cited line is that line of the log."""
    assert [call["name"] for call in decided["recommendation"]["calls"]] == ["set_power_saving_mode"]
    assert decided["recommendation"]["calls"][0]["parameters"] == {"enabled": True}
    lines = log.read_text().splitlines()
    cited = [item for item in decided["recommendation"]["why"]["evidence"] if item["kind"] == "log_line"]
    assert len(cited) >= 3
    for item in cited:
        assert json.loads(lines[int(item["ref"]) - 1])["action"] == item["text"]


async def test_random_weights_decide_validly(
    tmp_path: Path, heed_home: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    model = tiny.build(tmp_path)
    phone.state.battery.set(level=15, charger="none")
    write_config(heed_home, "[models.llama]\ncontext_tokens = 40960\nthreads = 1\n[policy]\ndecision_timeout = 120\n")
    pool = default_pool()
    for _ in range(examples(1, 50)):
        decide = ("decide", "--reasoner", "llama", "--model", str(model.model), "--json")
        ended = await heed(*decide, port=adb_server.port)
        assert ended.code == 0, ended.err
        recommendation = Recommendation.model_validate(ended.data["recommendation"])
        assert recommendation.reasoner == "llama"
        for call in recommendation.calls:
            assert validate(pool, call).parameters == call.parameters


async def test_a_call_is_carried_out_proved_and_undone_without_a_daemon(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    done = await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    assert done.code == 0, done.err
    assert phone.state.power.saver
    entry = (await heed("journal", "--json")).data[0]
    assert entry["plan"]["answer"] == "once"
    assert entry["context"]["serial"] == device.serial
    action = entry["actions"][0]
    assert action["step"]["commands"]
    assert action["outcome"]["proof"]

    undone = await heed("undo", str(action["id"]), port=adb_server.port)
    assert undone.code == 0, undone.err
    assert not phone.state.power.saver
    again = await heed("undo", str(action["id"]), port=adb_server.port)
    assert again.code == 1
    assert "undone already" in again.err


@asynccontextmanager
async def daemon(port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """``heed run`` until the block ends; ready when it monitors the phone."""
    process = await start("run", port=port)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            await process.stdout.readline()
            while not await monitors():
                await asyncio.sleep(0.05)
                assert process.returncode is None
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.communicate()


async def test_undo_reaches_the_phone_through_the_daemon(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    await heed("call", "set_display", "setting=dark_mode", "value=on", "--yes", port=adb_server.port)
    night = phone.state.display.night
    assert night == "yes"
    action = (await heed("journal", "--json")).data[0]["actions"][0]["id"]
    async with daemon(adb_server.port):
        refused = await heed("call", "set_display", "setting=dark_mode", "value=off", "--yes", port=adb_server.port)
        assert refused.code == 1
        assert "is in use by process" in refused.err
        undone = await heed("undo", str(action), port=adb_server.port)
        assert undone.code == 0, undone.err
    assert phone.state.display.night == "no"


async def test_the_daemon_survives_the_phone_going_and_coming_back(adb_server: AdbServer, phone: VirtualPhone) -> None:
    async with phone.connected(adb_server):
        port = phone.port
        async with daemon(adb_server.port) as process:
            await phone.unplug()
            async with asyncio.timeout(60):
                while "monitored" not in (await heed("status", port=adb_server.port)).out:
                    assert process.returncode is None
            assert phone.port == port
            phone.state.battery.set(level=15, charger="none")
            async with asyncio.timeout(60):
                while not (await heed("journal", "--json")).data:
                    assert process.returncode is None
            process.send_signal(signal.SIGTERM)
            _, err = await process.communicate()
            assert b"Traceback" not in err


async def test_functions_lists_all_63_and_shows_one(adb_server: AdbServer) -> None:
    listed = (await heed("functions", "--json")).data
    assert len(listed) == 63
    assert sum(row["executor"] for row in listed) >= 7
    assert "send_instant_message" in (await heed("functions", "send_sms")).out


async def test_grants_are_listed_with_what_they_cover_and_revoked(heed_home: Path) -> None:
    assert "asks each time" in (await heed("grants")).out
    alarm = FunctionCall(name="set_alarm", parameters={"time": "07:30", "label": "Gym"})
    with stores_in(Config().journal.path) as stores:
        stores.grants.add("phone-a", scope_of(plan(step(alarm)), [StepField(step=0, parameter="time")]), "?", NOON)
    listed = await heed("grants")
    assert "phone-a" in listed.out
    assert "any time" in listed.out
    ((granted,),) = [row["scope"]["steps"] for row in (await heed("grants", "--json")).data]
    assert (granted["parameters"], granted["widened"]) == (dict(alarm.parameters), ["time"])
    assert (await heed("grants", "--revoke", "1")).code == 0
    again = await heed("grants", "--revoke", "1")
    assert (again.code, "There is no grant 1." in again.err) == (2, True)
    assert (await heed("grants", "--json")).data == []


@pytest.mark.parametrize(
    "command", ["grants", "demo", "init", "run", "collect", "decide", "journal", "undo", "devices", "phone"]
)
async def test_every_command_explains_itself(command: str) -> None:
    ended = await heed(command, "--help")
    assert ended.code == 0
    assert "Usage" in ended.out


async def test_what_is_touched_while_the_daemon_monitors_is_told_by_collect(adb_server: AdbServer) -> None:
    phone = VirtualPhone(PhoneState.standard(now=AFTER_THE_LOG))
    phone.state.apps.install("com.amazon.mShop.android.shopping", "Amazon", screen="sign_in")
    phone.state.open_app("com.amazon.mShop.android.shopping")
    async with phone.connected(adb_server), daemon(adb_server.port), asyncio.timeout(60):
        told, taps = "", itertools.count()
        # Nothing tells from outside when the recorder has looked at the page: the person taps until it has.
        while 'Tap "Sign in" in Amazon' not in told:
            _tap(phone, "Sign in", beside=next(taps))
            told = (await heed("collect", "--dimension", "trajectory", port=adb_server.port)).out


def _tap(phone: VirtualPhone, words: str, beside: int) -> None:
    """Touch a view, each time another point of it: the kernel tells only what changes."""
    nodes = [node for window in phone.screen.windows() for node in window.root.walk() if node.tap]
    x, y = next(node for node in nodes if any(words in one.text for one in node.walk())).box.center
    place = (x + beside, y + beside)
    phone.state.touchscreen.touch(place)
    touch.tap(phone.screen, phone.state, *place)
