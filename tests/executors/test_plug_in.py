"""A plug-in brings a 64th function: the scaffold's as it is written, and the example in the repository."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from executors.scaffold import scaffold_executor
from function_pool.plugins import installed_pool
from function_pool.spec import default_pool
from heed.errors import UsageError
from tests.agent.command import heed
from virtual_phone import VirtualPhone

REPO = Path(__file__).parents[2]
EXAMPLE = REPO / "examples" / "heed-show-notifications"


def installed(source: Path, site: Path) -> str:
    """The environment's path with a plug-in on it, as an installer would have put it there."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    about = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    text = "\n".join(
        f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in entries.items()) for group, entries in groups
    )
    (about / "entry_points.txt").write_text(text + "\n")
    return os.pathsep.join([str(site), str(source)])


def checked(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A tool of the development environment, with heed's own rules."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plug-in as the scaffold writes it."""
    folder = tmp_path_factory.mktemp("plug-ins")
    return scaffold_executor("feed_cat", folder)[0].parent


def test_what_the_scaffold_writes_passes_the_linter(written: Path) -> None:
    rules = str(REPO / "pyproject.toml")
    for command in (["ruff", "check"], ["ruff", "format", "--check"]):
        ended = checked(written, *command, "--config", rules, ".")
        assert ended.returncode == 0, ended.stdout


def test_what_the_scaffold_writes_passes_its_own_test(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{written}{os.pathsep}{REPO}")
    ended = checked(written, "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert ended.returncode == 0, ended.stdout


async def test_the_scaffolds_function_acts_through_the_commands(
    written: Path, tmp_path: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    path = installed(written, tmp_path / "site")
    listed = await heed("functions", "feed_cat", "--json", PYTHONPATH=path)
    assert listed.data[0]["executor"] is True
    ended = await heed("call", "feed_cat", "number=7", "--yes", port=adb_server.port, PYTHONPATH=path)
    assert ended.code == 0, ended.err
    assert "The number is 7." in ended.out
    assert phone.state.settings.get("system", "heed_feed_cat") == "7"
    undone = await heed("undo", "1", port=adb_server.port, PYTHONPATH=path)
    assert undone.code == 0, undone.err
    assert "heed_feed_cat" not in phone.state.settings.stored["system"]


async def test_the_example_pulls_the_shade_down(
    tmp_path: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    path = installed(EXAMPLE, tmp_path / "site")
    ended = await heed("call", "show_notifications", "--yes", port=adb_server.port, PYTHONPATH=path)
    assert ended.code == 0, ended.err
    assert "The notifications are on the screen." in ended.out
    assert phone.state.panel == "shade"


def test_the_guide_names_what_there_is() -> None:
    guide = (REPO / "docs" / "add-an-executor.md").read_text("utf-8")
    assert "heed scaffold executor show_notifications" in guide
    for word in ("require_screen", "SettingExecutor", "HandOverExecutor", "RefusedError", "hands_over", "already"):
        assert word in guide


@pytest.mark.parametrize("name", ["FeedCat", "feed cat", "../feed", "set_display", "_x", "9lives"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        scaffold_executor(name, tmp_path)
    assert list(tmp_path.iterdir()) == [path for path in tmp_path.iterdir() if path.name == "heed"]


def test_without_plug_ins_the_pool_is_the_63() -> None:
    assert installed_pool([]) == default_pool()
