"""What the embedded default reached on the 60 hand-written cases holds; what it missed is on the perceptor's card."""

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from evaluation.cli import register


def test_the_embedded_default_keeps_what_it_reached_on_the_shared_cases(shared: Path) -> None:
    app = typer.Typer()
    register(app)
    file = shared / "bench" / "proactive" / "cases.json"
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), "--json"], catch_exceptions=False)
    figures = json.loads(result.stdout[result.stdout.index("{") :])["all"]
    assert figures["cases"] == 60
    assert figures["false_trigger_rate"] <= 0.10
    assert figures["type_accuracy"] >= 0.40
    assert figures["gate_recall"] >= 0.35
    assert figures["candidate_recall"] >= 0.95
