"""KnowU-Bench's general and personalised tasks, by its own code, on the virtual phone."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from bench.oracles.environment import ORACLES
from evaluation.cli import register
from evaluation.knowu.tasks.metrics import SUCCESS, Stage, TaskResult, report, table
from heed.errors import PersonError, UsageError
from tests.evaluation.loopback import scripted
from tests.oracles.conftest import NEEDS_ENVIRONMENT
from tests.proof import PROVING

APP = typer.Typer()
register(APP)
PERSONA_TASK = "SortFilesByHabitPreferenceAskUserTask@user"
JUDGED_TASK = "CommuteRoutingBadWeatherGeneralTask"


def invoke(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(APP, ["eval", "knowu", str(folder), "--python", str(ORACLES.python()), *options])


def run(folder: Path, *options: str) -> dict[str, Any]:
    result = invoke(folder, *options, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout[result.stdout.index("{") :])
    return found


def task(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in found["results"] if one["name"] == name)


@pytest.fixture
def source(shared: Path) -> Path:
    return shared / "oracles" / "knowu" / "src"


@NEEDS_ENVIRONMENT
@pytest.mark.timeout(1800)
class TestOnThePhone:
    def test_a_request_is_carried_out_and_the_checker_accepts_it(self, source: Path) -> None:
        found = run(source, "--tasks", "general", "--task", "BatterySaverGeneralTask")
        (only,) = found["results"]
        assert (only["stage"], only["score"], only["functions"]) == ("solved", 1.0, ["set_power_saving_mode"])
        assert (only["questions"], only["consents"], only["pressed"]) == (0, 1, "")
        assert found["figures"]["general"]["success_rate"] == 1.0

    def test_the_owner_presses_the_button_that_heed_leaves_to_them(self, source: Path) -> None:
        only = run(source, "--tasks", "general", "--task", "BirthdayWishGeneralTask")["results"][0]
        assert only["stage"] == "solved"
        assert only["pressed"]

    def test_the_score_has_the_rule_part_alone_without_a_judge(self, source: Path) -> None:
        only = run(source, "--tasks", "general", "--task", JUDGED_TASK)["results"][0]
        assert (only["judged"], only["score"], only["judge_faults"]) == (1, 0.0, [])
        assert only["stage"] == Stage.NOT_ACCEPTED

    def test_a_model_that_judges_has_its_part_in_the_score(self, source: Path) -> None:
        with scripted(lambda asked: "<think>dry</think><score>1.0</score>") as judge:
            options = ("--judge", judge.url, "--judge-model", "strict")
            only = run(source, "--tasks", "general", "--task", JUDGED_TASK, *options)["results"][0]
        assert (only["stage"], only["score"], only["judged"]) == ("solved", 1.0, 1)
        assert judge.asked[0]["model"] == "strict"

    def test_the_score_of_a_personalised_task_is_the_rule_part_and_the_judges_part(self, source: Path) -> None:
        with scripted(lambda asked: "<score>0.5</score>") as judge:
            options = ("--task", PERSONA_TASK, "--judge", judge.url)
            (only,) = run(source, "--tasks", "personalised", *options)["results"]
        assert only["score"] == pytest.approx(0.4 * 0 + 0.6 * 0.5)
        assert "PERSONA" in judge.asked[0]["messages"][1]["content"]

    def test_a_judge_that_fails_is_reported(self, source: Path) -> None:
        with scripted(lambda asked: 400) as judge:
            only = run(source, "--tasks", "general", "--task", JUDGED_TASK, "--judge", judge.url)["results"][0]
        assert only["judge_faults"]
        assert only["score"] <= SUCCESS

    def test_a_model_plays_the_user_and_its_no_counts(self, source: Path) -> None:
        with scripted(lambda asked: "REJECT, I changed my mind.") as user:
            options = ("--user", user.url, "--user-model", "player")
            only = run(source, "--tasks", "general", "--task", "BatterySaverGeneralTask", *options)["results"][0]
        assert (only["stage"], only["score"], only["consents"]) == (Stage.DECLINED, 0.0, 1)
        assert only["chat"][1] == {"role": "assistant", "content": "REJECT, I changed my mind."}
        asked = user.asked[0]
        assert (asked["model"], asked["temperature"], asked["seed"]) == ("player", 0.0, 42)
        assert asked["messages"][0]["role"] == "system"

    def test_a_task_that_lacks_its_service_is_named_with_the_reason(self, source: Path) -> None:
        found = run(source, "--tasks", "general", "--task", "MattermostLeaveNoticeGeneralTask")
        (only,) = found["results"]
        assert (only["stage"], only["lacking"]) == (Stage.NOT_PREPARED, ["Mattermost"])
        assert "Mattermost" in only["reason"]

    @pytest.mark.parametrize("memory", ["full", "nearest:3"])
    def test_a_persona_has_a_memory(self, source: Path, memory: str) -> None:
        found = run(source, "--tasks", "personalised", "--task", PERSONA_TASK, "--memory", memory)
        assert found["conditions"]["memory"].startswith(memory)
        assert task(found, PERSONA_TASK)["kind"] == "personalised"

    def test_a_task_that_does_not_exist_is_refused(self, source: Path) -> None:
        result = invoke(source, "--tasks", "general", "--task", "Nothing")
        assert isinstance(result.exception, UsageError)
        assert "Nothing" in str(result.exception)

    @pytest.mark.skipif(not PROVING, reason="all tasks take some minutes")
    def test_every_task_ends_without_a_fault_of_heed(self, source: Path) -> None:
        found = run(source, "--tasks", "all")
        assert found["figures"]["general"]["tasks"] == 42
        assert found["figures"]["personalised"]["tasks"] == 46  # of two personas
        assert not [one for one in found["results"] if one["stage"] in (Stage.FAULT, Stage.NOT_JUDGED)]
        assert found["figures"]["general"]["solved"] >= 5


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--tasks", "general"], "knowu_bench"),
        (["--tasks", "general", "--memory", "some"], "nearest:10"),
        (["--tasks", "general", "--memory", "nearest:0"], "nearest:10"),
        (["--tasks", "general", "--predictions", "made.jsonl"], "--predictions"),
    ],
)
def test_what_cannot_be_run_is_said_with_the_remedy(tmp_path: Path, options: list[str], word: str) -> None:
    result = CliRunner().invoke(APP, ["eval", "knowu", str(tmp_path), *options])
    assert isinstance(result.exception, UsageError)
    assert word in str(result.exception)
    assert result.exception.remedy


def test_an_interpreter_without_the_packages_is_named(tmp_path: Path) -> None:
    (tmp_path / "knowu_bench" / "tasks").mkdir(parents=True)
    result = CliRunner().invoke(APP, ["eval", "knowu", str(tmp_path), "--tasks", "general"])
    assert isinstance(result.exception, PersonError)
    assert "ModuleNotFoundError" in str(result.exception)
    assert "--python" in str(result.exception.remedy)


def made(name: str, stage: Stage, score: float, *, questions: int = 0, consents: int = 0) -> TaskResult:
    return TaskResult(
        name=name, kind="personalised", request="", stage=stage, score=score, questions=questions, consents=consents
    )


def test_the_figures_are_those_of_the_benchmark() -> None:
    results = [
        made("a", Stage.SOLVED, 1.0, questions=1, consents=1),
        made("b", Stage.NOT_ACCEPTED, 0.4),
        made("c", Stage.NO_FUNCTION, 0.0, questions=3),
        made("d", Stage.NOT_PREPARED, 0.0),
    ]
    figures = report(results, {}).figures["personalised"]
    assert (figures.tasks, figures.solved, figures.success_rate) == (4, 1, 0.25)
    assert figures.average_score == pytest.approx(0.35)
    assert figures.interaction_efficiency == pytest.approx((1.0 / 2 + 0.4 / 1) / 4)
    assert figures.queries == pytest.approx(5 / 4)
    assert figures.stages == {
        Stage.SOLVED: 1, Stage.NOT_ACCEPTED: 1, Stage.NO_FUNCTION: 1, Stage.NOT_PREPARED: 1,
    }  # fmt: skip


def test_the_table_names_each_task_with_the_reason() -> None:
    lost = made("b", Stage.REFUSED, 0.0).model_copy(update={"reason": "No such app.", "lacking": ("Taodian",)})
    shown = table(report([made("a", Stage.SOLVED, 1.0), lost], {"judge": "none"}))
    assert "judge: none" in shown
    assert "b: 0.00, refused before anything was done\n  No such app.\n  not on the phone: Taodian" in shown
