"""Taught tasks are offered like any function: by requests, by the owner's own rules, and by habits."""

from datetime import timedelta
from pathlib import Path

import pytest

from collectors.context import LogEntry
from executors.config import ExecutorsConfig
from executors.steps.vocabulary import STEPS
from executors.taught.pool import known_executors, known_pool
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.spec import Pool
from function_pool.taught import named_task, told
from heed.language import Language
from models.own_rules.sentence import read_rule
from models.routines.mining.miner import mine
from models.routines.wording import offer
from tests.phones import START

STEP = {"do": "type", "view": {"id": "name"}, "name": {"en": "it", "zh": "它"}, "text": "{name}"}
FINISH = {"do": "finish", "before": [{"id": "name"}], "reached": {"en": "Done.", "zh": "完成。"}}


@pytest.fixture
def config(tmp_path: Path) -> ExecutorsConfig:
    """A folder with one task."""
    steps = STEPS.validate_python([STEP, FINISH])
    task = TaughtTask(
        name="new_friend", app="com.example", languages=("en",), taught=START, slots={"name": ""}, steps=steps
    )
    TaughtTasks(tmp_path).save(task)
    return ExecutorsConfig(taught_folder=tmp_path)


@pytest.fixture
def pool(config: ExecutorsConfig) -> Pool:
    return known_pool(config)


def test_it_is_a_function_that_is_asked_about_each_time(config: ExecutorsConfig, pool: Pool) -> None:
    spec = pool.get("taught_new_friend")
    assert spec.risk is Risk.R2
    assert not spec.risk.may_be_remembered
    assert "taught_new_friend" in known_executors(config)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("new_friend", {}),
        ("New friend name=Ada Lovelace", {"name": "Ada Lovelace"}),
        ("new-friend name=a=b", {"name": "a=b"}),
        ("new friend please", None),
        ("new friendship", None),
        ("a new_friend", None),
    ],
)
def test_a_request_names_it_with_its_slots(pool: Pool, text: str, arguments: dict[str, str] | None) -> None:
    found = named_task(text, pool)
    assert (found.arguments if found else None) == arguments


def test_a_rule_of_the_owner_may_propose_it(pool: Pool) -> None:
    rule = read_rule("weekdays 22:30: new friend name=Ada", 1, pool, {})
    [call] = rule.calls
    assert (call.name, call.parameters) == ("taught_new_friend", {"name": "Ada"})


def log(days: int, package: str = "") -> list[LogEntry]:
    """At ten each evening the owner had the task done."""
    action = told("taught_new_friend", {"name": "Ada"})
    begin = START.replace(hour=22) - timedelta(days=days)
    return [
        LogEntry(time=begin + timedelta(days=day), location="Home", action=action, package=package, line=day + 1)
        for day in range(days)
    ]


def test_what_is_done_every_evening_becomes_a_habit(pool: Pool) -> None:
    [habit] = mine(log(28), pool)
    call = FunctionCall(name=habit.function, parameters=habit.parameters)
    assert offer(call, Language.EN) == "do “new friend” as you taught it, with Ada"
    assert (habit.function, habit.parameters) == ("taught_new_friend", {"name": "Ada"})


def test_words_on_the_screen_make_no_habit(pool: Pool) -> None:
    assert not mine(log(28, package="com.example"), pool)


def test_a_task_that_was_forgotten_is_no_habit_any_more(pool: Pool, config: ExecutorsConfig) -> None:
    TaughtTasks(config.taught_folder).forget("new_friend")
    assert not mine(log(28), known_pool(config))


def test_a_file_that_is_no_task_is_left_out(config: ExecutorsConfig) -> None:
    (config.taught_folder / "broken.yaml").write_text("steps: [", "utf-8")
    (config.taught_folder / "other.yaml").write_text("name: other", "utf-8")
    assert "taught_new_friend" in known_pool(config)
    assert "taught_other" not in known_pool(config)


def test_a_long_text_stands_on_one_line_where_forget_finds_it(config: ExecutorsConfig) -> None:
    text = "dear " * 60 + "Alice Chen"
    steps = STEPS.validate_python([{**STEP, "text": text}, FINISH])
    task = TaughtTask(name="letter", app="com.example", languages=("en",), taught=START, steps=steps)
    TaughtTasks(config.taught_folder).save(task)
    assert text in (config.taught_folder / "letter.yaml").read_text("utf-8")
    assert TaughtTasks(config.taught_folder).get("letter") == task
