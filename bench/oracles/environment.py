"""The environment that the oracles' code runs in: the dependency group ``oracles``, in ``.venv-oracles``."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / ".venv-oracles"
INSTALLING = 1800.0
"""Seconds."""


class OracleMissingError(Exception):
    """What a proof needs and does not find; the text says what to do."""


def python() -> Path:
    """The interpreter of the environment, which is made first where it is missing."""
    interpreter = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / ".made").exists():
        print(f"making {ENVIRONMENT.name} (what the oracles' code imports, once)", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True, timeout=INSTALLING)
        wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["oracles"]
        command = [str(interpreter), "-m", "pip", "install", "--quiet", *wanted]
        subprocess.run(command, check=True, timeout=INSTALLING)
        (ENVIRONMENT / ".made").touch()
    return interpreter


def ready() -> bool:
    """Whether the environment was made before."""
    return (ENVIRONMENT / ".made").exists()


def shared_oracle(folder: str, package: str) -> Path:
    """A folder of the shared oracles that holds a package; ``OracleMissingError`` where it is absent."""
    found = Path(os.environ.get("HEED_SHARED") or ROOT.parent / "shared") / "oracles" / folder
    if not (found / package).is_dir():
        raise OracleMissingError(f"{found} is missing: set HEED_SHARED to the shared folder.")
    return found


def need_program(name: str) -> None:
    """Raises ``OracleMissingError`` where a program of the system is missing."""
    if shutil.which(name) is None:
        raise OracleMissingError(f"{name} is not installed (apt-get install {name}).")
