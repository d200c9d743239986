"""``make prove``: every proof at its full count, and ``bench/PROOF.md`` with what was seen.

Runs the whole test suite with ``HEED_PROVE=1``, then each benchmark as a process of its own, and keeps what they
print. Ends with 1 when one of them failed.
"""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
TIMEOUT = 4 * 3600.0
"""Seconds for one proof."""
_NOT_PROOFS = {"__init__", "prove", "instant_phone", "hour"}
"""Modules of this folder that are none; of packages, those with a ``__main__.py`` are one proof each."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PROGRESS = re.compile(r"\S+ +\[ *\d+%\]")
"""A line of pytest's dots."""


class Seen(NamedTuple):
    """What one proof printed at its end, and how it ended."""

    title: str
    command: str
    code: int
    text: str


def proofs() -> Iterator[tuple[str, list[str]]]:
    """The test suite, then every benchmark of this folder."""
    matrix = "tests/faults/test_matrix.py"  # bench/faults.py runs it
    yield "All tests at full count", [sys.executable, "-m", "pytest", "--durations=15", f"--ignore={matrix}"]
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in _NOT_PROOFS:
            yield f"bench/{path.name}", [sys.executable, "-m", f"bench.{path.stem}"]
    for path in sorted(HERE.glob("*/__main__.py")):
        yield f"bench/{path.parent.name}/", [sys.executable, "-m", f"bench.{path.parent.name}"]


def see(title: str, command: list[str]) -> Seen:
    """Run one proof."""
    shown = " ".join(["python", *command[1:]])
    print(f"== {title}: {shown}", flush=True)
    try:
        done = subprocess.run(
            command,
            cwd=HERE.parent,
            env={**os.environ, "HEED_PROVE": "1", "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return Seen(title, shown, 124, (late.stdout or b"").decode(errors="replace"))
    text = _COLOURS.sub("", done.stdout.decode(errors="replace"))
    print(text[-2000:], flush=True)
    return Seen(title, shown, done.returncode, text)


def report(seen: list[Seen]) -> str:
    """The page."""
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    parts = [
        "# What was proved",
        f"Written by `make prove` on {datetime.now(UTC):%Y-%m-%d}, at {_commit()} ({machine}).",
        "Ratios are measured side by side in one run.",
    ]
    for item in seen:
        verdict = "passed" if item.code == 0 else f"FAILED (exit status {item.code})"
        parts.append(f"## {item.title}: {verdict}\n\n`{item.command}`\n\n```\n{_end(item.text)}\n```")
    return "\n\n".join(parts) + "\n"


def _commit() -> str:
    """What was proved; a tree that was changed since is said to be."""
    command = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, timeout=60, check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "no commit"


def _end(text: str, lines: int = 60) -> str:
    told = [line for line in text.strip().splitlines() if not _PROGRESS.fullmatch(line)]
    return "\n".join(told[-lines:])


def main(only: list[str]) -> int:
    """Run all proofs, or those whose title holds one of the words."""
    chosen = [(title, command) for title, command in proofs() if not only or any(word in title for word in only)]
    seen = [see(title, command) for title, command in chosen]
    if not only:
        (HERE / "PROOF.md").write_text(report(seen), encoding="utf-8")
    return int(any(item.code for item in seen))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
