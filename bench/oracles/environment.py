"""The environment that the oracles' code runs in: the dependency group ``oracles``, in ``.venv-oracles``."""

import fcntl
import os
import shutil
import tomllib
from pathlib import Path

from bench.environment import ROOT, make

ENVIRONMENT = ROOT / ".venv-oracles"


class OracleMissingError(Exception):
    """What a proof needs and does not find; the text says what to do."""


def python() -> Path:
    """The interpreter of the environment, which is made first where it is missing; others wait for it meanwhile."""
    interpreter = ENVIRONMENT / "bin" / "python"
    if ready():
        return interpreter
    with ENVIRONMENT.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # held at most as long as making may take
        if not ready():
            _make()
    return interpreter


def _make() -> None:
    print(f"making {ENVIRONMENT.name} (what the oracles' code imports, once)", flush=True)
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["oracles"]
    make(ENVIRONMENT, wanted)
    (ENVIRONMENT / ".made").touch()


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
