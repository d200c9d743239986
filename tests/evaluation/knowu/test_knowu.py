"""KnowU's proactive decisions with the routines reasoner alone: situations off, profile not read."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.knowu.cases import KnowuCase, load_cases, load_log
from evaluation.knowu.metrics import KnowuPrediction, KnowuReport, matches, report
from evaluation.knowu.run import Log, play, routines_of
from function_pool.spec import default_pool
from heed.errors import UsageError
from models.routines.mining.miner import mine
from models.routines.reasoner import RoutinesReasoner

from .disguise import disguise

POOL = default_pool()
LOGS: tuple[Log, ...] = ("clean", "noise")
TARGETS = {"clean": 0.90, "noise": 0.85}
REPO = Path(__file__).parents[3]
_FOR_THE_SCORER = ("id", "template", "kind", "expect", "contested", "contested_reason", "difficulty", "notes")


@pytest.fixture(scope="session")
def knowu(shared: Path) -> Path:
    return shared / "bench" / "knowu"


async def run(folder: Path, log: Log) -> tuple[list[KnowuCase], list[KnowuPrediction], KnowuReport]:
    cases = load_cases(folder)
    predictions = await play(cases, routines_of(cases, folder, log, POOL), log, POOL)
    return cases, predictions, report(cases, predictions)


def assert_targets(result: KnowuReport, log: Log) -> None:
    assert result.main.balanced_accuracy is not None
    assert result.main.balanced_accuracy >= TARGETS[log]
    assert result.main.function_match is not None
    assert result.main.function_match >= 0.80
    assert result.stop.stop_rate == 1.0


@pytest.mark.parametrize("log", LOGS)
async def test_the_targets_are_met(knowu: Path, log: Log) -> None:
    _, _, result = await run(knowu, log)
    assert_targets(result, log)


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("minutes", [-50, 25])
async def test_the_score_holds_with_other_names_words_and_times(
    knowu: Path, tmp_path: Path, log: Log, minutes: int
) -> None:
    _, _, result = await run(disguise(knowu, tmp_path / "disguised", shift=timedelta(minutes=minutes)), log)
    assert_targets(result, log)


def test_the_disguise_leaves_nothing_to_recognise(knowu: Path, tmp_path: Path) -> None:
    folder = disguise(knowu, tmp_path / "disguised", shift=timedelta(minutes=25))
    texts = [path.read_text("utf-8") for path in folder.rglob("*.jsonl")]
    cases = json.loads((folder / "cases.json").read_text("utf-8"))
    texts += [json.dumps([case["events"], case["device_state"]], ensure_ascii=False) for case in cases]
    for name in ("Mattermost", "AlphaXiv", "HuggingFace", "PagerDuty", "Tuantuan", "Bob", "Mingyu", "devops", "15%"):
        assert not any(name in text for text in texts), name


@pytest.mark.parametrize("log", LOGS)
async def test_the_metrics_are_those_of_the_data_sets_own_scorer(knowu: Path, tmp_path: Path, log: Log) -> None:
    _, predictions, ours = await run(knowu, log)
    theirs = score(knowu, tmp_path, predictions)
    for block, rates in (("main", ours.main), ("contested", ours.contested), ("all", ours.all)):
        for name, value in rates.model_dump().items():
            assert theirs[block][name] == value, (block, name)
    for name, value in ours.stop.model_dump().items():
        assert theirs["stop"][name] == value


async def test_the_metrics_agree_on_wrong_predictions_too(knowu: Path, tmp_path: Path) -> None:
    cases, predictions, _ = await run(knowu, "clean")
    wrong = [spoilt(prediction, number) for number, prediction in enumerate(predictions) if number % 7]
    theirs = score(knowu, tmp_path, wrong)
    ours = report(cases, wrong)
    for block, rates in (("main", ours.main), ("all", ours.all)):
        for name, value in rates.model_dump().items():
            assert theirs[block][name] == value, (block, name)


def spoilt(prediction: KnowuPrediction, number: int) -> KnowuPrediction:
    """The prediction, made wrong in one of several ways."""
    changes: list[dict[str, Any]] = [
        {},
        {"decision": "silent", "functions": ()},
        {"decision": "ask", "functions": prediction.functions * 2},
        {"decision": "act", "functions": tuple(c.model_copy(update={"parameters": {}}) for c in prediction.functions)},
    ]
    return prediction.model_copy(update=changes[number % len(changes)])


def score(knowu: Path, folder: Path, predictions: list[KnowuPrediction]) -> dict[str, Any]:
    """What the data set's own scorer says."""
    path, out = folder / "predictions.jsonl", folder / "score.json"
    path.write_text("\n".join(one.model_dump_json(exclude_none=True) for one in predictions), "utf-8")
    files = [str(knowu / "cases.json"), str(knowu / "reject_cases.json")]
    command = [sys.executable, str(knowu / "score.py"), "--cases", *files, "--pred", str(path), "--json", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    result: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return result


def test_a_context_holds_only_what_the_system_may_see(knowu: Path) -> None:
    raw = {
        case["id"]: case
        for name in ("cases.json", "reject_cases.json")
        for case in json.loads((knowu / name).read_text("utf-8"))
    }
    for case in load_cases(knowu):
        hidden = {name: value for name, value in raw[case.id].items() if name not in _FOR_THE_SCORER}
        visible = KnowuCase.model_validate(
            {**hidden, **{"id": "x", "contested": False, "expect": {"decision": "silent"}}}
        )
        assert visible.context() == case.context()


def test_the_lexicon_keys_on_nothing_of_the_data_set(knowu: Path) -> None:
    data = [path.read_text("utf-8").lower() for path in (REPO / "models" / "routines").rglob("*.yaml")]
    names = yaml.safe_load((Path(__file__).parent / "disguise.yaml").read_text("utf-8"))["proper_names"]
    for name in (*names, *{case["template"] for case in json.loads((knowu / "cases.json").read_text("utf-8"))}):
        assert not any(name.lower() in text for text in data), name


async def test_always_silent_and_always_act_are_both_half_right(knowu: Path) -> None:
    cases = load_cases(knowu)
    silent = report(cases, [KnowuPrediction(id=case.id, decision="silent") for case in cases])
    act = report(cases, [KnowuPrediction(id=case.id, decision="act") for case in cases])
    assert silent.main.balanced_accuracy == act.main.balanced_accuracy == 0.5
    assert act.main.function_match == 0.0


async def test_memory_is_reset_between_cases(knowu: Path) -> None:
    cases = [case for case in load_cases(knowu) if case.if_rejected]
    reasoners = routines_of(cases, knowu, "clean", POOL)
    forward = await play(cases, reasoners, "clean", POOL)
    backward = await play(cases[::-1], reasoners, "clean", POOL)
    assert forward == backward[::-1]


async def test_two_cases_of_one_role_decide_by_the_logs_that_they_name(knowu: Path, tmp_path: Path) -> None:
    case = next(case for case in load_cases(knowu) if case.id == "developer.BatterySaverRoutineTask")
    (tmp_path / "full.jsonl").write_bytes((knowu / case.logs["clean"]).read_bytes())
    idle = {"time": "2026-01-05T09:00:00+08:00", "location": "home", "action": "Ate breakfast"}
    (tmp_path / "idle.jsonl").write_text(json.dumps(idle) + "\n", "utf-8")
    cases = [
        case.model_copy(update={"id": name, "logs": {"clean": f"{name}.jsonl"}, "if_rejected": ()})
        for name in ("full", "idle")
    ]
    made = await play(cases, routines_of(cases, tmp_path, "clean", POOL), "clean", POOL)
    assert [one.decision for one in made] == ["ask", "silent"]


def test_low_battery_with_the_developers_log_is_answered_with_its_lines(knowu: Path) -> None:
    entries = load_log(knowu / "logs" / "developer.clean.jsonl")
    case = next(case for case in load_cases(knowu) if case.id == "developer.BatterySaverRoutineTask")
    names = [spec.name for spec in POOL]
    recommendation = RoutinesReasoner(mine(entries, POOL)).decide(case.context(), POOL, names)
    assert [(call.name, dict(call.parameters)) for call in recommendation.calls] == [
        ("set_power_saving_mode", {"enabled": True})
    ]
    cited = {int(evidence.ref) for evidence in recommendation.why.evidence if evidence.kind == "log_line"}
    assert cited == {entry.line for entry in entries if "battery level" in entry.action}
    assert RoutinesReasoner(mine([], POOL)).decide(case.context(), POOL, names).silent


@pytest.mark.parametrize(
    ("value", "wanted", "fits"),
    [
        ("DevOps team", {"contains": "devops"}, True),
        (["a@b.c"], {"contains": "a@b.c"}, True),
        ("+1 555-0199", {"digits": "5550199"}, True),
        ("0199", {"digits": "5550199"}, False),
        ("2026-01-09", {"date_between": ["2026-01-01", "2026-01-31"]}, True),
        ("soon", {"date_between": ["2026-01-01", "2026-01-31"]}, False),
        (None, {"if_present": "07:30"}, True),
        ("08:00", {"if_present": "07:30"}, False),
        ("On", {"any_of": ["on", "true"]}, True),
        (True, True, True),
        ("yes", True, True),
        ("0%", 0, True),
        (0.0, 0, True),
        ("one two", {"contains_all": ["one", "two"], "not_contains": ["three"]}, True),
        ("one two three", {"contains_all": ["one", "two"], "not_contains": ["three"]}, False),
    ],
)
def test_parameters_are_compared_as_the_readme_says(value: Any, wanted: Any, fits: bool) -> None:
    assert matches(value, wanted) == fits


def test_a_folder_without_cases_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Cannot read .*cases\.json"):
        load_cases(tmp_path)
    (tmp_path / "cases.json").write_text('[{"id": 3}]')
    with pytest.raises(UsageError, match="holds no KnowU cases"):
        load_cases(tmp_path)
