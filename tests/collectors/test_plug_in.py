"""A plug-in brings a source of facts: the scaffold's as it is written."""

import subprocess
import sys
from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.scaffold import scaffold_collector
from heed.errors import UsageError
from tests.agent.command import heed
from tests.executors.test_plug_in import REPO, checked, installed
from virtual_phone import VirtualPhone


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plug-in as the scaffold writes it."""
    return scaffold_collector("screen_light", tmp_path_factory.mktemp("plug-ins"))[0].parent


def test_what_the_scaffold_writes_passes_the_linter(written: Path) -> None:
    for command in (["ruff", "check"], ["ruff", "format", "--check"]):
        ended = checked(written, *command, "--config", str(REPO / "pyproject.toml"), ".")
        assert ended.returncode == 0, ended.stdout


def test_what_the_scaffold_writes_passes_its_own_test(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(written))
    ended = checked(written, "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert ended.returncode == 0, ended.stdout


async def test_its_fact_is_collected_and_told(
    written: Path, tmp_path: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    phone.state.settings.put("system", "screen_brightness", "80")
    path = installed(written, tmp_path / "site")
    ended = await heed("collect", port=adb_server.port, PYTHONPATH=path)
    assert ended.code == 0, ended.err
    assert "screen_light.brightness: 80" in ended.out.casefold()


async def test_the_command_writes_it(tmp_path: Path) -> None:
    ended = await heed("scaffold", "collector", "tide_table", "--into", str(tmp_path))
    assert ended.code == 0, ended.err
    assert (tmp_path / "heed-tide-table" / "heed_tide_table" / "__init__.py").is_file()
    again = await heed("scaffold", "collector", "tide_table", "--into", str(tmp_path))
    assert again.code == 2 and "there already" in again.err


@pytest.mark.parametrize("name", ["TideTable", "../tide", "battery"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        scaffold_collector(name, tmp_path)
    assert not list(tmp_path.glob("heed-*"))


def test_the_scaffolds_share_one_group_of_commands() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "heed", "scaffold", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "collector" in shown and "executor" in shown
