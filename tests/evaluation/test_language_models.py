"""``heed eval`` runs with a language model and prints the same report: random weights of the real architecture."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from evaluation.cli import register
from evaluation.knowu.cases import load_cases
from evaluation.knowu.metrics import report
from evaluation.knowu.run import play, reasoners_of
from function_pool.spec import Pool, default_pool
from heed.clock import SystemClock
from models.config import ModelsConfig, OpenAIConfig, PromptConfig, ReasonerKind
from models.llama.tiny import TinyModel, build
from tests.models.cases import SHORT, llama_config
from tests.models.openai.test_openai_server import Server

APP = typer.Typer()
register(APP)
POOL = Pool(functions={name: default_pool().get(name) for name in ("set_connectivity", "query_weather")})


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TinyModel:
    return build(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def server(model: TinyModel) -> Iterator[Server]:
    running = Server(model)
    yield running
    running.end()


@pytest.fixture(params=["llama", "openai"])
def config(request: pytest.FixtureRequest, model: TinyModel) -> ModelsConfig:
    if request.param == "llama":
        return llama_config(model)
    url = request.getfixturevalue("server").url
    chosen = OpenAIConfig(base_url=url, answer_tokens=800)
    return ModelsConfig(reasoner=ReasonerKind.OPENAI, openai=chosen, prompt=PromptConfig(limits=SHORT))


def test_proactivemobile_prints_the_same_report(
    config: ModelsConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(config, monkeypatch)
    result = CliRunner().invoke(APP, _command(tmp_path, config.reasoner))
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert figures["all"]["cases"] == 2
    assert figures["faults"] == 0
    assert set(figures["baselines"]) == {"always silent", "always act", "majority"}


def test_a_pool_too_long_for_the_context_is_said_and_not_counted_as_silence(
    config: ModelsConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(
        config.model_copy(update={"llama": config.llama.model_copy(update={"context_tokens": 8192})}), monkeypatch
    )
    file, lines, html = tmp_path / "cases.json", tmp_path / "made.jsonl", tmp_path / "report.html"
    command = _command(tmp_path, config.reasoner)
    options = ["--reasoner", config.reasoner.value, "--predictions", str(lines), "--html", str(html)]
    result = CliRunner().invoke(APP, [*command[:2], str(file), *options])
    assert result.exit_code == 0, result.output
    assert "Not decided, and counted in no figure: 2 cases. The prompt" in result.output
    assert "as silence" not in result.output
    assert "Not decided" in html.read_text("utf-8")
    result = CliRunner().invoke(APP, [*command[:2], str(file), *options, "--json"])
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert (figures["too_long"], figures["faults"]) == (2, 0)
    assert (figures["all"]["cases"], figures["all"]["success_strict"]) == (0, None)
    assert len(lines.read_text("utf-8").splitlines()) == 4, "such a record is decided again"


def test_calls_of_another_pool_are_judged_in_our_names(
    config: ModelsConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(config, monkeypatch)
    command = _command(tmp_path, config.reasoner)
    pool, table = tmp_path / "pool.json", tmp_path / "map.yaml"
    theirs = POOL.get("query_weather").model_copy(update={"name": "天气"})
    pool.write_text(json.dumps({"天气": theirs.model_dump(mode="json")}), "utf-8")
    table.write_text("source: a test\nfunctions: {天气: {function: query_weather}}", "utf-8")
    lines = tmp_path / "made.jsonl"
    result = CliRunner().invoke(APP, [*command, "--pool-map", str(table), "--predictions", str(lines)])
    assert result.exit_code == 0, result.output
    made = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert len(made) == 2
    assert not any(one["fault"] for one in made)
    assert {call["name"] for one in made for call in one["calls"]} <= {"query_weather"}


def _configure(config: ModelsConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("prompt", "llama", "openai"):
        monkeypatch.setenv(f"HEED_MODELS__{name.upper()}", getattr(config, name).model_dump_json(exclude_defaults=True))


def _command(folder: Path, kind: ReasonerKind) -> list[str]:
    said = {"profile": "Ann", "phone": "6 March 2026, 21:00.", "world": "", "trace": ["Opened Clock"]}
    cases = [
        {"benchmark_metadata": {"id": str(at)}, "reference_information": said, "recommendation": []} for at in (1, 2)
    ]
    file, pool = folder / "cases.json", folder / "pool.json"
    file.write_text(json.dumps(cases), "utf-8")
    pool.write_text(json.dumps({spec.name: spec.model_dump(mode="json") for spec in POOL}), "utf-8")
    return ["eval", "proactivemobile", str(file), "--pool", str(pool), "--reasoner", kind.value, "--json"]


async def test_knowu_is_decided_by_a_model_that_sees_the_end_of_the_log(
    config: ModelsConfig, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = shared / "bench" / "knowu"
    cases = load_cases(folder)[:2]
    async with reasoners_of(cases, folder, "clean", POOL, config, SystemClock()) as reasoners:
        made = await play(cases, reasoners, "clean", POOL)
    assert "without an answer" not in caplog.text
    assert [one.id for one in made] == [case.id for case in cases]
    shown = report(cases, made).all
    assert shown.n_act + shown.n_silent == 2
