"""The routines reasoner proposes what fits the moment, explains itself, and is silent otherwise."""

from typing import Any

import pytest

from collectors.context import LogEntry
from function_pool.spec import default_pool
from heed.language import Language
from heed.trust import Trust
from models.reasoner import EvidenceKind, Reasoner, Recommendation
from models.routines.mining.miner import mine
from models.routines.reasoner import CITED, RoutinesReasoner
from models.routines.rules.situations import builtin_situations

from .moments import context
from .personas import HOME, OFFICE, at, chinese, elderly, english, numbered

POOL = default_pool()
NAMES = [spec.name for spec in POOL]
NEXT_FRIDAY = "2026-04-10"
NEXT_MONDAY = "2026-04-06"
LOW: dict[str, Any] = {"trigger": "battery_level", "data": {"level": 15, "plugged": False}}


def decide(log: list[LogEntry], *args: Any, language: Language = Language.EN, **kwargs: Any) -> Recommendation:
    return RoutinesReasoner(mine(log, POOL), (), language).decide(context(*args, **kwargs), POOL, NAMES)


def functions(recommendation: Recommendation) -> list[str]:
    return [call.name for call in recommendation.calls]


def test_a_habit_is_proposed_at_its_time_with_its_lines() -> None:
    log = english()
    recommendation = decide(log, f"{NEXT_FRIDAY}T22:38:00")
    assert functions(recommendation) == ["cancel_alarm"]
    assert recommendation.rec == "Shall I turn off the 06:15 alarm, as you usually do on Fridays around 22:40?"
    cited = {e.ref for e in recommendation.why.evidence if e.kind is EvidenceKind.LOG_LINE}
    assert cited == {str(entry.line) for entry in log if "alarm" in entry.action}
    assert recommendation.topic.startswith("cancel_alarm")
    assert recommendation.confidence is not None
    assert recommendation.confidence > 0.6


@pytest.mark.parametrize(
    "moment",
    [
        {"now": f"{NEXT_FRIDAY}T21:30:00"},
        {"now": f"{NEXT_FRIDAY}T23:30:00"},
        {"now": f"{NEXT_MONDAY}T22:40:00"},
        {"now": f"{NEXT_FRIDAY}T22:40:00", "place": "work"},
        {"now": f"{NEXT_FRIDAY}T22:40:00", "trigger": "notification", "data": {"title": "Sale", "text": "50% off"}},
    ],
)
def test_a_habit_is_not_proposed_at_another_time_day_place_or_trigger(moment: dict[str, Any]) -> None:
    assert decide(english(), **moment).silent


def test_an_unknown_place_excludes_no_habit() -> None:
    assert functions(decide(english(), f"{NEXT_FRIDAY}T22:38:00", place="unknown")) == ["cancel_alarm"]


def test_low_battery_away_from_a_charger_is_answered_as_before() -> None:
    recommendation = decide(english(), f"{NEXT_MONDAY}T16:20:00", **LOW, place="work")
    assert functions(recommendation) == ["set_power_saving_mode"]
    assert recommendation.calls[0].parameters == {"enabled": True}
    assert recommendation.calls[0].trust_of("enabled") is Trust.OWNER


@pytest.mark.parametrize(
    "moment",
    [
        {"data": {"level": 15, "plugged": True}},
        {"data": {"level": 15}, "facts": {"battery.plugged": True}},
        {"data": {"level": 55, "plugged": False}},
        {"data": {"level": 15, "plugged": False}, "facts": {"power_saving.enabled": True}},
    ],
)
def test_it_is_not_answered_where_that_would_be_nonsense(moment: dict[str, Any]) -> None:
    assert decide(english(), f"{NEXT_MONDAY}T16:20:00", "battery_level", **moment).silent


def test_what_the_log_shows_done_today_is_not_proposed_again() -> None:
    log = english()
    done = at(39, "22:31", HOME, "Switched the 06:15 alarm off for the weekend.")
    assert decide(numbered([*log, done]), f"{NEXT_FRIDAY}T22:38:00").silent


def test_relative_dates_are_counted_from_today() -> None:
    recommendation = decide(english(), "2026-04-12T20:08:00")
    assert functions(recommendation) == ["clean_up_media_files"]
    assert recommendation.calls[0].parameters["before_date"] == "2026-03-29"


def test_an_empty_log_is_silent_and_says_why() -> None:
    recommendation = decide([], f"{NEXT_MONDAY}T16:20:00", **LOW)
    assert recommendation.silent
    assert recommendation.rec == "No Recommendation"
    assert recommendation.why.text == "No habit and no situation is known."


def test_sentences_come_in_chinese() -> None:
    recommendation = decide(chinese(), "2026-04-10T22:58:00", language=Language.ZH)
    assert functions(recommendation) == ["cancel_alarm"]
    assert recommendation.rec == "要关掉07:00的闹钟吗？你通常在周五23:00左右这样做。"
    assert recommendation.why.text == "最近5个周五里有5个在23:00左右这样做，最近一次是2026年4月3日周五。"


def test_only_candidates_are_proposed() -> None:
    habits = mine(english(), POOL)
    moment = context(f"{NEXT_FRIDAY}T22:38:00")
    assert RoutinesReasoner(habits).decide(moment, POOL, ["set_display"]).silent


def test_a_habit_switched_off_by_its_owner_is_silent() -> None:
    habits = [habit.model_copy(update={"enabled": False}) for habit in mine(english(), POOL)]
    assert RoutinesReasoner(habits).decide(context(f"{NEXT_FRIDAY}T22:38:00"), POOL, NAMES).silent


def a_saver_of_numbers() -> list[LogEntry]:
    texts = ["Hello, this is Petra from the choir.", "Hi, it's Ingrid, we met on the ferry."]
    log = [at(day, "12:00", OFFICE, "She had lunch.") for day in range(20)]
    for day, text in zip((4, 11), texts, strict=True):
        log.append(
            at(day, "15:00", OFFICE, f"An SMS came in from an unknown number: '{text}' She added it to Contacts.")
        )
    return numbered(log)


def test_names_and_numbers_come_from_the_message_and_carry_its_trust() -> None:
    data = {"number": "5550142", "text": "Hi, this is Otto, my new number.", "contact": None}
    recommendation = decide(a_saver_of_numbers(), f"{NEXT_MONDAY}T14:20:00", "sms_received", data)
    (call,) = recommendation.calls
    assert call.parameters == {"name": "Otto", "phone_number": "5550142"}
    assert call.trust_of("name") is Trust.THIRD_PARTY
    assert call.is_chosen_by_third_party
    assert recommendation.rec.endswith("? The details come from text that others wrote.")


def test_what_rests_on_text_of_others_is_not_called_usual_in_either_language() -> None:
    data = {"number": "5550142", "text": "Hi, this is Otto, my new number.", "contact": None}
    for language, usual in ((Language.EN, ("as you", "usual")), (Language.ZH, ("通常", "之前", "这样做"))):
        moment = (f"{NEXT_MONDAY}T14:20:00", "sms_received", data)
        said = decide(a_saver_of_numbers(), *moment, language=language).rec
        assert "Otto" in said and not any(word in said for word in usual)


@pytest.mark.parametrize(
    "text",
    [
        "this is Otto's parcel service, your code is 482913",
        "See you at eight!",
        "Hi, this is Otto. Huge sale today, 50% off!",
        "Hi, this is Otto. Look at http://prize.example",
    ],
)
def test_a_message_of_another_kind_is_left_alone(text: str) -> None:
    data = {"number": "5550142", "text": text, "contact": None}
    assert decide(a_saver_of_numbers(), f"{NEXT_MONDAY}T14:20:00", "sms_received", data).silent


def test_a_reply_goes_to_where_the_message_came_from() -> None:
    log = [at(day, "02:10", HOME, "A P1 alert arrived. She answered 'Ack, on it' on Slack.") for day in (1, 8, 15, 22)]
    data = {"app": "Slack", "channel": "billing", "sender": "otto", "text": "URGENT: the shop is down, requests fail"}
    (call,) = decide(numbered(log), f"{NEXT_MONDAY}T03:00:00", "notification", data).calls
    assert call.parameters == {"app_name": "Slack", "recipient": "billing", "content": "Ack, on it"}
    assert call.trust_of("recipient") is Trust.THIRD_PARTY
    assert call.trust_of("content") is Trust.OWNER


@pytest.mark.parametrize(
    ("moment", "calls"),
    [
        ({"now": "2026-04-06T19:44:00"}, {"make_phone_call": {"contact_name": "Otto", "call_type": "voice"}}),
        ({"now": "2026-04-09T19:44:00"}, {}),
        ({"now": "2026-04-06T08:08:00"}, {"query_weather": {"info_type": "forecast"}}),
        (
            {
                "now": "2026-04-06T11:00:00",
                "trigger": "sms_received",
                "data": {"number": "10690003", "text": "Congratulations! You won the lottery.", "contact": None},
            },
            {"block_phone_number": {"phone_number": "10690003"}},
        ),
        (
            {
                "now": "2026-04-06T11:00:00",
                "trigger": "sms_received",
                "data": {"number": "10690004", "text": "Your prescription is ready.", "contact": None},
            },
            {},
        ),
    ],
)
def test_the_habits_of_somebody_at_home_all_day_are_met(moment: dict[str, Any], calls: dict[str, Any]) -> None:
    recommendation = decide(elderly(), **moment)
    assert {call.name: dict(call.parameters) for call in recommendation.calls} == calls


def test_the_surest_proposal_wins_and_a_habit_with_the_same_call_is_what_is_cited() -> None:
    low = next(situation for situation in builtin_situations() if situation.id == "low_battery")
    moment = context(f"{NEXT_MONDAY}T16:20:00", **LOW, facts={"battery.plugged": False})
    doubtful = RoutinesReasoner(mine(english(), POOL), [low.model_copy(update={"confidence": 0.1})])
    assert doubtful.decide(moment, POOL, NAMES).topic.startswith("set_power_saving_mode")
    sure = RoutinesReasoner(mine(english(), POOL), [low.model_copy(update={"confidence": 1.0})])
    assert sure.decide(moment, POOL, NAMES).topic.startswith("set_power_saving_mode")
    extreme = {"enabled": True, "mode": "extreme"}
    calls = tuple(call.model_copy(update={"parameters": extreme}) for call in low.calls)
    other = RoutinesReasoner(mine(english(), POOL), [low.model_copy(update={"confidence": 1.0, "calls": calls})])
    assert other.decide(moment, POOL, NAMES).topic == "low_battery"


def test_a_recommendation_cites_no_more_than_its_latest_lines() -> None:
    recommendation = decide(english(70), "2026-05-11T17:30:00", place="work")
    lines = [evidence for evidence in recommendation.why.evidence if evidence.kind is EvidenceKind.LOG_LINE]
    assert len(lines) == CITED
    assert int(lines[-1].ref) == max(int(line.ref) for line in lines)


async def test_it_is_a_reasoner_like_any_other() -> None:
    reasoner: Reasoner = RoutinesReasoner(mine(english(), POOL))
    moment = context(f"{NEXT_FRIDAY}T22:38:00")
    assert (await reasoner.recommend(moment, POOL, NAMES, timeout=1.0)).reasoner == reasoner.name == "routines"
    await reasoner.close()
    await reasoner.close()
