"""A rule's sentence becomes a situation that applies when it says, or is refused with what was not understood."""

from typing import Any

import pytest

from function_pool.spec import default_pool
from heed.errors import PersonError
from heed.language import Language, language_of
from models.own_rules.phrases import phrase_table
from models.own_rules.sentence import free_number, read_rule
from models.routines.rules.situations import Situation, example_sentence

PLACES = {"home": "home", "家": "home", "work": "work", "公司": "work", "gym": "gym", "健身房": "gym"}
WORKDAYS = ("mon", "tue", "wed", "thu", "fri")
DND: dict[str, Any] = {"mode": "priority"}


def rule(sentence: str) -> Situation:
    return read_rule(sentence, 1, default_pool(), PLACES)


@pytest.mark.parametrize(
    ("sentence", "time", "days", "call", "parameters"),
    [
        (
            "weekdays 22:30: do not disturb until 7",
            "22:30",
            WORKDAYS,
            "set_do_not_disturb",
            DND | {"duration_minutes": 510},
        ),
        ("工作日22:30：勿扰到7点", "22:30", WORKDAYS, "set_do_not_disturb", DND | {"duration_minutes": 510}),
        ("at noon: DND for half an hour", "12:00", (), "set_do_not_disturb", DND | {"duration_minutes": 30}),
        (
            "every day at 13:00, do not disturb for 45 minutes",
            "13:00",
            (),
            "set_do_not_disturb",
            DND | {"duration_minutes": 45},
        ),
        ("周末下午2点：免打扰两个小时", "14:00", ("sat", "sun"), "set_do_not_disturb", DND | {"duration_minutes": 120}),
        (
            "Mon, Wed and Fri 18:00: remind me to call mum",
            "18:00",
            ("mon", "wed", "fri"),
            "create_reminder",
            {"content": "call mum"},
        ),
        ("周六早上9点：提醒我浇花", "09:00", ("sat",), "create_reminder", {"content": "浇花"}),
        ("every day at 7: open Spotify", "07:00", (), "launch_app", {"app_name": "Spotify"}),
        ("每天晚上11点，深色模式", "23:00", (), "set_display", {"setting": "dark_mode", "value": "on"}),
        (
            "at half past ten in the evening: silent",
            "22:30",
            (),
            "set_volume_and_ringer",
            {"stream": "ring", "ringer_mode": "silent"},
        ),
        ("06:45: do not disturb off", "06:45", (), "set_do_not_disturb", {"mode": "off"}),
        ("every weekday at 6:45: do not disturb off", "06:45", WORKDAYS, "set_do_not_disturb", {"mode": "off"}),
        ("5:30 in the evening: do not disturb off", "17:30", (), "set_do_not_disturb", {"mode": "off"}),
        ("mon-fri 8:00: do not disturb off", "08:00", WORKDAYS, "set_do_not_disturb", {"mode": "off"}),
        ("周一到周五8点：关闭勿扰", "08:00", WORKDAYS, "set_do_not_disturb", {"mode": "off"}),
        (
            "Friday to Monday at 21:00: do not disturb off",
            "21:00",
            ("mon", "fri", "sat", "sun"),
            "set_do_not_disturb",
            {"mode": "off"},
        ),
    ],
)
def test_a_schedule_is_read(
    sentence: str, time: str, days: tuple[str, ...], call: str, parameters: dict[str, Any]
) -> None:
    found = rule(sentence)
    assert found.due is not None
    assert f"{found.due.time:%H:%M}" == time
    assert found.due.days == (days or ("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
    assert [(one.name, dict(one.parameters)) for one in found.calls] == [(call, parameters)]


@pytest.mark.parametrize(
    ("sentence", "kind", "call"),
    [
        ("when I arrive at the gym: music", "connectivity", "play_music"),
        ("到健身房时：音乐", "connectivity", "play_music"),
        ("when I get home: turn on wifi", "connectivity", "set_connectivity"),
        ("在公司的时候：静音", "connectivity", "set_volume_and_ringer"),
        ("when I'm in the car: play jazz", "bluetooth_connected", "play_music"),
        ("上车时：导航到公司", "bluetooth_connected", "plan_route_and_navigate"),
        ("when I put on my headphones, play jazz", "bluetooth_connected", "play_music"),
        ("连上耳机时：放周杰伦", "bluetooth_connected", "play_music"),
        ("when the battery is below 15: battery saver", "battery_level", "set_power_saving_mode"),
        ("电量低于20：省电", "battery_level", "set_power_saving_mode"),
        ("when I plug in my phone: dark mode", "charger", "set_display"),
        ("充电时：关闭蓝牙", "charger", "set_bluetooth"),
    ],
)
def test_an_event_is_read(sentence: str, kind: str, call: str) -> None:
    found = rule(sentence)
    assert found.due is None
    assert found.when == (kind,)
    assert [one.name for one in found.calls] == [call]


@pytest.mark.parametrize(
    "sentence", ["weekdays 22:30: do not disturb until 7", "到健身房时：音乐", "battery under 9: dnd off"]
)
def test_a_rule_applies_at_its_own_example_in_the_words_it_was_written_in(sentence: str) -> None:
    language = language_of(sentence)
    shown = example_sentence(rule(sentence), language)
    assert shown.endswith("？" if language is Language.ZH else "?")
    assert "<" not in shown


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("do not disturb at night", "lacks a colon"),
        ("sometimes: music", "When\\? “sometimes”"),
        ("weekdays 22:30: dance", "What\\? “dance”"),
        ("when I arrive at the moon: music", "no place 'moon'.*gym, home, work"),
        ("when I get home: do not disturb until 7", "for 2 hours"),
        ("weekdays 22:30: do not disturb for 99 hours", "duration_minutes"),
        (":", "lacks a colon"),
    ],
)
def test_what_is_not_understood_is_said(sentence: str, fault: str) -> None:
    with pytest.raises(PersonError, match=fault):
        rule(sentence)


def test_every_phrase_proposes_a_function_of_the_pool() -> None:
    pool = default_pool()
    for action in phrase_table().actions:
        spec = pool.get(action.name)
        assert {*action.parameters, *filter(None, [action.duration])} <= set(spec.parameters)


def test_numbers_of_deleted_rules_are_used_again() -> None:
    assert [free_number(ids) for ids in ([], ["rule_1", "tea"], ["rule_2"], ["rule_1", "rule_3"])] == [1, 2, 1, 2]


@pytest.mark.parametrize("sentence", ["tonight at 10: dark mode", "on 5 May at 9: silent", "明天7点：提醒我吃药"])
def test_what_comes_once_is_refused(sentence: str) -> None:
    with pytest.raises(PersonError, match="a rule repeats"):
        rule(sentence)


@pytest.mark.parametrize("sentence", ["weekdays 22:30 except Wednesday: silent", "工作日22:30，除了周三：静音"])
def test_an_exception_is_refused_with_its_words(sentence: str) -> None:
    with pytest.raises(PersonError, match=r"except Wednesday|除了周三"):
        rule(sentence)
