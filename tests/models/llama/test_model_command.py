"""``heed model``: what it prints and how it ends."""

import json
import re
from pathlib import Path

import gguf
import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

from agent.cli.model import register as register_check
from heed.errors import ModelError, UsageError
from models.cli import register
from models.llama.header import read_header
from models.llama.tiny import TextShape, TinyModel, build
from tests.models.cases import FEW


@pytest.fixture(autouse=True)
def few_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short prompt, so that the tests are quick."""
    monkeypatch.setattr("models.cli.default_pool", lambda: FEW)
    monkeypatch.setattr("agent.cli.model.installed_pool", lambda: FEW)


def heed(*arguments: object) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    register_check(app)
    register(app)
    return CliRunner().invoke(app, ["model", *map(str, arguments)])


def test_a_usable_model_passes_every_check(tiny_model: TinyModel) -> None:
    done = heed("check", tiny_model.model, "--mmproj", tiny_model.mmproj, "--threads", 1, "--json")
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    names = ["files", "memory", "loads", "sees", "answers", "reuses", "speed", "in time"]
    assert [finding["name"] for finding in findings] == names
    assert all(finding["ok"] for finding in findings)
    assert done.exit_code == 0


def test_a_deadline_that_is_too_short_is_a_finding_with_the_value_to_set(
    tiny_model: TinyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_POLICY__DECISION_TIMEOUT", "0.001")
    done = heed("check", tiny_model.model, "--threads", 1)
    assert done.exit_code == 1
    late = next(line for line in done.stdout.splitlines() if "in time" in line)
    assert late.startswith("FAULT")
    assert re.search(r"Set policy\.decision_timeout to \d+0, or", done.stdout)


def test_without_a_file_the_configured_model_is_checked(tiny_model: TinyModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_MODELS__LLAMA__MODEL", str(tiny_model.model))
    monkeypatch.setenv("HEED_MODELS__LLAMA__CONTEXT_TOKENS", "8192")
    assert "8,192 tokens of context" in heed("check", "--threads", 1).stdout


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
        assert made[case]["reused"] > 2 * made[case]["evaluated"]  # of a short pool, in bytes


def test_a_quantized_model_is_smaller_and_whole(tmp_path: Path) -> None:
    wide = build(tmp_path, TextShape(embedding=256, feed_forward=512))
    target = tmp_path / "small.gguf"
    done = heed("quantize", wide.model, target, "q4_k_m")
    assert done.exit_code == 0, done.output
    assert read_header(target).size < read_header(wide.model).size * 0.7


def importance_matrix(path: Path, width: int) -> Path:
    """A matrix in which one input of a layer counts a thousand times as much as the others."""
    writer = gguf.GGUFWriter(path, "")
    writer.add_type("imatrix")
    squares = np.ones((1, width), np.float32)
    squares[0, 0] = 1000
    writer.add_tensor("blk.0.ffn_up.weight.in_sum2", squares)
    writer.add_tensor("blk.0.ffn_up.weight.counts", np.array([[4]], np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_an_importance_matrix_changes_the_layer_that_it_names_and_no_other(tmp_path: Path) -> None:
    wide = build(tmp_path, TextShape(embedding=256, feed_forward=512))
    matrix = importance_matrix(tmp_path / "imatrix.gguf", 256)
    assert heed("quantize", wide.model, tmp_path / "plain.gguf").exit_code == 0
    done = heed("quantize", wide.model, tmp_path / "weighed.gguf", "--imatrix", matrix)
    assert done.exit_code == 0, done.output
    plain, weighed = (
        {tensor.name: tensor.data.tobytes() for tensor in gguf.GGUFReader(tmp_path / f"{name}.gguf").tensors}
        for name in ("plain", "weighed")
    )
    assert [name for name in plain if plain[name] != weighed[name]] == ["blk.0.ffn_up.weight"]


def test_a_file_that_is_no_importance_matrix_is_refused(tiny_model: TinyModel, tmp_path: Path) -> None:
    done = heed("quantize", tiny_model.model, tmp_path / "small.gguf", "--imatrix", tiny_model.mmproj)
    assert isinstance(done.exception, UsageError)
    assert "no importance matrix" in str(done.exception)


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
