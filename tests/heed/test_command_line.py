"""The command line imports what a command needs, and everything for help and unknown commands."""

import subprocess
import sys
import tomllib
from typing import Any

import pytest
import typer.main

import heed
from heed.__main__ import build_app
from tests.conftest import REPO as ROOT

SLOW = ("virtual_phone", "fastapi", "uvicorn")
"""Modules that take long to import and that most commands do not need."""

IMPORTED = f"""
import atexit, sys
from heed.__main__ import main
atexit.register(lambda: print("imported:", [name for name in {SLOW!r} if name in sys.modules]))
main()
"""


def names(wanted: str = "") -> set[str]:
    group: Any = typer.main.get_command(build_app(wanted))
    return set(group.commands)


def test_a_wanted_command_is_there_and_others_need_not_be() -> None:
    assert "status" in names("status")
    assert "demo" not in names("status")
    assert "eval" in names("eval")


def test_help_and_unknown_words_see_every_command() -> None:
    assert names() == names("nosuch") >= {"demo", "status", "eval", "model", "scaffold"}


def run_python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def test_version_prints_the_package_version_and_imports_no_command() -> None:
    assert run_python("--version").splitlines() == [f"heed {heed.__version__}", "imported: []"]


@pytest.mark.parametrize("command", ["doctor", "run"])
def test_commands_import_neither_the_virtual_phone_nor_the_web_server(command: str) -> None:
    assert run_python(command, "--help").endswith("imported: []\n")


@pytest.mark.parametrize("command", ["mcp", "resume", "run", "try"])
def test_of_the_agents_commands_only_the_wanted_one_is_loaded(command: str) -> None:
    loaded = names(command)
    assert command in loaded
    assert loaded <= {command, "pause"}  # which shares its module with `resume`


def test_the_build_reads_the_version_from_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "heed/__init__.py"
