"""Where the clients are installed, apart from heed: ``.venv-clients/python`` and ``.venv-clients/node``, made once."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bench import environment
from bench.clients.call import Client
from bench.environment import INSTALLING, ROOT

FOLDER = ROOT / ".venv-clients"
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


def _node(folder: Path, packages: Sequence[str]) -> None:
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
    command = ["npm", "install", *options, *packages]
    subprocess.run(command, check=True, timeout=INSTALLING, stdin=subprocess.DEVNULL)


_MAKERS: Mapping[str, Callable[[Path, Sequence[str]], None]] = {"python": environment.make, "node": _node}
