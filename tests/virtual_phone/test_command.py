"""``python -m virtual_phone``: a phone for the adb server at hand, until Ctrl-C."""

import asyncio
import os
import re
import signal
import sys

import pytest

from virtual_phone import LocalAdbServer, Scenario
from virtual_phone.command import main


async def test_a_scenario_is_played_until_ctrl_c() -> None:
    with LocalAdbServer.private() as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "virtual_phone", "--scenario", "low-battery", "--speed", "50000"),
            *("--adb-port", str(server.port)),
            env=dict(os.environ),
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        said = ""
        try:
            async with asyncio.timeout(60):
                while "The scenario is over" not in said:
                    said += (await process.stdout.readline()).decode()
                found = re.search(r"The virtual phone is (\S+)\. ", said)
                assert found is not None
                shown = await asyncio.to_thread(server.device(found[1]).shell, "dumpsys battery")
                process.send_signal(signal.SIGINT)
                assert await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
    assert "level: 96" in shown
    assert re.findall(r"^(\d\d:\d\d)  ", said, re.MULTILINE) == [
        entry.at for entry in Scenario.load("low-battery").timeline
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "70000"], "a port is a number from 0 to 65535"),
        (["--speed", "0"], "the speed is a number from 0.001 to 100000"),
        (["--language", "fr"], "invalid choice"),
    ],
)
def test_a_wrong_option_is_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_scenario_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--scenario", "nosuch.yaml"]) == 2
    assert capsys.readouterr().err.startswith("virtual_phone: The scenario nosuch.yaml cannot be read")


async def test_a_build_is_chosen_by_name() -> None:
    with LocalAdbServer.private() as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "virtual_phone", "--build", "oneui-6", "--adb-port", str(server.port)),
            env=dict(os.environ),
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout(60):
                found = re.search(r"The virtual phone is (\S+)\. ", (await process.stdout.readline()).decode())
                assert found is not None
                model = await asyncio.to_thread(server.device(found[1]).shell, "getprop ro.product.model")
                process.send_signal(signal.SIGINT)
                assert await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
    assert model == "SM-S9210"
