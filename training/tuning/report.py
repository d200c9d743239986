"""The report of a training: what was learned from, how the loss went, what was made, and what it can do."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluation.proactivemobile.metrics import Figures
from heed.language import Language
from heed.messages import sentences, translate
from heed.model import Frozen
from training.tuning.delivery import Delivered

_LICENCES = """\
The corpus, its labels and the grammars are heed's (Apache-2.0), written by language models, without personal data.
Records that you added keep their licence; those of ProactiveMobile are CC BY-NC-SA and must not become part of heed's
data. A fine-tune is bound by the licence of its base: read the base's licence file before you publish the weights."""
_MIB = 1024 * 1024


class TrainingReport(Frozen):
    """Everything that is told of one training."""

    base: str
    command: str
    data: Mapping[str, int]
    course: Mapping[str, str]
    """Loss or reward, steps, time and memory, in words."""
    delivered: Delivered | None = None


def write_report(report: TrainingReport, folder: Path) -> Path:
    """Writes ``report.json`` and ``report.md``; returns the page."""
    (folder / "report.json").write_text(report.model_dump_json(indent=1), "utf-8")
    page = folder / "report.md"
    page.write_text("\n".join(_lines(report, folder)) + "\n", "utf-8")
    return page


def _lines(report: TrainingReport, folder: Path) -> Iterator[str]:
    yield from ("# Training report", "", f"Base: {report.base}", "", f"Command: `{report.command}`", "")
    yield from _table("Data", report.data)
    yield from _table("Training", report.course)
    if report.delivered is not None:
        sizes = {
            str(path.relative_to(folder)): f"{path.stat().st_size / _MIB:,.1f} MiB" for path in report.delivered.files
        }
        yield from _table("Files", sizes)
        for name, findings in report.delivered.checks.items():
            told = {
                f.name: f"{'' if f.ok else 'FAULT: '}{translate(sentences(f.detail), Language.EN)}" for f in findings
            }
            yield from _table(f"`heed model check {name}`", told)
        for name, figures in report.delivered.figures.items():
            yield from _table(f"Held-out records, {name}", _told(figures))
    yield from ("## Licences", "", _LICENCES)


def _table(title: str, rows: Mapping[str, object]) -> Iterator[str]:
    yield from (f"## {title}", "", "| | |", "|---|---|")
    yield from (f"| {name} | {value} |" for name, value in rows.items())
    yield ""


def _told(figures: Figures) -> Mapping[str, str]:
    shares = ("success_strict", "success_lenient", "false_trigger_rate", "gate_recall", "type_accuracy", "f1")
    values = {name: getattr(figures, name) for name in shares}
    told = {name.replace("_", " "): "–" if value is None else f"{value:.1%}" for name, value in values.items()}
    return {"records": str(figures.cases), **told}
