"""``make prove``: every proof at its full count, and ``bench/PROOF.md`` with what was seen.

Runs the whole test suite with ``HEED_PROVE=1`` and measures its branch coverage, then each benchmark as a process of
its own, and keeps what they print. ``python -m bench.prove WORD...`` runs those whose title holds one of the words.
Each section of the page names the commit and the day that it was seen at, and is stored as soon as its proof has
ended; the others stay as they are. Ends with 1 when a proof failed.
"""

import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PAGE = HERE / "PROOF.md"
HEAD = "# What was proved\n\nWritten by `python -m bench.prove`. Ratios are measured side by side in one run."
TIMEOUT = 4 * 3600.0
"""Seconds for one proof."""
_NOT_PROOFS = {"prove", "instant_phone"}
"""Programs of this folder that are none; of packages, those with a ``__main__.py`` are one proof each."""
_PROGRAM = 'if __name__ == "__main__":'
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PROGRESS = re.compile(r"\S+ +\[ *\d+%\]|.*\d+%\|.*\|.*\[.*\]")
"""A line of pytest's dots, or of tqdm's bars."""
_SECTION = re.compile(r"^## (?P<title>.+): (?:passed|FAILED .*)$", re.M)


class Proof(NamedTuple):
    """A proof."""

    title: str
    command: list[str]


class Outcome(NamedTuple):
    """How a proof ended."""

    proof: Proof
    code: int
    printed: str
    minutes: float


def proofs() -> Iterator[Proof]:
    """The test suite, then every benchmark of this folder."""
    matrix = "tests/faults/test_matrix.py"  # bench/faults.py runs it
    yield Proof("All tests at full count", ["make", "coverage", f"OPTIONS=--timeout=0 --maxfail=0 --ignore={matrix}"])
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in _NOT_PROOFS and _PROGRAM in path.read_text("utf-8"):
            yield Proof(f"bench/{path.name}", [sys.executable, "-m", f"bench.{path.stem}"])
    for path in sorted(HERE.glob("*/__main__.py")):
        yield Proof(f"bench/{path.parent.name}/", [sys.executable, "-m", f"bench.{path.parent.name}"])


def run(proof: Proof) -> Outcome:
    """Run one proof."""
    print(f"== {proof.title}: {_shown(proof)}", flush=True)
    start = time.monotonic()
    try:
        done = subprocess.run(
            proof.command,
            cwd=HERE.parent,
            env={**os.environ, "HEED_PROVE": "1", "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        code, output = 124, late.stdout or b""
    text = _COLOURS.sub("", output.decode(errors="replace"))
    print(text[-2000:], flush=True)
    return Outcome(proof, code, text, (time.monotonic() - start) / 60)


def section(outcome: Outcome, seen_at: str) -> str:
    """The page's section of a proof."""
    verdict = "passed" if outcome.code == 0 else f"FAILED (exit status {outcome.code})"
    parts = [
        f"## {outcome.proof.title}: {verdict}",
        f"`{_shown(outcome.proof)}`: {seen_at}, {outcome.minutes:.1f} min",
        f"```\n{_end(outcome.printed)}\n```",
    ]
    return "\n\n".join(parts)


def sections(page: str) -> dict[str, str]:
    """The sections of a page, by title."""
    starts = [*_SECTION.finditer(page)]
    bounds = [*(one.start() for one in starts), len(page)]
    return {one["title"]: page[start:end].strip() for one, (start, end) in zip(starts, pairwise(bounds), strict=True)}


def with_section(page: str, title: str, text: str) -> str:
    """The page with a section replaced or added; the sections of proofs that no longer exist are left out."""
    stored = {**sections(page), title: text}
    return "\n\n".join([HEAD, *(stored[one.title] for one in proofs() if one.title in stored)]) + "\n"


def _shown(proof: Proof) -> str:
    return shlex.join("python" if word == sys.executable else word for word in proof.command)


def _seen_at() -> str:
    """The commit, the day and the machine; a tree that was changed since its commit is said to be."""
    return f"{_commit()} on {datetime.now(UTC):%Y-%m-%d} ({platform.system()} {platform.machine()}, {os.cpu_count()} \
cores, Python {platform.python_version()})"


def _commit() -> str:
    page = PAGE.relative_to(HERE.parent)
    commit = _git("rev-parse", "--short", "HEAD")
    changes = _git("status", "--porcelain", "--", ".", f":(exclude){page}")
    return f"commit {commit}{', changed since' if changes else ''}" if commit else "no commit"


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=HERE.parent, capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    return done.stdout.strip() if done.returncode == 0 else ""


def _end(text: str, lines: int = 200) -> str:
    told = [line for line in text.strip().splitlines() if not _PROGRESS.fullmatch(line)]
    return "\n".join(told[-lines:])


def main(words: list[str]) -> int:
    """Run all proofs, or those whose title holds one of the words."""
    chosen = [one for one in proofs() if not words or any(word in one.title for word in words)]
    failed = False
    for proof in chosen:
        seen_at = _seen_at()
        outcome = run(proof)
        failed |= outcome.code != 0
        page = PAGE.read_text("utf-8") if PAGE.exists() else ""
        PAGE.write_text(with_section(page, proof.title, section(outcome, seen_at)), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
