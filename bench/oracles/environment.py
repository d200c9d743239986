"""The environment that the oracles' code runs in: the dependency group ``oracles``, in ``.venv-oracles``."""

import os
import shutil
import tomllib
from pathlib import Path

from bench.environment import ROOT, Environment

_GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
ORACLES = Environment("oracles", _GROUPS["oracles"], sees_heed=False)


class OracleMissingError(Exception):
    """What a proof needs and does not find; the text says what to do."""


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
