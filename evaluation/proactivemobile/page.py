"""The report as one HTML page without scripts: tables, and bars drawn as SVG."""

from collections.abc import Mapping, Sequence
from html import escape

from evaluation.proactivemobile.metrics import Figures, ProactiveReport

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
    "candidate_recall": "R@20 %",
}
PLOTTED: Mapping[str, str] = {
    "success_strict": "good",
    "gate_recall": "good",
    "f1": "good",
    "false_trigger_rate": "bad",
}
"""What is drawn, and whether more of it is good or bad."""
_MEANING = (
    "SR: the calls do the same as a right answer (strict: every argument equal; lenient: free text alike; judged: a"
    " model's verdict where the strict rules say no). FTR: spoke where silence is right. Gate recall: spoke where"
    " something is right. Type-Acc: the same functions in the same order. P, R, F1: sets of function names against the"
    " best match. R@20: the right functions are among the perceptor's candidates."
)
_STYLE = """
:root{color-scheme:light dark;--ink:#1f2328;--soft:#656d76;--line:#d9dee3;--back:#fff;--good:#2f6f9f;--bad:#b3541e}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ea;--soft:#9aa4ad;--line:#343b42;--back:#15181b;--good:#6fb1de;
--bad:#e0905f}}
*{box-sizing:border-box}body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:76rem;padding:2rem 1.2rem 4rem;
color:var(--ink);background:var(--back)}h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2.5rem 0 .5rem}
p{color:var(--soft);max-width:60rem}.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}
td,th{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th{color:var(--soft);font-weight:500;font-size:.85rem}td:first-child,th:first-child{text-align:left}
tr.whole td{font-weight:600}.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1.5rem;
margin:1rem 0}figure{margin:0}figcaption{font-size:.85rem;color:var(--soft)}
svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--ink)}
svg .track{fill:var(--line);opacity:.45}svg .good{fill:var(--good)}svg .bad{fill:var(--bad)}
"""
_NAME, _BAR, _SAID, _ROW = 130, 150, 40, 20
_LONGEST = 21
"""Characters of a name beside its bar; the table has it whole."""


def shown(figures: Figures, name: str) -> str:
    """One figure as it is printed."""
    value = getattr(figures, name)
    if value is None:
        return "n/a"
    return str(value) if name == "cases" else f"{100 * value:.1f}"


def page(report: ProactiveReport, title: str) -> str:
    """The whole page."""
    parts = [_part("", {"all": report.all, **report.baselines})]
    if report.ablation:
        parts.append(_part("With one dimension left out", {"all": report.all, **report.ablation}))
    parts += [_part(f"By {name}", rows) for name, rows in report.groups.items()]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{escape(title)}</h1>{''.join(map(_paragraph, (_MEANING, *faults(report))))}{''.join(parts)}</html>"
    )


def faults(report: ProactiveReport) -> Sequence[str]:
    """What the figures hide, in sentences."""
    said = []
    if report.too_long:
        said.append(f"Not decided, and counted in no figure: {report.too_long} cases. {report.too_long_fault}")
    if report.faults:
        said.append(f"{report.faults} cases without an answer count as silence. Most of them: {report.fault}")
    if report.untranslated:
        said.append(
            f"{report.untranslated} cases have a right answer with a function that the pool map has no counterpart of;"
            " no proposal is equivalent to it."
        )
    if report.judge_faults:
        said.append(f"{report.judge_faults} verdicts that the judge did not give count against the reasoner.")
    return said


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _part(heading: str, rows: Mapping[str, Figures]) -> str:
    head = f"<h2>{escape(heading)}</h2>" if heading else ""
    plots = "".join(_plot(rows, column, kind) for column, kind in PLOTTED.items())
    return f'{head}<div class="scroll">{_table(rows)}</div><div class="plots">{plots}</div>'


def _table(rows: Mapping[str, Figures]) -> str:
    """Without the columns that no row has a figure for."""
    columns = [name for name in COLUMNS if any(getattr(figures, name) is not None for figures in rows.values())]
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *(COLUMNS[column] for column in columns)))
    body = "".join(_cells(name, [shown(figures, column) for column in columns]) for name, figures in rows.items())
    return f"<table><tr>{head}</tr>{body}</table>"


def _cells(name: str, cells: Sequence[str]) -> str:
    whole = ' class="whole"' if name == "all" else ""
    return f"<tr{whole}><td>{escape(name)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _plot(rows: Mapping[str, Figures], column: str, kind: str) -> str:
    bars = "".join(
        _bar(at, name, getattr(figures, column), shown(figures, column), kind)
        for at, (name, figures) in enumerate(rows.items())
    )
    caption = COLUMNS[column]
    box = f"0 0 {_NAME + _BAR + _SAID} {_ROW * len(rows)}"
    return (
        f'<figure><figcaption>{escape(caption)}</figcaption><svg viewBox="{box}" role="img">'
        f"<title>{escape(caption)}</title>{bars}</svg></figure>"
    )


def _bar(at: int, name: str, value: float | None, said: str, kind: str) -> str:
    top = _ROW * at
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    bar = f'<rect class="{kind}" x="{_NAME}" y="{top + 4}" width="{_BAR * (value or 0.0):.1f}" height="{_ROW - 8}"/>'
    return (
        f'<text x="0" y="{top + 14}">{escape(short)}</text>'
        f'<rect class="track" x="{_NAME}" y="{top + 4}" width="{_BAR}" height="{_ROW - 8}"/>{bar}'
        f'<text x="{_NAME + _BAR + 6}" y="{top + 14}">{said}</text>'
    )
