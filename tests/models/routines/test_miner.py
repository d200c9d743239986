"""Habits come out of a behaviour log, and only habits do."""

import os
import random
from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.context import LogEntry
from function_pool.spec import default_pool
from models.reasoner import EvidenceKind
from models.routines.mining.habit import AtTime, Habit, HabitEdit, OnEvent, edited
from models.routines.mining.miner import Miner, mine

from .personas import FIRST, HOME, OFFICE, at, chinese, disturbed, english, numbered, weekdays

POOL = default_pool()
SEEDS = range(60 if os.environ.get("HEED_PROVE") else 6)


def habits_of(entries: Iterable[LogEntry]) -> dict[str, Habit]:
    """By function; these logs have one habit per function."""
    return {habit.function: habit for habit in mine(entries, POOL)}


def test_each_habit_of_a_month_is_found_and_nothing_else() -> None:
    found = habits_of(english())
    assert set(found) == {
        "search_transport",
        "set_do_not_disturb",
        "send_instant_message",
        "cancel_alarm",
        "clean_up_media_files",
        "set_power_saving_mode",
    }
    assert found["send_instant_message"].parameters == {
        "app_name": "Slack",
        "recipient": "ward-3",
        "content": "Done for today",
    }
    assert found["cancel_alarm"].parameters == {"search_mode": "time", "time": "06:15"}
    assert found["clean_up_media_files"].days_before == {"before_date": 14}


def test_a_chinese_log_is_mined_as_well() -> None:
    found = habits_of(chinese())
    assert found["send_instant_message"].parameters == {
        "app_name": "DingTalk",
        "recipient": "值班",
        "content": "下班了，明天见",
    }
    assert found["order_food_delivery"].parameters["keyword"] == "冰美式"
    assert found["cancel_alarm"].parameters["time"] == "07:00"
    assert isinstance(found["set_power_saving_mode"].when, OnEvent)


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_missing_days_and_shifted_times_hide_no_regular_habit(seed: int) -> None:
    found = habits_of(disturbed(english(56), seed, noise=0.25, missing=0.2, jitter=8))
    assert {"search_transport", "set_do_not_disturb", "send_instant_message", "set_power_saving_mode"} <= set(found)
    assert {"cancel_alarm", "clean_up_media_files"} & set(found)
    assert set(found) <= set(habits_of(english()))


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_alone_is_no_habit(seed: int) -> None:
    month = [at(day, "07:00", HOME, "She woke up.") for day in range(30)]
    assert mine(disturbed(month, seed, noise=0.6, missing=0.0, jitter=30), POOL) == ()


def test_a_habit_cites_the_lines_it_rests_on() -> None:
    log = english()
    habit = habits_of(log)["cancel_alarm"]
    cited = {int(evidence.ref): evidence.text for evidence in habit.evidence}
    assert all(evidence.kind is EvidenceKind.LOG_LINE for evidence in habit.evidence)
    assert cited == {entry.line: entry.action for entry in log if "alarm" in entry.action}


def test_a_weekly_habit_is_due_on_its_evening_only() -> None:
    habit = habits_of(english())["cancel_alarm"]
    monday = FIRST + timedelta(days=35, hours=8)
    due = habit.due(monday)
    assert due is not None
    assert (due.weekday(), due.hour) == (4, 22)
    assert habit.due(due) == due + timedelta(days=7)
    assert not isinstance(habit.when, OnEvent)


def test_a_reaction_is_due_at_no_time() -> None:
    assert habits_of(english())["set_power_saving_mode"].due(FIRST) is None


def test_a_single_occasion_is_no_habit() -> None:
    log = [*english(), at(20, "11:00", OFFICE, "She translated a menu 'Suppe' with Google Translate.")]
    log += [at(21, "11:00", OFFICE, "The headphones disconnected. She turned on airplane mode.")]
    assert set(habits_of(numbered(log))) == set(habits_of(english()))


def test_one_clear_example_is_enough_for_what_people_commonly_do() -> None:
    log = [at(day, "12:00", OFFICE, "She read her mail.") for day in range(20)]
    log.append(at(5, "16:00", OFFICE, "The battery dropped to 15%. She switched power saving mode on."))
    assert set(habits_of(numbered(log))) == {"set_power_saving_mode"}


@pytest.mark.parametrize(("answered", "ignored", "known"), [(3, 0, True), (5, 1, True), (2, 3, False), (1, 4, False)])
def test_a_reaction_must_outweigh_the_times_it_was_not_shown(answered: int, ignored: int, known: bool) -> None:
    event = "The headphones disconnected"
    done = [at(day, "10:00", OFFICE, f"{event}. She turned on airplane mode.") for day in range(answered)]
    not_done = [at(day + 10, "10:00", OFFICE, f"{event}. She put them away.") for day in range(ignored)]
    assert ("set_connectivity" in habits_of(numbered([*done, *not_done]))) == known


def test_a_habit_that_ended_is_forgotten() -> None:
    before = [at(day, "21:00", HOME, "She read the news on BBC.") for day in range(20)]
    after = [at(day, "21:00", HOME, "She watered the plants.") for day in range(20, 30)]
    assert "read_news" in habits_of(numbered(before))
    assert "read_news" not in habits_of(numbered([*before, *after]))


def test_an_irregular_deed_at_all_hours_is_no_habit() -> None:
    clocks = ["07:10", "09:50", "11:20", "13:40", "15:00", "16:50", "18:30", "20:10"]
    log = [at(day, clocks[day % 8], HOME, "She checked the weather forecast.") for day in range(0, 40, 3)]
    log += [at(day, "12:00", HOME, "She had lunch.") for day in range(40)]
    assert habits_of(numbered(log)) == {}


def test_what_was_never_the_same_is_not_proposed() -> None:
    dishes = ["ramen", "a burrito", "sushi", "a salad", "pizza", "a curry", "soup", "a sandwich"]
    log = [at(day, "19:00", HOME, f"She ordered {dishes[day % 8]} from Uber Eats.") for day in range(30)]
    assert "order_food_delivery" not in habits_of(numbered(log))


def test_an_automation_is_nobodys_habit() -> None:
    log = [at(d, "10:00", HOME, "The headset disconnected. An automation muted the media volume.") for d in range(20)]
    assert habits_of(numbered(log)) == {}


def test_an_act_told_a_minute_after_its_event_still_answers_it() -> None:
    days = (3, 9, 16, 22)
    alerts = [at(day, "02:10", HOME, "A P0 alert arrived.") for day in days]
    answers = [at(day, "02:12", HOME, "She wrote 'Ack, on it' in the #ops channel of Slack.") for day in days]
    harmless = [at(day, "03:00", HOME, "A P3 alert arrived. She swiped it away.") for day in (5, 11)]
    habit = habits_of(numbered([*alerts, *answers, *harmless]))["send_instant_message"]
    assert isinstance(habit.when, OnEvent)
    assert habit.when.about == {"incident"}
    assert len(habit.evidence) == 8


def test_messages_with_the_same_meaning_count_as_one() -> None:
    texts = ["Ack, investigating", "Received, looking into it", "Got it, checking now", "Ack, checking now"]
    log = [
        at(7 * week, "02:10", HOME, f"A P1 alert arrived. She answered '{text}' in the #ops channel of Slack.")
        for week, text in enumerate(texts)
    ]
    habit = habits_of(numbered(log))["send_instant_message"]
    assert habit.support == len(texts)
    assert habit.parameters["content"] == texts[-1]


def test_place_tells_when_a_habit_is_likely() -> None:
    log: list[LogEntry] = []
    for day in weekdays(42, range(5)):
        office = day % 2 == 0
        log.append(at(day, "08:50", OFFICE if office else HOME, "She read her mail."))
        log.append(at(day, "12:00", OFFICE if office else HOME, "She had lunch."))
        log.append(at(day, "21:00", HOME, "She watered the plants."))
        if office:
            log.append(at(day, "09:00", OFFICE, "She turned on Do Not Disturb."))
    when = habits_of(numbered(log))["set_do_not_disturb"].when
    assert isinstance(when, AtTime)
    assert when.likelihood(0, "work") > 0.8
    assert when.likelihood(0, "home") < 0.3


@settings(deadline=None, max_examples=5 if not os.environ.get("HEED_PROVE") else 60)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_the_order_and_portions_of_reading_do_not_matter(seed: int, portions: int) -> None:
    log = english(21)
    shuffled = random.Random(seed).sample(log, len(log))
    miner = Miner(POOL)
    for portion in range(portions):
        miner.add(shuffled[portion::portions])
    assert miner.habits() == mine(log, POOL)


def test_ids_stay_the_same_while_the_log_grows() -> None:
    log = english(70)
    known: set[str] = set()
    for days in (28, 35, 49, 70):
        ids = {habit.id for habit in mine([entry for entry in log if entry.time < FIRST + timedelta(days=days)], POOL)}
        assert known <= ids
        known = ids


def test_the_owners_edits_survive_mining_again() -> None:
    habits = mine(english(), POOL)
    alarm = next(habit for habit in habits if habit.function == "cancel_alarm")
    message = next(habit for habit in habits if habit.function == "send_instant_message")
    edits = {alarm.id: HabitEdit(enabled=False), message.id: HabitEdit(parameters={"content": "Bye"})}
    changed = {habit.id: habit for habit in edited(mine(english(42), POOL), edits)}
    assert not changed[alarm.id].enabled
    assert changed[alarm.id].due(datetime(2026, 5, 1, tzinfo=FIRST.tzinfo)) is None
    assert changed[message.id].parameters["content"] == "Bye"


def test_an_empty_log_has_no_habits() -> None:
    assert mine([], POOL) == ()
