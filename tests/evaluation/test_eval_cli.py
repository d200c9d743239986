"""``heed eval`` prints the figures and writes the predictions."""

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from evaluation.cli import register

APP = typer.Typer()
register(APP)


def test_knowu_prints_a_table_and_writes_predictions(shared: Path, tmp_path: Path) -> None:
    out = tmp_path / "predictions.jsonl"
    result = CliRunner().invoke(APP, ["eval", "knowu", str(shared / "bench" / "knowu"), "--predictions", str(out)])
    assert result.exit_code == 0, result.output
    assert "balanced accuracy" in result.output
    assert "stop rate" in result.output
    assert len([json.loads(line) for line in out.read_text("utf-8").splitlines()]) == 46


def test_knowu_prints_json(shared: Path) -> None:
    folder = str(shared / "bench" / "knowu")
    result = CliRunner().invoke(APP, ["eval", "knowu", folder, "--log", "noise", "--json"])
    assert json.loads(result.output)["main"]["n_act"] == 13


def test_another_log_is_refused(shared: Path) -> None:
    result = CliRunner().invoke(APP, ["eval", "knowu", str(shared / "bench" / "knowu"), "--log", "loud"])
    assert result.exit_code == 2
