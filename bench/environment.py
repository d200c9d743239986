"""Environments beside heed's own, ``.venv-NAME`` at the root, for what proofs need and heed does not."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTALLING = 1800.0
"""Seconds for a step of making one."""


def run_beside(name: str, wanted: Sequence[str], module: str, arguments: Sequence[str] = ()) -> int:
    """Runs a module in the environment ``name``, which is made first where it is missing, and returns its exit status.

    The environment sees heed's packages, and ``wanted`` beside them.

    Raises ``subprocess.SubprocessError`` when the packages cannot be installed.
    """
    python = _interpreter(ROOT / f".venv-{name}", wanted)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([str(python), "-m", module, *arguments], cwd=ROOT, env=environment, check=False).returncode


def _interpreter(folder: Path, wanted: Sequence[str]) -> Path:
    """Made anew where it was made for other packages, or beside an environment of heed in another folder."""
    made, contents = folder / ".made", "\n".join([_packages(), *wanted])
    if not made.exists() or made.read_text("utf-8") != contents:
        print(f"making {folder.name} ({', '.join(wanted)}; once)", flush=True)
        make(folder, wanted, sees_heed=True)
        made.write_text(contents, "utf-8")
    return folder / "bin" / "python"


def _packages() -> str:
    """Where heed's packages are."""
    return sysconfig.get_path("purelib")


def make(folder: Path, wanted: Sequence[str], *, sees_heed: bool = False) -> None:
    """Makes an environment with these packages, anew where it is there; one that sees heed's has those beside them.

    Raises ``subprocess.SubprocessError`` when the packages cannot be installed, or not in time.
    """
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True, timeout=INSTALLING)
    if sees_heed:
        site = next((folder / "lib").glob("python*/site-packages"))
        (site / "heed.pth").write_text(f"{_packages()}\n", "utf-8")
    install = [str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", *wanted]
    subprocess.run(install, check=True, timeout=INSTALLING)
