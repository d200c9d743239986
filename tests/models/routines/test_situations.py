"""Situations propose when they are so, and not when it only looks like it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from function_pool.spec import default_pool
from heed.errors import UsageError
from heed.language import Language
from heed.trust import Trust
from models.routines.language.current_moment import current_moment
from models.routines.language.lexicon import default_lexicon
from models.routines.reasoner import RoutinesReasoner
from models.routines.rules.conditions import Condition
from models.routines.rules.situations import (
    Situation,
    builtin_situations,
    check,
    example_sentence,
    load_situations,
    switched_on,
)
from tests.phones import WORDS

from .moments import context, from_example

POOL = default_pool()
NAMES = [spec.name for spec in POOL]
LEXICON = default_lexicon()
SITUATIONS = {situation.id: situation for situation in (*builtin_situations(), *load_situations(WORDS))}
EXAMPLES: dict[str, dict[str, list[Any]]] = yaml.safe_load(
    (Path(__file__).parent / "situations.yaml").read_text("utf-8")
)


def examples(kind: str) -> list[Any]:
    return [
        pytest.param(name, example, id=f"{name}-{number}")
        for name, sorts in EXAMPLES.items()
        for number, example in enumerate(sorts[kind])
    ]


def test_every_situation_has_two_examples_and_two_look_alikes() -> None:
    assert set(EXAMPLES) == set(SITUATIONS)
    assert all(len(sorts["act"]) >= 2 and len(sorts["silent"]) >= 2 for sorts in EXAMPLES.values())


@pytest.mark.parametrize(("name", "example"), examples("act"))
@pytest.mark.parametrize("language", list(Language))
def test_a_situation_proposes_when_it_is_so(name: str, example: Any, language: Language) -> None:
    reasoner = RoutinesReasoner((), [SITUATIONS[name]], language)
    recommendation = reasoner.decide(from_example(example), POOL, NAMES)
    calls = {call.name: call.parameters for call in recommendation.calls}
    assert set(calls) == set(example["calls"])
    for function, wanted in example["calls"].items():
        assert {key: calls[function].get(key) for key in wanted} == wanted
        required = {key for key, spec in POOL.get(function).parameters.items() if spec.required}
        assert required <= set(calls[function])
    assert recommendation.topic == name
    assert "$" not in recommendation.rec
    assert recommendation.rec.endswith(("?", "？"))


@pytest.mark.parametrize(("name", "example"), examples("silent"))
def test_a_situation_stays_silent_at_a_look_alike(name: str, example: Any) -> None:
    assert check(SITUATIONS[name], current_moment(from_example(example), LEXICON)) is None


@pytest.mark.parametrize(("name", "example"), examples("act"))
def test_no_situation_acts_at_another_kind_of_trigger(name: str, example: Any) -> None:
    other = from_example({**example, "trigger": "command"})
    assert check(SITUATIONS[name], current_moment(other, LEXICON)) is None


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("name", [one.id for one in builtin_situations()])
def test_each_built_in_situation_applies_at_its_own_example(name: str, language: Language) -> None:
    sentence = example_sentence(SITUATIONS[name], language)
    assert sentence.endswith(("?", "？"))
    assert "$" not in sentence


def test_an_example_has_the_trust_labels_of_a_phone() -> None:
    moment = current_moment(SITUATIONS["meeting_document"].example[Language.EN].context(), LEXICON)
    found = check(SITUATIONS["meeting_document"], moment)
    assert found is not None and found.calls[0].trust_of("file_name") is Trust.THIRD_PARTY


def test_a_value_from_a_message_is_known_to_be_somebody_elses() -> None:
    moment = current_moment(from_example(EXAMPLES["new_number"]["act"][0]), LEXICON)
    hit = check(SITUATIONS["new_number"], moment)
    assert hit is not None
    assert hit.calls[0].trust_of("name") is Trust.THIRD_PARTY
    assert hit.calls[0].trust_of("phone_number") is Trust.THIRD_PARTY


def test_a_situation_names_the_facts_it_rests_on() -> None:
    example = EXAMPLES["low_battery"]["act"][0]
    hit = check(SITUATIONS["low_battery"], current_moment(from_example(example), LEXICON))
    assert hit is not None
    assert hit.facts == ("trigger.level", "battery.plugged")


def test_situations_are_switched_on_by_name() -> None:
    on = switched_on(builtin_situations(), frozenset({"low_battery", "weekend_alarm"}))
    assert [situation.id for situation in on] == ["low_battery", "weekend_alarm"]
    assert switched_on(builtin_situations(), frozenset()) == ()
    with pytest.raises(UsageError, match=r"no situation called low_batery.*Known are: .*low_battery"):
        switched_on(builtin_situations(), frozenset({"low_batery"}))


OWN = """situations:
  - id: gym_evening
    about: {en: "Gym on Thursdays", zh: "周四健身"}
    scenario: Health & Sports
    confidence: 0.7
    when: [clock]
    all:
      - {today: [thu]}
      - {time_between: ["18:00", "19:00"]}
      - {place: [gym]}
    calls:
      - {name: start_workout, parameters: {sport_type: strength}}
    because: {en: "It is Thursday evening", zh: "周四晚上了"}
"""


def test_the_owners_own_file_works_like_the_built_in_one(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN, "utf-8")
    (own,) = load_situations(path)
    thursday = context("2026-03-05T18:30:00", place="gym")
    assert check(own, current_moment(thursday, LEXICON)) is not None
    assert check(own, current_moment(context("2026-03-05T18:30:00"), LEXICON)) is None


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ("{today: [thu]}", "{today: [thursday]}", 8, "mon"),
        ("{today: [thu]}", "{sometimes: true}", 8, "a condition names one of fact"),
        ("{place: [gym]}", "{text: '(unclosed'}", 10, "no regular expression"),
        ("confidence: 0.7", "confidence: 7", 5, "less than or equal to 1"),
        ("sport_type: strength", 'sport_type: "${kind}"', 2, "nothing binds kind"),
        ("id: gym_evening", "id: Gym evening", 2, "match pattern"),
        ("when: [clock]", "when: []", 6, "at least 1 item"),
        ("    scenario: Health & Sports\n", "", 2, "Field required"),
    ],
)
def test_a_fault_is_named_with_file_and_line(tmp_path: Path, old: str, new: str, line: int, fault: str) -> None:
    path = tmp_path / "own.yaml"
    assert old in OWN
    path.write_text(OWN.replace(old, new), "utf-8")
    with pytest.raises(UsageError) as caught:
        load_situations(path)
    assert f"own.yaml, line {line}: " in str(caught.value)
    assert fault in str(caught.value)


def test_a_name_declared_twice_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN + OWN.partition("\n")[2], "utf-8")
    with pytest.raises(UsageError, match="declared twice: gym_evening"):
        load_situations(path)


CONDITION: TypeAdapter[Any] = TypeAdapter(Condition)
FACTS: dict[str, Any] = {
    "alarms.next": {"time": "2026-03-07T07:00:00+02:00"},
    "notifications": [{"app": "Bank", "title": "Bill due"}, {"app": "Shop", "title": "Sale"}],
    "ringer.mode": "normal",
    "time.holiday": "Easter Monday",
}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"fact": "ringer.mode", "is": "normal"}, True),
        ({"fact": "ringer.mode", "one_of": ["vibrate", "silent"]}, False),
        ({"fact": "never.read", "is": None}, False),
        ({"fact": "never.read", "present": False}, False),
        ({"fact": "alarms.next", "field": "time", "between": ["06:00", "08:00"]}, True),
        ({"fact": "alarms.next", "field": "time", "weekday": ["sun"]}, False),
        ({"fact": "alarms.next", "field": "label", "matches": "work"}, False),
        ({"fact": "alarms.next", "field": "time", "within_minutes": 60}, False),
        ({"fact": "ringer.mode", "at_least": 3}, False),
        ({"item": "notifications", "where": {"app": {"is": "Bank"}, "title": {"matches": "due"}}}, True),
        ({"item": "notifications", "where": {"app": {"is": "Shop"}, "title": {"matches": "due"}}}, False),
        ({"item": "never.read", "where": {}}, False),
        ({"time_between": ["22:00", "06:00"]}, True),
        ({"time_between": ["06:00", "22:00"]}, False),
        ({"today": ["fri"]}, True),
        ({"place": ["work"]}, False),
        ({"holiday": True}, True),
        ({"profile": "vegetarian"}, True),
        ({"profile": "allergic"}, False),
        ({"unknown_number": True}, False),
        ({"text": "anything"}, False),
        ({"mentions": ["incident"]}, False),
        ({"entity": "file"}, False),
        ({"data": "level", "at_most": 20}, False),
    ],
)
def test_conditions_hold_only_when_they_are_read_to_be_so(condition: dict[str, Any], holds: bool) -> None:
    moment = current_moment(context("2026-03-06T23:00:00", facts=FACTS, profile={"diet": "vegetarian"}), LEXICON)
    assert (CONDITION.validate_python(condition).holds(moment) is not None) == holds


def test_items_bind_their_fields() -> None:
    condition = CONDITION.validate_python({"item": "notifications", "where": {"app": {"is": "Bank"}}, "as": "bill"})
    held = condition.holds(current_moment(context("2026-03-06T23:00:00", facts=FACTS), LEXICON))
    assert held.bound["bill.title"].value == "Bill due"
    assert held.bound["bill.title"].basis[0].trust is Trust.THIRD_PARTY


def test_built_in_situations_call_what_the_pool_has() -> None:
    for situation in builtin_situations():
        assert isinstance(situation, Situation)
        for call in situation.calls:
            spec = POOL.get(call.name)
            assert set(call.parameters) <= set(spec.parameters)


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        ({"number": "5550142", "contact": None}, True),
        ({"number": "5550142", "contact": "Bob"}, False),
        ({"number": "5550142"}, False),
        ({"contact": None}, False),
    ],
)
def test_a_number_is_unknown_only_when_the_contacts_were_read(data: dict[str, Any], holds: bool) -> None:
    condition = CONDITION.validate_python({"unknown_number": True})
    moment = current_moment(context("2026-03-06T23:00:00", "sms_received", data), LEXICON)
    assert (condition.holds(moment) is not None) == holds
