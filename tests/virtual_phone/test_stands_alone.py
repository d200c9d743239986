"""The virtual phone as a project without heed's other packages uses it."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import virtual_phone
from tests.conftest import REPO

PAGE = (REPO / "docs" / "virtual-phone.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
FLOOR = ["heed", "heed.clock", "heed.errors", "heed.language", "heed.messages", "heed.model", "heed.unicode"]

IMPORT_ALL = """
import importlib, pkgutil, sys, virtual_phone
assert not [name for name in sys.modules if name.startswith("virtual_phone.")], "loaded at import"
for name in virtual_phone.__all__:
    getattr(virtual_phone, name)
for module in pkgutil.walk_packages(virtual_phone.__path__, "virtual_phone."):
    if module.name != "virtual_phone.__main__":
        importlib.import_module(module.name)
print(*sorted(name for name in sys.modules if name.split(".")[0] == "heed"))
"""
PLUG_IN_MODULES = """
import sys, virtual_phone.pytest_plugin
print(*[name for name in sys.modules if name.split(".")[0] in ("adbutils", "pydantic", "PIL", "heed")])
"""


@pytest.fixture
def outside(tmp_path: Path) -> dict[str, str]:
    """An environment in which only ``virtual_phone``, ``heed`` and the installed packages can be imported."""
    alone = tmp_path / "alone"
    alone.mkdir()
    for package in ("virtual_phone", "heed"):
        (alone / package).symlink_to(REPO / package)
    path = os.pathsep.join([str(alone), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    # Plug-ins that happen to be installed here are not loaded; ours is named on the command line.
    return {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python without the path files of site-packages, which name this repository."""
    return subprocess.run(
        (sys.executable, "-S", *arguments),
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_it_imports_nothing_of_heed_but_the_floor(tmp_path: Path, outside: dict[str, str]) -> None:
    done = run(outside, tmp_path, "-c", IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == FLOOR


@pytest.mark.parametrize("room", ["android_bridge", "collectors", "agent"])
def test_the_other_packages_are_really_out_of_reach(room: str, tmp_path: Path, outside: dict[str, str]) -> None:
    assert "ModuleNotFoundError" in run(outside, tmp_path, "-c", f"import {room}").stderr


def test_the_plug_in_loads_nothing_heavy(tmp_path: Path, outside: dict[str, str]) -> None:
    done = run(outside, tmp_path, "-c", PLUG_IN_MODULES)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


def test_the_tests_of_the_page_pass_in_another_project(tmp_path: Path, outside: dict[str, str]) -> None:
    (tmp_path / "test_page.py").write_text(BLOCKS[0], "utf-8")
    done = run(outside, tmp_path, "-m", "pytest", "-p", "virtual_phone.pytest_plugin", "-p", "no:cacheprovider", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_another_project_can_override_the_start_and_start_adb_itself(tmp_path: Path, outside: dict[str, str]) -> None:
    (tmp_path / "test_own.py").write_text(OWN_TEST, "utf-8")
    done = run(outside, tmp_path, "-m", "pytest", "-p", "virtual_phone.pytest_plugin", "-p", "no:cacheprovider", "-q")
    assert done.returncode == 0, done.stdout + done.stderr


OWN_TEST = """
import subprocess

import adbutils
import pytest
from virtual_phone import Scenario


@pytest.fixture
def virtual_phone_state():
    return Scenario.load("parcel").new_state(serial="mine")


def test_adb_reaches_the_phone_of_the_scenario(adb_device, virtual_phone):
    said = subprocess.run([adbutils.adb_path(), "shell", "getprop"], capture_output=True, text=True, check=True).stdout
    assert "[ro.serialno]: [mine]" in said
    assert "[persist.sys.locale]: [zh-CN]" in said
"""


@pytest.mark.parametrize("script", BLOCKS[1:], ids=["threads", "asyncio"])
def test_the_scripts_of_the_page_run(script: str, tmp_path: Path, outside: dict[str, str]) -> None:
    (tmp_path / "script.py").write_text(script, "utf-8")
    done = run(outside, tmp_path, "script.py")
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_loaded_from_its_module() -> None:
    assert sorted(virtual_phone._MODULES) == virtual_phone.__all__
    with pytest.raises(AttributeError, match="nothing"):
        _ = virtual_phone.nothing
