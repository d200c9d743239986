"""The fault matrix: how many cells of each fault and stage held (``tests/faults/test_matrix.py``).

``python -m bench.faults`` runs the cells of ``make test``, with ``HEED_PROVE=1`` all of them.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tests.faults.stages import CANNOT_OCCUR, FaultKind, Stage

HERE = Path(__file__).parent
TIMEOUT = 3600.0


def run(report: Path) -> int:
    """Run the matrix; pytest's exit status."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/faults/test_matrix.py", f"--junitxml={report}"]
    return subprocess.run(command, cwd=HERE.parent, timeout=TIMEOUT, check=False).returncode


def counts(report: Path) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """The cells that held and those that were run, by fault and stage."""
    held, ran = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for case in ElementTree.parse(report).iter("testcase"):
        _, _, cell = case.attrib["name"].partition("[")
        fault, at, stage = cell.removesuffix("]").partition(" + ")[0].partition(" at ")
        if at:
            ran[fault, stage] += 1
            held[fault, stage] += case.find("failure") is None and case.find("error") is None
    return held, ran


def table(held: Counter[tuple[str, str]], ran: Counter[tuple[str, str]]) -> str:
    """A row per fault, a column per stage: held/run; a dash where the fault cannot occur."""
    lines = [f"{'':24}" + "".join(f"{stage:>9}" for stage in Stage)]
    for fault in FaultKind:
        cells = (
            "-" if (fault, stage) in CANNOT_OCCUR else f"{held[fault, stage]}/{ran[fault, stage]}" for stage in Stage
        )
        lines.append(f"{fault:24}" + "".join(f"{cell:>9}" for cell in cells))
    return "\n".join([*lines, f"{held.total()} of {ran.total()} held"])


def main() -> int:
    """Run, and print the counts."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "faults.xml"
        code = run(report)
        print(table(*counts(report)))
    return code


if __name__ == "__main__":
    sys.exit(main())
