"""The benchmark's figures are computed as its paper says, on any file in its style."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from evaluation.cli import register
from evaluation.proactivemobile.cases import ProactiveCase, load_cases
from evaluation.proactivemobile.default import DefaultReasoner
from evaluation.proactivemobile.matching import equivalent
from evaluation.proactivemobile.metrics import ProactivePrediction, report, score
from evaluation.proactivemobile.page import page
from evaluation.proactivemobile.run import context_of
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from heed.errors import UsageError
from models.perceptor import Perceptor
from models.reader.context_reader import ContextReader

POOL = default_pool()


def call(function: str, /, **parameters: Any) -> FunctionCall:
    return FunctionCall(name=function, parameters=parameters)


def text(content: str) -> FunctionCall:
    return call("send_sms", recipient="Bob", content=content)


def saved(number: str) -> FunctionCall:
    return call("save_contact", name="Bo", phone_number=number)


def record(answers: Any, key: str = "recommendation", **told: Any) -> dict[str, Any]:
    said = {"profile": "Ann", "phone": "It is Friday 6 March 2026, 21:00.", "world": "", "trace": ["Opened Clock"]}
    return {"benchmark_metadata": {"id": "1", **told}, "reference_information": said, key: answers}


def load(tmp_path: Path, *records: dict[str, Any]) -> tuple[ProactiveCase, ...]:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(records), "utf-8")
    return load_cases(path)


ALARM = {"name": "set_alarm", "parameters": {"time": "06:30"}}
QUIET = {"name": "set_do_not_disturb", "parameters": {"mode": "priority"}}


@pytest.mark.parametrize("key", ["recommendation", "recommendations", "recom_list"])
@pytest.mark.parametrize("calls", ["function", "functions", "model_recommendation"])
def test_answers_are_read_under_all_their_names(tmp_path: Path, key: str, calls: str) -> None:
    (case,) = load(tmp_path, record([{"instruction": "x", calls: [ALARM]}], key))
    assert case.answers == ((call("set_alarm", time="06:30"),),)
    assert not case.silent


@pytest.mark.parametrize("answers", [[], [{"instruction": "No Recommendation", "function": []}]])
def test_an_empty_list_is_silence(tmp_path: Path, answers: Any) -> None:
    (case,) = load(tmp_path, record(answers))
    assert case.silent
    assert score(case, (), POOL).strict
    assert not score(case, (call("query_weather"),), POOL).lenient


def test_the_best_match_is_the_answer_with_the_highest_f1(tmp_path: Path) -> None:
    (case,) = load(tmp_path, record([{"function": [ALARM]}, {"function": [ALARM, QUIET]}]))
    got = score(case, (call("set_do_not_disturb", mode="priority"),), POOL)
    assert (got.strict, got.lenient, got.types) == (False, False, False)
    assert (got.precision, got.recall) == (1.0, 0.5)
    assert got.f1 == pytest.approx(0.667, abs=0.001)


@pytest.mark.parametrize(
    ("one", "two", "strict", "lenient"),
    [
        (call("set_alarm", time="6:30"), call("set_alarm", time="06:30", label=""), True, True),
        (call("set_alarm", time="06:30"), call("set_alarm", time="06:40"), False, False),
        (call("set_do_not_disturb", mode="priority"), call("set_do_not_disturb", mode="Priority"), True, True),
        (text("late"), text("I am late"), False, True),
        (call("play_music", query="jazz"), call("play_music", query="jazz", play_mode="shuffle"), False, False),
        (saved("+1 555-0100"), saved("+15550100"), True, True),
        (call("query_weather"), call("read_news"), False, False),
    ],
)  # fmt: skip
def test_calls_are_compared_by_what_they_do(one: FunctionCall, two: FunctionCall, strict: bool, lenient: bool) -> None:
    assert equivalent((one,), (two,), POOL, None, lenient=False) == strict
    assert equivalent((one,), (two,), POOL, None, lenient=True) == lenient


def test_independent_calls_may_come_in_any_order() -> None:
    one, two = call("set_alarm", time="06:30"), call("set_do_not_disturb", mode="priority")
    assert equivalent((one, two), (two, one), POOL, None, lenient=False)


def test_pictures_and_texts_of_a_trace_are_told_apart(tmp_path: Path) -> None:
    raw = record([])
    raw["reference_information"]["trace"] = [
        {"source": "picture", "picture": "images/1.png"},
        {"source": "text", "text": "Opened Clock"},
    ]
    (case,) = load(tmp_path, raw)
    assert (case.pictures, case.said.trace, case.modality) == (("images/1.png",), ("Opened Clock",), "multimodal")
    assert case.places == (0,)
    assert (case.without("trace").pictures, case.without("trace").places) == ((), ())
    with pytest.raises(UsageError, match=r"picture cannot be read"):
        context_of(case, tmp_path)


@pytest.mark.parametrize(
    ("phone", "world", "now"),
    [
        ("It is Friday 6 March 2026, 21:00.", "", "2026-03-06T21:00:00+00:00"),
        ("现在是2026年3月6日 星期五 21:00", "", "2026-03-06T21:00:00+00:00"),
        ("2026-03-06 21:00", "", "2026-03-06T21:00:00+00:00"),
        ("21:00, battery 40 %", "Friday 6 March 2026, rain", "2026-03-06T21:00:00+00:00"),
        ("some day", "", None),
    ],
)
def test_a_record_has_its_own_clock(tmp_path: Path, phone: str, world: str, now: str | None) -> None:
    raw = record([])
    raw["reference_information"] |= {"phone": phone, "world": world}
    (case,) = load(tmp_path, raw)
    assert (case.now.isoformat() if case.now else None) == now


def test_the_report_has_baselines_and_groups(tmp_path: Path) -> None:
    cases = load(
        tmp_path,
        record([{"function": [ALARM]}], id="1", difficulty_level=1, scenario="A", language="en"),
        record([], id="2", difficulty_level=2, scenario="B", language="zh"),
        record([], id="3", difficulty_level=2, scenario="B", language="zh"),
    )
    made = [ProactivePrediction(id="1", calls=(call("set_alarm", time="06:30"),), candidates=("set_alarm",))]
    made += [ProactivePrediction(id="2"), ProactivePrediction(id="3", calls=(call("read_news"),), fault="")]
    got = report(cases, made, POOL)
    assert got.all.success_strict == pytest.approx(2 / 3)
    assert (got.all.false_trigger_rate, got.all.gate_recall, got.all.candidate_recall) == (0.5, 1.0, 1.0)
    assert got.baselines["always silent"].false_trigger_rate == 0.0
    assert got.baselines["always act"].gate_recall == 1.0
    assert got.baselines["majority"] == got.baselines["always silent"]
    assert set(got.groups) == {"difficulty", "modality", "scenario", "language"}
    assert got.groups["scenario"]["B"].cases == 2
    html = page(got, "a <title>")
    assert html.count("<table>") == 5
    assert "a &lt;title&gt;" in html
    assert "without an answer" not in html


def test_the_report_says_why_cases_have_no_answer(tmp_path: Path) -> None:
    cases = load(tmp_path, *(record([], id=str(number)) for number in range(4)))
    faults = ["The server did not answer.", "The prompt has 7,349 tokens.", "", "The prompt has 7,360 tokens."]
    got = report(cases, [ProactivePrediction(id=str(at), fault=fault) for at, fault in enumerate(faults)], POOL)
    assert "3 cases without an answer count as silence. Most of them: The prompt has 7,349 tokens." in page(got, "x")


@pytest.mark.parametrize("text", ["{", "{}", '[{"reference_information": 3}]', "[3]"])
def test_a_file_in_another_format_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError):
        load_cases(path)


def test_the_command_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    app = typer.Typer()
    register(app)
    file, lines, html = tmp_path / "cases.json", tmp_path / "made.jsonl", tmp_path / "report.html"
    file.write_text(json.dumps([record([], id="1"), record([{"function": [ALARM]}], id="2")]), "utf-8")
    known = ProactivePrediction(id="1", calls=(call("read_news"),))
    lines.write_text(known.model_dump_json() + '\n{"id": "2", "ca', "utf-8")
    options = ["--predictions", str(lines), "--html", str(html), "--json"]
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), *options])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert figures["all"]["false_trigger_rate"] == 1.0
    assert [json.loads(line)["id"] for line in lines.read_text("utf-8").splitlines()] == ["1", "2"]
    assert "<svg" in html.read_text("utf-8")


async def test_the_default_lets_the_perceptor_decide_where_facts_say_nothing(tmp_path: Path) -> None:
    (case,) = load(tmp_path, record([{"function": [ALARM]}]))
    words = case.model_copy(update={"said": case.said.model_copy(update={"trace": ("The alarm wakes me up early",)})})
    eager = await DefaultReasoner(Perceptor.load(threshold=0.01), ContextReader.load()).predict(words, POOL)
    shy = await DefaultReasoner(Perceptor.load(threshold=0.95), ContextReader.load()).predict(words, POOL)
    assert [call.name for call in eager.calls] == [eager.candidates[0]]
    assert "set_alarm" in eager.candidates[:3]
    assert shy == eager.model_copy(update={"calls": (), "milliseconds": shy.milliseconds})


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    register(app)
    return app


def test_each_dimension_can_be_left_out_beside_the_whole(tmp_path: Path, app: typer.Typer) -> None:
    file, lines, html = tmp_path / "cases.json", tmp_path / "made.jsonl", tmp_path / "report.html"
    file.write_text(json.dumps([record([], id="1"), record([{"function": [ALARM]}], id="2")]), "utf-8")
    options = ["--without", "each", "--predictions", str(lines), "--html", str(html)]
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), *options])
    assert result.exit_code == 0, result.output
    written = html.read_text("utf-8")
    for dimension in ("profile", "phone", "world", "trace"):
        assert f"without {dimension}" in result.stdout
        assert f"<td>without {dimension}</td>" in written
        beside = tmp_path / f"made.without-{dimension}.jsonl"
        assert len(beside.read_text("utf-8").splitlines()) == 2
    assert "<script" not in written and "SR judged %</th>" not in written


def test_an_unknown_dimension_is_told(tmp_path: Path, app: typer.Typer) -> None:
    file = tmp_path / "cases.json"
    file.write_text("[]", "utf-8")
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), "--without", "screen"])
    assert isinstance(result.exception, UsageError)


def test_pictures_are_read_only_with_the_extra(tmp_path: Path, app: typer.Typer, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr_onnxruntime", None)
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([record([])]), "utf-8")
    assert CliRunner().invoke(app, ["eval", "proactivemobile", str(file)]).exit_code == 0
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), "--ocr"])
    assert isinstance(result.exception, UsageError)
    assert "heed-android[ocr]" in str(result.exception.remedy)


def test_records_of_another_pool_are_judged_by_a_table_of_names(tmp_path: Path, app: typer.Typer) -> None:
    theirs = {"name": "省电", "parameters": {"开": "是"}}
    file, pool, table = (tmp_path / name for name in ("cases.json", "pool.json", "map.yaml"))
    file.write_text(
        json.dumps([record([{"function": [theirs]}], id="1"), record([{"function": [{"name": "飞"}]}], id="2")]),
        "utf-8",
    )
    pool.write_text("{}", "utf-8")
    table.write_text(
        "source: a test\nfunctions: {省电: {function: set_power_saving_mode, parameters: {开: enabled}}}", "utf-8"
    )
    made = tmp_path / "made.jsonl"
    saving = call("set_power_saving_mode", enabled=True)
    made.write_text(
        "".join(ProactivePrediction(id=at, calls=(saving,)).model_dump_json() + "\n" for at in "12"), "utf-8"
    )
    options = ["--pool", str(pool), "--pool-map", str(table), "--predictions", str(made), "--json"]
    result = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), *options])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout[result.stdout.index("{") :])
    assert (figures["all"]["success_strict"], figures["untranslated"]) == (0.5, 1)
    alone = CliRunner().invoke(app, ["eval", "proactivemobile", str(file), "--pool-map", str(table)])
    assert isinstance(alone.exception, UsageError)


def test_what_was_not_decided_counts_in_no_figure(tmp_path: Path) -> None:
    cases = load(tmp_path, record([{"function": [ALARM]}], id="1"), record([], id="2"))
    long = ProactivePrediction(id="2", fault="The prompt has 9 tokens.", too_long=True)
    got = report(cases, [ProactivePrediction(id="1", calls=(call("set_alarm", time="06:30"),)), long], POOL)
    assert (got.all.cases, got.all.success_strict, got.faults, got.too_long) == (1, 1.0, 0, 1)
    assert "Not decided, and counted in no figure: 1 cases. The prompt has 9 tokens." in page(got, "x")
