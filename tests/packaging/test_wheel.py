"""The wheel holds what a user needs and nothing else, and works in an empty environment."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.conftest import REPO
from tests.proof import PROVING

MEGABYTE = 1_000_000
WEIGHTS = (
    "models/perceptor/data/perceptor.onnx",
    "models/requests/data/requests.npz",
    "models/routines/data/log_lines.npz",
)
NEEDED = (
    *WEIGHTS,
    "models/perceptor/data/vocabulary.txt",
    "models/reader/data/reader.json",
    "models/reader/data/roles.yaml",
    "models/requests/data/requests.npz",
    "models/requests/data/words.yaml",
    "models/values/data/choices.yaml",
    "models/values/data/kinds_of_apps.yaml",
    "models/routines/data/log_lines.npz",
    "models/prompt/templates/heed-2.yaml",
    "function_pool/proactivemobile.yaml",
    "function_pool/pool.json",
    "executors/pages.yaml",
    "executors/templates/pyproject.toml.txt",
    "collectors/templates/pyproject.toml.txt",
    "agent/console/static/index.html",
    "virtual_phone/roboto/Roboto-Bold.ttf",
    "virtual_phone/__init__.py",
    "virtual_phone/ui/catalogue.yaml",
    "virtual_phone/scenarios/demo.yaml",
)


def run(*command: str | Path, cwd: Path, seconds: float = 120) -> str:
    """What the command prints; it must succeed, and sees neither this checkout nor this environment."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


def pip_install(home: Path, *arguments: str | Path, seconds: float = 120) -> None:
    """Install into the environment at ``home`` with this environment's pip."""
    pip = (sys.executable, "-m", "pip", "--python", home / "bin" / "python", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", *arguments, cwd=home, seconds=seconds)


@pytest.fixture(scope="module")
def packages() -> set[str]:
    """The packages that the wheel is said to hold."""
    settings: dict[str, Any] = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    return set(settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder: Path = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=REPO)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def files(wheel: Path) -> dict[str, int]:
    """The files of the wheel with their compressed sizes."""
    with ZipFile(wheel) as archive:
        return {item.filename: item.compress_size for item in archive.infolist()}


def test_it_holds_the_packages_and_nothing_else(files: dict[str, int], packages: set[str]) -> None:
    tops = {name.split("/")[0] for name in files}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == packages
    assert not packages & {"training", "tests", "bench", "tools", "examples"}


def test_it_holds_every_data_file_of_its_packages(files: dict[str, int], packages: set[str]) -> None:
    on_disk = (path for package in packages for path in (REPO / package).rglob("*") if path.is_file())
    data = {path.relative_to(REPO).as_posix() for path in on_disk if path.suffix not in {".py", ".pyc", ".gguf", ".po"}}
    assert data - set(files) == set()
    assert set(NEEDED) - set(files) == set()


def test_it_has_the_manual_page_and_the_completion_of_three_shells(files: dict[str, int]) -> None:
    shared = {name.partition(".data/data/share/")[2] for name in files if ".data/" in name}
    assert shared == {
        "man/man1/heed.1",
        "bash-completion/completions/heed",
        "zsh/site-functions/_heed",
        "fish/vendor_completions.d/heed.fish",
    }


def test_every_package_says_that_it_is_typed(files: dict[str, int], packages: set[str]) -> None:
    assert {f"{package}/py.typed" for package in packages} - set(files) == set()


def test_it_is_small(wheel: Path, files: dict[str, int]) -> None:
    assert sum(size for name, size in files.items() if name not in WEIGHTS) <= 2 * MEGABYTE
    assert wheel.stat().st_size <= 30 * MEGABYTE


def plays_the_demo(home: Path) -> None:
    """Whether the heed that is installed at ``home`` plays the demo to its end."""
    imported = run(home / "bin" / "python", "-c", "import heed; print(heed.__file__)", cwd=home)
    assert Path(imported.strip()).is_relative_to(home)
    played = run(home / "bin" / "heed", "demo", "--script", cwd=home)
    assert "23:00" in played


def test_in_an_empty_environment_it_plays_the_demo(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "environment"
    venv.create(home, with_pip=False)
    pip_install(home, "--no-deps", "--no-index", wheel)
    # A path file inside a folder that another path file adds is not read: our packages come from the wheel alone.
    (site,) = home.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    plays_the_demo(home)


@pytest.mark.skipif(not PROVING, reason="downloads the dependencies: HEED_PROVE=1")
def test_pip_installs_it_with_the_pinned_dependencies(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "environment"
    venv.create(home, with_pip=False)
    pins = re.sub(r" *\\$|^ +--hash.*$", "", (REPO / "constraints.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / "pins.txt").write_text(pins, encoding="utf-8")
    pip_install(home, "--constraint", tmp_path / "pins.txt", wheel, seconds=900)
    plays_the_demo(home)
