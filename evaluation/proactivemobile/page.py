"""The report as one HTML page without scripts: tables, and bars drawn as SVG."""

from collections.abc import Mapping, Sequence
from html import escape

from evaluation.proactivemobile.metrics import Figures, Report

COLUMNS: Mapping[str, str] = {
    "cases": "cases",
    "success_strict": "SR strict %",
    "success_lenient": "SR lenient %",
    "success_judged": "SR judged %",
    "false_trigger_rate": "FTR %",
    "gate_recall": "gate recall %",
    "type_accuracy": "Type-Acc %",
    "precision": "P %",
    "recall": "R %",
    "f1": "F1 %",
    "candidate_recall": "candidate recall@20 %",
}
_STYLE = (
    "body{font:15px system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.3em .7em;border-bottom:1px solid #ddd;text-align:right}"
    "td:first-child,th:first-child{text-align:left}svg text{font:12px system-ui,sans-serif}"
)
_BAR, _ROW, _LEFT = 420, 22, 170


def shown(figures: Figures, name: str) -> str:
    """One figure as it is printed."""
    value = getattr(figures, name)
    if value is None:
        return "n/a"
    return str(value) if name == "cases" else f"{100 * value:.1f}"


def page(report: Report, title: str) -> str:
    """The whole page."""
    head = {"all": report.all, **report.baselines}
    groups = "".join(
        f"<h2>By {escape(name)}</h2>{_table(rows)}{_plot(rows, 'f1')}" for name, rows in report.groups.items()
    )
    faults = f"<p>{report.faults} cases without an answer count as silence.</p>" if report.faults else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f"<h1>{escape(title)}</h1>{faults}{_table(head)}{_plot(head, 'f1')}{_plot(head, 'false_trigger_rate')}{groups}"
        "</html>"
    )


def _table(rows: Mapping[str, Figures]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *COLUMNS.values()))
    body = "".join(_cells(name, [shown(figures, column) for column in COLUMNS]) for name, figures in rows.items())
    return f"<table><tr>{head}</tr>{body}</table>"


def _cells(name: str, cells: Sequence[str]) -> str:
    return f"<tr><td>{escape(name)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _plot(rows: Mapping[str, Figures], column: str) -> str:
    bars = "".join(
        _bar(at, name, getattr(figures, column), shown(figures, column))
        for at, (name, figures) in enumerate(rows.items())
    )
    height = _ROW * (len(rows) + 1)
    return (
        f'<svg width="{_LEFT + _BAR + 60}" height="{height}" role="img"><title>{escape(COLUMNS[column])}</title>'
        f'<text x="0" y="14" font-weight="bold">{escape(COLUMNS[column])}</text>{bars}</svg>'
    )


def _bar(at: int, name: str, value: float | None, said: str) -> str:
    top = _ROW * (at + 1)
    width = _BAR * (value or 0.0)
    return (
        f'<text x="0" y="{top + 14}">{escape(name)}</text>'
        f'<rect x="{_LEFT}" y="{top + 2}" width="{width:.1f}" height="{_ROW - 6}" fill="#3a6ea5"/>'
        f'<text x="{_LEFT + width + 6:.1f}" y="{top + 14}">{said}</text>'
    )
