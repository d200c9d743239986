"""docs/install.md names what the base install has that is compiled, and for which machines there are wheels of it."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import REPO
from tests.proof import PROVING

PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "Linux x86-64": tuple(f"manylinux{glibc}_x86_64" for glibc in ("_2_28", "_2_27", "_2_26", "_2_17", "2014", "1")),
    "Linux ARM": tuple(f"manylinux{glibc}_aarch64" for glibc in ("_2_28", "_2_27", "_2_26", "_2_17", "2014")),
    "macOS ARM": ("macosx_14_0_arm64",),
    "macOS x86-64": ("macosx_14_0_x86_64",),
    "Windows": ("win_amd64",),
    "Alpine ARM": ("musllinux_1_2_aarch64",),
    "Android": ("android_24_arm64_v8a",),
}
"""A column of the table → pip's names of such a machine, newest first."""


def table() -> dict[str, dict[str, bool]]:
    """Package → machine → whether there is a wheel, as the page says."""
    lines = (REPO / "docs" / "install.md").read_text("utf-8").partition("## What is compiled")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    (_, *machines), *packages = rows
    return {
        row[0].split(" ")[0]: {name: cell == "yes" for name, cell in zip(machines, row[1:], strict=True)}
        for row in packages
    }


def base_install() -> Iterator[str]:
    """Every package that heed's own dependencies need on this machine."""
    wanted = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    seen: set[str] = set()
    while wanted:
        requirement = Requirement(wanted.pop())
        name = canonicalize_name(requirement.name)
        if name not in seen and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            seen.add(name)
            wanted += distribution(name).requires or ()
            yield name


def test_the_page_names_every_package_that_is_compiled_and_no_other() -> None:
    wheels = {name: distribution(name).read_text("WHEEL") or "" for name in base_install()}
    assert {name for name, wheel in wheels.items() if not re.search(r"^Tag: .*-none-any$", wheel, re.M)} == set(table())


def test_the_page_has_the_columns_that_are_tried() -> None:
    assert all(list(row) == list(PLATFORMS) for row in table().values())
    assert not all(row["Android"] for row in table().values()), "Termux needs no Debian any more: say so"


@pytest.mark.skipif(not PROVING, reason="asks the package index about each wheel: HEED_PROVE=1")
@pytest.mark.parametrize("package", table())
def test_the_index_has_the_wheels_of_the_lock_that_the_page_names(package: str, tmp_path: Path) -> None:
    blocks = re.split(r"(?m)^(?=[a-zA-Z0-9])", (REPO / "constraints.txt").read_text("utf-8"))
    pinned = tmp_path / "pinned.txt"
    pinned.write_text("".join(block for block in blocks if block.startswith(f"{package}==")), "utf-8")
    found = {name: is_offered(pinned, platforms, tmp_path) for name, platforms in PLATFORMS.items()}
    assert found == table()[package]


def is_offered(pinned: Path, platforms: tuple[str, ...], folder: Path) -> bool:
    """Whether pip finds a wheel, of those whose hashes are in the lock, for Python 3.11 on such a machine."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--dry-run", "--ignore-installed"),
            *("--no-deps", "--only-binary=:all:", "--python-version", "3.11", "--target", str(folder / "none")),
            *(word for platform in platforms for word in ("--platform", platform)),
            *("--require-hashes", "-r", str(pinned)),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0 or "No matching distribution found" in done.stderr, done.stderr
    return done.returncode == 0
