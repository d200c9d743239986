"""``heed eval live``: days are played through the whole system, and scored as the format's own scorer does."""

import json
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from agent.demo import play_day
from agent.demo.moment import SuggestedCall
from evaluation.cli import register
from evaluation.live.arguments import fits
from evaluation.live.configurations import CONFIGURATIONS
from evaluation.live.days import DayAnswer, LiveDay, load_answers, load_days
from evaluation.live.decisions import PlayedDecision, decisions_in
from evaluation.live.metrics import report
from evaluation.live.play import DayRequest, PlayedDay, play
from evaluation.live.processes import play_in_processes
from evaluation.live.score import ScoredDay, score
from heed.errors import UsageError
from heed.language import Language
from models.config import ModelsConfig

DAYS = Path(__file__).parent / "days"
APP = typer.Typer()
register(APP)


@pytest.fixture(scope="session")
def oracle(shared: Path) -> ModuleType:
    """The scorer that the format was published with."""
    spec = spec_from_file_location("live_score", shared / "bench" / "live" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def days() -> dict[str, LiveDay]:
    return {day.name: day for day in load_days(DAYS, load_answers(DAYS)) if isinstance(day, LiveDay)}


def request_of(day: LiveDay, **more: Any) -> DayRequest:
    given = {"configuration": CONFIGURATIONS["routines"], "models": ModelsConfig(), "seconds": 300.0, **more}
    return DayRequest(day=day, **given)


def same(ours: ScoredDay, theirs: tuple[list[Any], list[Any], list[Any]]) -> None:
    """Assert that both scorers found the same."""
    needs, false, tolerated = theirs
    assert [(need.at, need.met, need.function, need.repeats) for need in ours.needs] == [
        (need["at"], need["met"], need["function"], need["repeats"]) for need in needs
    ]
    assert [need.wrong for need in ours.needs] == [
        None if need["wrong"] is None else tuple(need["wrong"]) for need in needs
    ]
    assert [(offer.where, list(offer.functions)) for offer in ours.false] == [
        (offer["where"], offer["functions"] or ["?"]) for offer in false
    ]
    assert len(ours.tolerated) == len(tolerated)


@pytest.mark.parametrize("name", ["librarian", "pharmacist"])
async def test_a_played_day_is_scored_as_the_formats_own_scorer_does(
    name: str, oracle: ModuleType, tmp_path: Path
) -> None:
    day = days()[name]
    async for _ in play_day(tmp_path, scenario=day.scenario, language=Language(day.scenario.language)):
        pass
    journal = tmp_path / "journal.sqlite3"
    rows = json.loads((DAYS / "answers.json").read_text("utf-8"))[name]
    read = oracle.journal(journal, day.scenario.start.tzinfo)
    ours = score(day, PlayedDay(name=name, decisions=decisions_in(journal)))
    theirs = oracle.score(name, rows, read, {})
    same(ours, theirs)
    assert any(need.met for need in ours.needs)
    totals = oracle.totals(theirs[0], theirs[1], ours.quiet_moments, 1)
    figures = report("routines", [ours], {}, {}).all.model_dump()
    assert {key: figures[key] for key in totals} == totals


def spoken(at: str, function: str, **parameters: Any) -> PlayedDecision:
    return PlayedDecision(
        at=f"2026-01-19T{at}:00+00:00", trigger="clock", decision="ask", rule="ask_first", reason="", sentence="?",
        calls=(SuggestedCall(name=function, parameters=parameters),), answer="once", outcomes=("verified",),
    )  # fmt: skip


def as_theirs(decision: PlayedDecision) -> dict[str, Any]:
    calls = [call.model_dump() for call in decision.calls]
    return {**decision.model_dump(), "calls": calls, "decision": str(decision.decision)}


@pytest.mark.parametrize(
    "made",
    [
        [("09:30", "pay_bill", {"amount": "84.20"}), ("09:45", "pay_bill", {"amount": 84.2})],
        [("09:29", "pay_bill", {"amount": 12}), ("09:40", "create_reminder", {})],
        [("13:00", "pay_bill", {}), ("09:58", "pay_bill", {"amount": "EUR 84.20"})],
        [("10:05", "pay_bill", {})],
        [("11:00", "pay_bill", {}), ("12:10", "open_app", {}), ("16:10", "send_sms", {})],
        [("14:30", "set_power_saving_mode", {}), ("14:30", "set_alarm", {}), ("14:35", "set_power_saving_mode", {})],
        [("16:10", "save_contact", {"name": "bob li", "phone_number": "+353 86 123 4567"})],
        [("21:16", "set_volume_and_ringer", {"ringer_mode": "silent"}), ("21:10", "set_volume_and_ringer", {})],
    ],
)
def test_repeats_look_alikes_and_windows_are_judged_as_the_formats_own_scorer_does(
    made: list[tuple[str, str, dict[str, Any]]], oracle: ModuleType
) -> None:
    day = days()["librarian"]
    decisions = [spoken(at, function, **parameters) for at, function, parameters in made]
    rows = json.loads((DAYS / "answers.json").read_text("utf-8"))["librarian"]
    theirs = oracle.score("librarian", rows, [as_theirs(one) for one in decisions], {})
    same(score(day, PlayedDay(name="librarian", decisions=tuple(decisions))), theirs)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("2026-05-14T08:30", "2026-05-14 08:30:00"), ("2026-05-14", "2026-05-14T23:00"), ("2026-05-14T08:30", "08:30"),
        ("07:00..08:30", "at 07:45"), ("07:00..08:30", "08:31"), ("2026-05-01..2026-05-03", "2026-05-03T10:00"),
        ("84.20", "84.2 EUR"), ("84", "84.5"), (12, "12 %"), (1.5, 2), ("861234567", "+353 86 123 4567"), (True, "on"),
        (False, "true"), ("silent", ["normal", "Silent"]), ("Ｂｏｂ  Li", "bob li jr"), ("x", None), ("1,200", "1200"),
    ],
)  # fmt: skip
def test_arguments_are_compared_as_the_formats_own_scorer_does(expected: Any, actual: Any, oracle: ModuleType) -> None:
    assert fits(expected, actual) == oracle.fits(expected, actual)


def test_a_broken_day_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    shutil.copytree(DAYS, folder)
    scenario = folder / "librarian.yaml"
    scenario.write_text(scenario.read_text("utf-8").replace("level: 14", "level: 140"), "utf-8")
    result = CliRunner().invoke(
        APP, ["eval", "live", str(folder), "--no-baselines", "--json", "--out", f"{tmp_path}/o"]
    )
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert list(figures["persons"]) == ["pharmacist"]
    assert "level" in figures["faults"]["librarian"]
    assert figures["all"]["needs"] == 2
    assert figures["functions"]["show_pickup_code"]["met"] == 1
    assert {need["at"] for need in json.loads((tmp_path / "o").read_text("utf-8"))["needs"]} == {"17:30", "19:00"}


def test_a_day_that_cannot_be_played_to_its_end_tells_why() -> None:
    day = days()["pharmacist"]
    timeline = [*day.scenario.timeline[:1], day.scenario.timeline[1].model_copy(update={"notification": None})]
    broken = day.model_copy(update={"scenario": day.scenario.model_copy(update={"timeline": timeline})})
    assert play(request_of(broken)).fault
    [late] = play_in_processes([request_of(day, seconds=0.01)], 1)
    assert "not finished after 0.01 s" in late.fault


def test_misses_and_baselines_are_printed() -> None:
    command = ["eval", "live", str(DAYS), "--day", "pharmacist", "--misses", "--jobs", "1"]
    result = CliRunner().invoke(APP, command)
    assert result.exit_code == 0, result.output
    assert "MISS  pharmacist 19:00 [text] set_alarm: sms" in result.output
    for word in ("routines", "silent", "rules", "zh", "show_pickup_code", "time per decision"):
        assert word in result.output


def test_unknown_days_and_reasoners_are_refused() -> None:
    with pytest.raises(UsageError, match="No such day: noon"):
        load_answers(DAYS, ["noon"])
    result = CliRunner().invoke(APP, ["eval", "live", str(DAYS), "--reasoner", "dice"])
    assert isinstance(result.exception, UsageError)


def test_fields_of_answers_that_are_not_scored_are_left_out() -> None:
    row = {"moment": 1, "at": "09:00", "when": "2026-01-19T09:00:00+00:00", "kind": "ordinary", "author": "x"}
    assert DayAnswer.model_validate(row).why == ""
