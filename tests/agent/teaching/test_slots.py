"""What differs each time: compared, or asked about."""

from typing import Any

import pytest

from agent.teaching.recording import TeachingError
from agent.teaching.slots import compare, open_texts, with_slots
from executors.steps.vocabulary import STEPS, AnyStep

FINISH = {"do": "finish", "before": [{"id": "done"}], "reached": {"en": "Done.", "zh": "完成。"}}


def typed(text: str, field: str = "Title") -> dict[str, Any]:
    """A step that types."""
    return {"do": "type", "view": {"id": field}, "name": {"en": f"“{field}”", "zh": f"“{field}”"}, "text": text}


def chosen(row: str, **view: Any) -> dict[str, Any]:
    """A step that taps a row of a list."""
    name = {"en": f"“{row}”", "zh": f"“{row}”"}
    return {"do": "tap", "view": {"inside": [row], **view}, "name": name, "after": [{"id": "page"}]}


def steps(*each: dict[str, Any]) -> tuple[AnyStep, ...]:
    return STEPS.validate_python([*each, FINISH])


def test_texts_and_rows_may_be_slots_each_named_once() -> None:
    found = open_texts(steps(chosen("Mum"), typed("Hi"), typed("Ho"), typed("Hi", "姓名")))
    assert [(one.text, one.suggestion) for one in found] == [("Mum", "item"), ("Hi", "title"), ("Ho", "title_2")]


def test_a_slot_stands_for_its_text_and_for_no_id_and_no_kind() -> None:
    made = with_slots(steps(chosen("tap"), typed("type")), {"tap": "row", "type": "words"})
    assert [step.do for step in made] == ["tap", "type", "finish"]
    assert made == steps(chosen("{row}"), typed("{words}"))


def test_a_slot_stands_for_its_text_within_what_the_app_shows() -> None:
    signs = [{"text": ["> Work"]}, {"text": ["Workshop"]}, {"text": ["Move → Work (2)"]}, {"id": "Work"}]
    step = {**chosen("Work"), "after": signs}
    (made, _) = with_slots(steps(step, typed("Work at Work", "Note"))[::2], {"Work": "folder"})
    assert [one.text for one in made.after[:3]] == [("> {folder}",), ("Workshop",), ("Move → {folder} (2)",)]
    assert made.after[3].id == "Work"


def test_a_typed_text_with_braces_must_be_a_slot() -> None:
    with pytest.raises(TeachingError, match="braces"):
        with_slots(steps(typed("{x}")), {})
    assert with_slots(steps(typed("{x}")), {"{x}": "code"}) == steps(typed("{code}"))
    assert with_slots(steps(typed("{x}")), {}, ["x"]) == steps(typed("{x}"))


def test_what_differs_between_two_recordings_is_a_slot() -> None:
    first, second = (
        steps(chosen("Mum"), typed("Hi"), typed("Bye", "End")),
        steps(chosen("Bob"), typed("Ho"), typed("Bye", "End")),
    )
    compared = compare(first, second, same_language=True)
    assert compared.slots == {"Mum": "item", "Hi": "title"}
    again = with_slots(compared.steps, compared.slots)
    assert compare(again, second, same_language=True) == (again, {})


def test_in_another_language_the_words_of_both_are_known() -> None:
    compared = compare(steps(chosen("Display"), typed("Hi")), steps(chosen("显示"), typed("Hi")), same_language=False)
    assert not compared.slots
    assert compared.steps[0].view.inside == ("Display", "显示")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "other",
    [steps(typed("Hi")), steps(typed("Hi"), chosen("Mum")), steps(chosen("Mum", id="other"), typed("Hi"))],
)
def test_something_else_the_second_time_is_refused(other: tuple[AnyStep, ...]) -> None:
    with pytest.raises(TeachingError):
        compare(steps(chosen("Mum"), typed("Hi")), other, same_language=True)
