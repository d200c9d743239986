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
    for name in ("prompt", "llama", "openai"):
        monkeypatch.setenv(f"HEED_MODELS__{name.upper()}", getattr(config, name).model_dump_json(exclude_defaults=True))
    result = CliRunner().invoke(APP, _command(tmp_path, config.reasoner))
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert figures["all"]["cases"] == 2
    assert figures["faults"] == 0
    assert set(figures["baselines"]) == {"always silent", "always act", "majority"}


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
