"""FingerTip-20K's tracks over episodes of our own making, in its format."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluation.cli import register
from evaluation.embeddings import EncoderEmbedder, TextVectors
from evaluation.fingertip.execution import Executed, execute, success_rate
from evaluation.fingertip.records import Execution, action_text, load_data
from evaluation.fingertip.similarity import edit_ratio, edit_similarity
from evaluation.fingertip.suggestion import earlier, sim1, suggestion_episodes
from heed.errors import UsageError
from tests.evaluation.loopback import scripted

APP = typer.Typer()
register(APP)
MADE = yaml.safe_load(Path(__file__).with_name("episodes.yaml").read_text("utf-8"))
TEA = ("1", "20250306_081500")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The episodes as the release lays them out."""
    for one in MADE["episodes"]:
        at = tmp_path / "data" / one["user"] / one["time"]
        at.mkdir(parents=True)
        survey = {"scenario": one["scenario"], "app": one["app"], "intentDescription": one["intent"]}
        (at / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), "utf-8")
        lines = [json.dumps(action, ensure_ascii=False) for action in one["actions"]]
        (at / "action.jsonl").write_text("\n".join(lines), "utf-8")
    write_table(tmp_path / "data" / "user_profile.csv", MADE["profiles"])
    return tmp_path / "data"


def write_table(file: Path, rows: list[dict[str, str]]) -> None:
    with file.open("w", encoding="utf-8-sig", newline="") as table:
        writer = csv.DictWriter(table, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def run(path: Path, *options: str) -> dict[str, Any]:
    result = CliRunner().invoke(APP, ["eval", "fingertip", str(path), *options, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout[result.stdout.index("{") :])
    return found


def test_a_folder_is_read_with_profiles_and_actions_in_one_form(folder: Path) -> None:
    data = load_data(folder)
    assert len(data.episodes) == 12
    assert data.profiles["2"]["occupation"] == "教师"
    tea = next(one for one in data.episodes if one.key == TEA)
    assert tea.actions[0] == "click(coordinates=(540,210), content='Search')"
    assert tea.actions[-1] == "finished()"
    assert [one.stamp for one in earlier(data, tea)][-1] == "20250305_220000"
    assert len(suggestion_episodes(data)) == 10
    assert tea.time.isoformat() == "2025-03-06T08:15:00+08:00"


def test_the_tables_of_the_release_choose_the_episodes(folder: Path) -> None:
    write_table(folder / "test_suggestion.csv", [{"user_id": "1", "time": TEA[1], "intentDescription": "tea"}])
    found = run(folder)
    assert found["suggestion"]["episodes"] == 1
    assert found["execution"]["episodes"] == 10


def test_a_table_of_episodes_has_no_execution_track(tmp_path: Path) -> None:
    rows = [
        {"user_id": "7", "time": f"2025030{day}_090000", "scenario": "home", "intentDescription": "Read the news"}
        for day in range(1, 4)
    ]
    write_table(tmp_path / "total.csv", rows)
    assert run(tmp_path / "total.csv", "--track", "suggestion")["suggestion"]["sim1_of_last_intent"] == pytest.approx(
        1.0
    )
    result = CliRunner().invoke(APP, ["eval", "fingertip", str(tmp_path / "total.csv")])
    assert isinstance(result.exception, UsageError)
    assert "action.jsonl" in str(result.exception.remedy)


@pytest.mark.parametrize(
    ("first", "second", "similar", "ratio"),
    [
        ("kitten", "sitting", 1 - 3 / 7, 1 - 5 / 13),
        ("奶茶", "奶茶", 1.0, 1.0),
        ("", "", 1.0, 1.0),
        ("ab", "", 0.0, 0.0),
    ],
)
def test_the_similarities_are_the_known_ones(first: str, second: str, similar: float, ratio: float) -> None:
    assert edit_similarity(first, second) == pytest.approx(similar)
    assert edit_ratio(first, second) == pytest.approx(ratio)


@given(st.text(max_size=12), st.text(max_size=12))
def test_the_similarities_are_symmetric_and_1_only_for_the_same_text(first: str, second: str) -> None:
    for similarity in (edit_similarity, edit_ratio):
        assert similarity(first, second) == pytest.approx(similarity(second, first))
        assert 0 <= similarity(first, second) <= 1
        assert (similarity(first, second) == 1) is (first == second)


async def test_sim1_is_nearer_for_the_same_task_in_other_words_and_0_for_silence() -> None:
    vectors = TextVectors(EncoderEmbedder.load())
    texts = [
        "Order a bubble tea on Meituan",
        "Get a bubble tea from Meituan",
        "Set an alarm for seven",
        "在美团上点一杯奶茶",
    ]
    await vectors.add(texts)
    same, other, chinese = (sim1(texts[0], text, vectors) for text in texts[1:])
    assert same > chinese > 0
    assert same > other
    assert sim1(texts[0], texts[0], vectors) == pytest.approx(1.0)
    assert sim1("", texts[0], vectors) == 0.0


async def test_what_the_user_showed_before_is_played_again_and_compared_with_both_users(folder: Path) -> None:
    data = load_data(folder)
    vectors = TextVectors(EncoderEmbedder.load())
    await vectors.add(one.intent for one in data.episodes)
    tea = next(one for one in data.episodes if one.key == TEA)
    made = execute(data, tea, None, vectors)
    assert (made.source, made.to_user, made.steps) == ("shown", 1.0, 1.0)
    assert made.to_other is not None and made.to_other < 0.8
    assert made.personal is not None and made.personal > 1.2
    bill = next(one for one in data.episodes if "电费" in one.intent)
    assert execute(data, bill, None, vectors).actions == ()


async def test_a_given_execution_that_acts_like_the_other_user_is_not_personal(folder: Path) -> None:
    data = load_data(folder)
    vectors = TextVectors(EncoderEmbedder.load())
    await vectors.add(one.intent for one in data.episodes)
    tea = next(one for one in data.episodes if one.key == TEA)
    theirs = next(one for one in data.episodes if one.user == "2" and "奶茶" in one.intent).actions
    made = execute(data, tea, {TEA: Execution(user_id="1", time=TEA[1], actions=theirs, success=True)}, vectors)
    assert (made.success, made.steps) == (True, 6 / 4)
    assert made.personal is not None and made.personal < 0.9
    longer = Execution(user_id="1", time=TEA[1], actions=theirs * 2, success=True)
    assert execute(data, tea, {TEA: longer}, vectors).success is False


def test_sr2_counts_what_was_not_executed_as_failed_and_needs_a_verdict() -> None:
    done, unsaid = (Executed(user="1", stamp="", intent="", actions=("a",), success=said) for said in (True, None))
    nothing = Executed(user="1", stamp="", intent="")
    assert success_rate([done, nothing]) == 0.5
    assert success_rate([unsaid, nothing]) is None


def test_the_report_says_the_embedding_and_has_a_baseline(folder: Path) -> None:
    found = run(folder)
    assert "heed's encoder" in found["embedding"]
    suggestion, execution = found["suggestion"], found["execution"]
    assert suggestion["sr1"] is None
    assert execution["sr2"] is None
    assert 0 < suggestion["sim1_of_last_intent"] < 1
    assert 0 < execution["executed"] < execution["episodes"] == 10
    assert execution["sim2"] > 1
    shown = CliRunner().invoke(APP, ["eval", "fingertip", str(folder)])
    assert shown.exit_code == 0
    assert "Sim2" in shown.output


def test_a_model_judges_and_another_one_embeds(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "made.jsonl"
    rows = [{"user_id": one["user"], "time": one["time"], "actions": ["click()"]} for one in MADE["episodes"]]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    with scripted(lambda asked: json.dumps({"right": True}), lambda text: (float(len(text)), 1.0)) as server:
        servers = ("--judge", server.url, "--judge-model", "judge", "--embeddings", server.url)
        found = run(folder, *servers, "--embeddings-model", "small", "--executions", str(file))
    assert found["execution"]["sr2"] == 1.0
    assert found["execution"]["executed"] == 10
    assert found["suggestion"]["sr1"] == found["suggestion"]["suggested"] / found["suggestion"]["episodes"]
    assert found["embedding"].startswith("small at http://127.0.0.1")
    assert {asked["model"] for asked in server.asked} == {"judge", "small"}


def test_a_language_model_suggests(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = {"name": "set_connectivity", "parameters": {"connection_type": "wifi", "enabled": True}}
    answer = json.dumps({"rec": "Order a bubble tea on Meituan?", "model_recommendation": [call]})
    with scripted(lambda asked: answer) as server:
        monkeypatch.setenv("HEED_MODELS__OPENAI__BASE_URL", server.url)
        found = run(folder, "--track", "suggestion", "--reasoner", "openai")
    assert found["suggestion"]["episodes"] == 10
    assert (found["suggestion"]["suggested"], found["suggestion"]["faults"]) == (10, 0)
    assert server.asked


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("survey_result.json", "{", "JSON"),
        ("survey_result.json", '{"app": "a"}', "intentDescription"),
        ("action.jsonl", "click", "action.jsonl"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(folder: Path, name: str, text: str, word: str) -> None:
    (folder / "1" / TEA[1] / name).write_text(text, "utf-8")
    with pytest.raises(UsageError, match=word) as found:
        load_data(folder)
    assert TEA[1] in str(found.value)


def test_what_is_no_data_is_said_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="USER/TIME"):
        load_data(tmp_path)
    table = tmp_path / "a.csv"
    table.write_text("id,text\n1,a\n", "utf-8")
    with pytest.raises(UsageError, match="user_id"):
        load_data(table)
    table.write_text("user_id,time,intentDescription\n1,yesterday,a\n", "utf-8")
    with pytest.raises(UsageError, match="20250309_133115"):
        load_data(table)
    lines = tmp_path / "made.jsonl"
    lines.write_text('{"user_id": "1"}\n', "utf-8")
    result = CliRunner().invoke(APP, ["eval", "fingertip", str(tmp_path / "nothing"), "--executions", str(lines)])
    assert result.exit_code == 2


def test_an_embedding_server_that_refuses_is_named(folder: Path) -> None:
    result = CliRunner().invoke(APP, ["eval", "fingertip", str(folder), "--embeddings", "http://127.0.0.1:9/v1"])
    assert result.exit_code != 0
    assert "gives no embeddings" in str(result.exception)


def test_an_action_keeps_its_text_and_an_object_becomes_one() -> None:
    assert action_text("press_back()") == "press_back()"
    assert action_text({"action_type": "long_click", "coordinates": [1, 2]}) == "long_click(coordinates=(1,2))"
