"""The words of a question on a service, and when it can only be declined."""

import pytest

from agent.channels.config import ShownTexts
from agent.channels.question_text import headline, question_text
from agent.consent.request import ConsentRequest, StepView
from function_pool.risk import Risk
from heed.language import Language

EN, ZH = Language.EN, Language.ZH


def step(**more: object) -> StepView:
    view = {"function": "save_contact", "parameters": {}, "third_party": {}, "effects": ("Saves Bob.",)}
    return StepView.model_validate({**view, "undo": (), "commands": ("content insert",), "risk": Risk.R1, **more})


def request(*steps: StepView, **more: object) -> ConsentRequest:
    about = {"plan_id": 1, "plan_hash": "h", "serial": "s", "phone_name": "Pixel 8", "sentence": "Save Bob?"}
    rest = {"why": "Bob wrote.", "evidence": ("a", "b", "c", "d"), "steps": steps or (step(),), "risk": Risk.R1}
    return ConsentRequest.model_validate({**about, **rest, "may_always": False, **more})


def test_everything_is_shown_but_the_older_evidence() -> None:
    title, text, is_whole = question_text(request(), ShownTexts.FULL, 4000, EN)
    assert title == "heed asks: Pixel 8"
    assert text.splitlines() == [
        "Save Bob?",
        "why: Bob wrote.",
        "· b",
        "· c",
        "· d",
        "will: Saves Bob.",
        "cannot be undone",
        "risk: a change that can be taken back",
    ]
    assert is_whole


def test_it_is_in_the_owners_language() -> None:
    title, text, _ = question_text(request(), ShownTexts.OWN, 4000, ZH)
    assert title == "heed 询问：Pixel 8"
    assert "无法撤销" in text


def test_without_evidence_it_is_still_whole() -> None:
    _, text, is_whole = question_text(request(), ShownTexts.OWN, 4000, EN)
    assert "·" not in text
    assert is_whole


@pytest.mark.parametrize(
    "asked", [request(step(third_party={"name": "Bob"})), request(is_influenced=True)], ids=["argument", "choice"]
)
def test_what_rests_on_text_of_others_is_hidden_and_cannot_be_allowed(asked: ConsentRequest) -> None:
    _, text, is_whole = question_text(asked, ShownTexts.OWN, 4000, EN)
    assert "Bob" not in text
    assert not is_whole
    assert "Bob" not in headline(asked, ShownTexts.OWN, EN)


def test_of_several_steps_those_that_rest_on_nobodys_text_are_shown() -> None:
    asked = request(step(third_party={"name": "Bob"}), step(effects=("Turns it on.",)))
    _, text, is_whole = question_text(asked, ShownTexts.OWN, 4000, EN)
    assert "Turns it on." in text and "Bob" not in text
    assert not is_whole


def test_what_an_assistant_asks_for_is_shown_as_the_assistants() -> None:
    asked = request(step(third_party={"name": "Bob"}), is_influenced=True, asked_by="Claude")
    _, text, is_whole = question_text(asked, ShownTexts.OWN, 4000, EN)
    assert "will: Saves Bob." in text and "others wrote" not in text
    assert is_whole


def test_nothing_is_shown_but_that_there_is_a_question() -> None:
    title, text, is_whole = question_text(request(), ShownTexts.NONE, 4000, EN)
    assert title == "heed asks: Pixel 8"
    assert text == headline(request(), ShownTexts.NONE, EN)
    assert "Bob" not in text
    assert not is_whole


def test_a_question_that_does_not_fit_is_not_cut_and_cannot_be_allowed() -> None:
    asked = request(step(effects=("字" * 700,)))
    assert question_text(asked, ShownTexts.FULL, 4000, ZH).is_whole
    short = question_text(asked, ShownTexts.FULL, 2000, ZH)
    assert not short.is_whole
    assert len(short.text.encode()) < 2000


def test_a_question_with_a_picture_is_not_whole_where_none_is_shown() -> None:
    _, text, is_whole = question_text(request(picture="/frames/a.jpg"), ShownTexts.FULL, 4000, EN)
    assert "A picture of the screen belongs to this question." in text
    assert "/frames" not in text
    assert not is_whole
