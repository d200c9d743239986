"""Environments beside heed's own, ``.venv-NAME`` at the root, for what proofs need and heed does not."""

import fcntl
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTALLING = 1800.0
"""Seconds for a step of making one."""


@dataclass(frozen=True)
class Environment:
    """An environment in ``.venv-NAME``, with a note of what it was made from."""

    name: str
    wanted: Sequence[str]
    """What pip installs."""
    sees_heed: bool = True
    """Whether heed's packages are there beside ``wanted``."""

    def python(self) -> Path:
        """Returns its interpreter. It is made first where ``ready`` is false; other processes wait for it meanwhile.

        Raises ``subprocess.SubprocessError`` when the packages cannot be installed, or not in time.
        """
        if not self.ready():
            with self._folder.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # held at most as long as making may take
                if not self.ready():
                    self._make()
        return self._folder / "bin" / "python"

    def ready(self) -> bool:
        """Whether it was made from these packages, and beside the packages of heed that are in use now."""
        return self._made.exists() and self._made.read_text("utf-8") == self._contents

    def run(self, module: str, arguments: Sequence[str] = ()) -> int:
        """Runs a module of this project in it and returns the exit status. Raises what ``python`` raises."""
        variables = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [str(self.python()), "-m", module, *arguments]
        return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode

    def _make(self) -> None:
        print(f"making {self._folder.name} ({', '.join(self.wanted)}; once)", flush=True)
        make(self._folder, self.wanted, sees_heed=self.sees_heed)
        self._made.write_text(self._contents, "utf-8")

    @property
    def _folder(self) -> Path:
        return ROOT / f".venv-{self.name}"

    @property
    def _made(self) -> Path:
        return self._folder / ".made"

    @property
    def _contents(self) -> str:
        return "\n".join([*([_packages()] if self.sees_heed else []), *self.wanted])


def _packages() -> str:
    """Where heed's packages are."""
    return sysconfig.get_path("purelib")


def make(folder: Path, wanted: Sequence[str], *, sees_heed: bool = False) -> None:
    """Makes an environment with these packages, anew where it is there; one that sees heed's has those beside them.

    Raises ``subprocess.SubprocessError`` when the packages cannot be installed, or not in time.
    """
    _step([sys.executable, "-m", "venv", "--clear", str(folder)])
    if sees_heed:
        site = next((folder / "lib").glob("python*/site-packages"))
        (site / "heed.pth").write_text(f"{_packages()}\n", "utf-8")
    _step([str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", *wanted])


def _step(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, timeout=INSTALLING, stdin=subprocess.DEVNULL)
