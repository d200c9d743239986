"""A plug-in brings a channel: the scaffold's as it is written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.channels.registry import service_classes
from agent.channels.scaffold import scaffold_channel
from android_bridge.adb import AdbServer
from heed.errors import UsageError
from tests.agent.channels.asked import asked
from tests.agent.command import heed
from tests.conftest import REPO
from tests.executors.test_plug_in import installed
from virtual_phone import VirtualPhone


def checked(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a module of Python in a plug-in's folder."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plug-in as the scaffold writes it."""
    return scaffold_channel("door_bell", tmp_path_factory.mktemp("plug-ins"))[0].parent


def test_what_the_scaffold_writes_passes_the_linter(written: Path) -> None:
    rules = str(REPO / "pyproject.toml")
    for command in (["ruff", "check"], ["ruff", "format", "--check"]):
        ended = checked(written, *command, "--config", rules, ".")
        assert ended.returncode == 0, ended.stdout


def test_what_the_scaffold_writes_passes_its_own_test(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{written}{os.pathsep}{REPO}")
    ended = checked(written, "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert ended.returncode == 0, ended.stdout


async def test_the_scaffolds_channel_asks_and_its_answer_counts(
    written: Path, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in reversed(installed(written, tmp_path / "site").split(os.pathsep)):
        monkeypatch.syspath_prepend(path)
    (questions := tmp_path / "questions").mkdir()
    section = {"door_bell": {"enabled": True, "folder": str(questions)}}
    async with asked(tmp_path, adb_server, phone, section) as one:
        one.low_battery()
        await one.house.until(lambda: list(questions.glob("*.txt")))
        (file,) = questions.glob("*.txt")
        await one.house.until(lambda: "[once]" in file.read_text("utf-8"))
        line = next(line for line in file.read_text("utf-8").splitlines() if line.startswith("[once]"))
        (questions / "answer").write_text(line.removeprefix("[once] "), encoding="utf-8")
        await one.house.until(lambda: phone.state.power.saver)
        assert one.answers == [("once", "door_bell")]
        await one.house.until(lambda: "Answered on door_bell: once." in file.read_text("utf-8"))


async def test_the_command_writes_it_once(tmp_path: Path) -> None:
    ended = await heed("scaffold", "channel", "door_bell", "--into", str(tmp_path))
    assert ended.code == 0, ended.err
    assert (tmp_path / "heed-door-bell" / "pyproject.toml").exists()
    again = await heed("scaffold", "channel", "door_bell", "--into", str(tmp_path))
    assert again.code == 2


@pytest.mark.parametrize("name", ["ntfy", "Door", "../bell"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        scaffold_channel(name, tmp_path)


def test_the_guide_names_what_there_is() -> None:
    guide = (REPO / "docs" / "add-a-channel.md").read_text("utf-8")
    assert "heed scaffold channel door_bell" in guide
    for word in ("presses", "send", "close", "reply", "check", "ChannelError", "require", "longest", "answers"):
        assert word in guide
    assert len(service_classes()) == 4
