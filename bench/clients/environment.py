"""Where the clients are installed, apart from heed: ``.venv-clients/python`` and ``.venv-clients/node``, made once."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.clients.call import Client

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv-clients"
TIMEOUT = 1800.0
"""Seconds for one environment."""
_HERE = Path(__file__).parent


def make(clients: Iterable[Client]) -> None:
    """Installs the clients where that was not done yet.

    Raises:
        subprocess.SubprocessError: a package manager failed, or took too long.
        OSError: Python or npm cannot be started.
    """
    wanted: dict[str, set[str]] = {}
    for client in clients:
        wanted.setdefault(client.language, set()).update(client.requires)
    for language, packages in wanted.items():
        folder, lines = FOLDER / language, "\n".join(sorted(packages))
        stamp = folder / "installed.txt"
        if stamp.exists() and stamp.read_text("utf-8") == lines:
            continue
        print(f"making {folder.relative_to(ROOT)} (once)", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _MAKERS[language](folder, sorted(packages))
        stamp.write_text(lines, "utf-8")


def command(language: str) -> list[str]:
    """The program that evaluates calls; Node's runs in its environment's folder."""
    if language == "node":
        return ["node", "--input-type=module", "--eval", (_HERE / "evaluate.mjs").read_text("utf-8")]
    # -P: this folder's modules are named like the packages.
    return [str(FOLDER / "python" / "bin" / "python"), "-P", str(_HERE / "evaluate.py")]


def _python(folder: Path, packages: list[str]) -> None:
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", *packages])


def _node(folder: Path, packages: list[str]) -> None:
    _run(
        [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
            str(folder),
            *packages,
        ]
    )


def _run(words: list[str]) -> None:
    subprocess.run(words, check=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)


_MAKERS = {"python": _python, "node": _node}
