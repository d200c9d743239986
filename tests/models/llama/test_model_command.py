"""``heed model``: what it prints and how it ends."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from heed.errors import ModelError, UsageError
from models.cli import register
from models.llama.header import read_header
from models.llama.tiny import TextShape, TinyModel, build
from tests.models.cases import FEW


@pytest.fixture(autouse=True)
def few_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short prompt, so that the tests are quick."""
    monkeypatch.setattr("models.cli.default_pool", lambda: FEW)


def heed(*arguments: object) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    return CliRunner().invoke(app, ["model", *map(str, arguments)])


def test_a_usable_model_passes_every_check(tiny_model: TinyModel) -> None:
    done = heed("check", tiny_model.model, "--mmproj", tiny_model.mmproj, "--threads", 1, "--json")
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    names = ["files", "memory", "loads", "sees", "answers", "reuses", "speed"]
    assert [finding["name"] for finding in findings] == names
    assert all(finding["ok"] for finding in findings)
    assert done.exit_code == 0


def test_a_cut_model_fails_with_what_to_do(tiny_model: TinyModel, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny_model.model.read_bytes()[:-1000])
    done = heed("check", cut)
    assert done.exit_code == 1
    assert "cut off" in done.stdout
    assert "Download it again" in done.stdout


def test_a_model_made_by_the_command_is_the_one_the_tests_use(tiny_model: TinyModel, tmp_path: Path) -> None:
    done = heed("tiny", tmp_path)
    assert done.exit_code == 0
    for file in tiny_model:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_bench_measures_every_case(tiny_model: TinyModel) -> None:
    done = heed("bench", tiny_model.model, "--mmproj", tiny_model.mmproj, "--repeats", 1, "--threads", 1, "--json")
    made = {row["case"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert list(made) == ["cold", "warm", "1 screenshots", "2 screenshots", "3 screenshots", "restarted"]
    assert made["cold"]["reused"] == 0
    for case in ("warm", "restarted"):
        assert made[case]["reused"] > 4 * made[case]["evaluated"]


def test_a_quantized_model_is_smaller_and_whole(tmp_path: Path) -> None:
    wide = build(tmp_path, TextShape(embedding=256, feed_forward=512))
    target = tmp_path / "small.gguf"
    done = heed("quantize", wide.model, target, "q4_k_m")
    assert done.exit_code == 0, done.output
    assert read_header(target).size < read_header(wide.model).size * 0.7


def test_what_cannot_be_quantized_is_said(tiny_model: TinyModel, tmp_path: Path) -> None:
    target = tmp_path / "small.gguf"
    assert isinstance(heed("quantize", tiny_model.model, target, "Q9").exception, UsageError)
    assert isinstance(heed("quantize", tmp_path / "missing.gguf", target).exception, ModelError)
    target.write_text("there already")
    assert isinstance(heed("quantize", tiny_model.model, target).exception, UsageError)
    assert target.read_text() == "there already"


def test_help_names_the_commands() -> None:
    done = heed("--help")
    for name in ("check", "bench", "quantize", "tiny"):
        assert name in done.stdout


@pytest.mark.parametrize("reference", ["hf:nothing", ""])
def test_a_bad_reference_is_a_finding(reference: str) -> None:
    done = heed("check", reference)
    assert done.exit_code == 1
    assert "FAULT" in done.stdout
