"""What is suggested for a text, and when silence is right, whatever the network's weights."""

import math
from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from agent.compose import text_reasoner
from agent.config import Config
from collectors.context import Context
from function_pool.spec import default_pool
from heed.language import Language
from heed.trust import Trust
from models.config import Keenness, ModelsConfig, ReaderConfig
from models.perceptor.network import shipped_network, shipped_vocabulary
from models.reader.card import shipped_reader_card
from models.reader.reading import TextReader, TextReading
from models.reader.reasoner import TextReasoner
from models.reader.text_input import ReaderInput
from models.reasoner import Recommendation
from tests.models.routines.moments import context

POOL = default_pool()
NAMES = tuple(spec.name for spec in POOL)
THRESHOLD = 1.6
SURE = 6.0
NEW_NUMBER = "Hi, this is Jonas, my new number, please save it"
ERRAND = "Can you book us a table for 4 at Luigi's tonight at 7pm please"
JONAS = {"person": "Jonas"}


class FixedReader(TextReader):
    """A reader with one result for every text."""

    def __init__(self, reading: TextReading) -> None:
        super().__init__(shipped_network(), shipped_vocabulary(), NAMES)
        self._reading = reading

    def read(self, given: ReaderInput) -> TextReading:
        return self._reading


def reasoner(
    need: float = SURE,
    *functions: tuple[str, float],
    spans: Mapping[str, str] = JONAS,
    language: Language = Language.EN,
) -> TextReasoner:
    chosen = functions or (("save_contact", 1.0),)
    return TextReasoner(FixedReader(TextReading(need=need, functions=chosen, spans=spans)), THRESHOLD, language)


def sms(text: str = NEW_NUMBER, **data: JsonValue) -> Context:
    return context(
        "2026-05-04T10:00:00", "sms_received", {"number": "+491701112233", "contact": None, "text": text, **data}
    )


def decide(made: TextReasoner, given: Context | None = None, candidates: tuple[str, ...] = NAMES) -> Recommendation:
    return made.decide(given or sms(), POOL, candidates)


def test_a_need_is_suggested_with_the_words_that_it_rests_on() -> None:
    found = decide(reasoner())
    (call,) = found.calls
    assert call.name == "save_contact"
    assert call.parameters == {"name": "Jonas", "phone_number": "+491701112233"}
    assert found.rec.startswith("“+491701112233” wrote: shall I ")
    assert "“Jonas”" in found.why.text
    assert [(one.ref, one.text) for one in found.why.evidence] == [("trigger.text", NEW_NUMBER)]
    assert found.topic == "text:save_contact"


def test_question_and_reason_are_in_the_owners_language() -> None:
    found = decide(reasoner(language=Language.ZH))
    assert found.rec.startswith("“+491701112233”")
    for shown in (found.rec, found.why.text):
        assert "Jonas" in shown
        assert any("\u4e00" <= letter <= "\u9fff" for letter in shown)


def test_what_a_text_calls_for_rests_on_text_of_others() -> None:
    (call,) = decide(reasoner()).calls
    assert call.is_chosen_by_third_party
    assert set(call.third_party_parameters) == set(call.parameters)
    assert {basis.trust for basis in call.choice} == {Trust.THIRD_PARTY}


def test_a_password_is_in_the_call_and_in_nothing_that_is_shown() -> None:
    text = "Join us on Zoom, meeting ID 845 1234 5678, passcode Tulip77"
    spans = {"company": "Zoom", "code": "845 1234 5678", "password": "passcode Tulip77"}
    found = decide(reasoner(SURE, ("join_online_meeting", 1.0), spans=spans), sms(text))
    (call,) = found.calls
    assert (call.parameters["meeting_id"], call.parameters["password"]) == ("84512345678", "Tulip77")
    assert "Tulip77" not in found.model_dump_json()
    assert "845 1234 5678" in found.why.text


def test_the_number_of_a_meeting_is_not_its_password() -> None:
    number = {"code": "845 1234 5678", "password": "845 1234 5678"}
    found = decide(reasoner(SURE, ("join_online_meeting", 1.0), spans=number), sms("Zoom meeting 845 1234 5678 now"))
    assert [set(call.parameters) for call in found.calls] == [{"platform", "meeting_id"}]


@pytest.mark.parametrize(
    "given",
    [
        context("2026-05-04T10:00:00", "battery_level", {"level": 15}),
        context("2026-05-04T10:00:00", "clock"),
        context("2026-05-04T10:00:00", "notification", {"package": "com.example"}),
    ],
    ids=["battery", "clock", "notification without text"],
)
def test_a_trigger_without_a_text_is_silent(given: Context) -> None:
    assert decide(reasoner(), given).silent


def test_far_below_the_threshold_it_is_silent() -> None:
    for need, opens in ((THRESHOLD - 3, False), (THRESHOLD - 1, True), (THRESHOLD, True)):
        assert decide(reasoner(need)).silent is not opens


def test_a_required_argument_that_the_text_does_not_state_is_not_guessed() -> None:
    assert decide(reasoner(spans={}), sms("please save it")).silent
    assert decide(reasoner(SURE, ("set_alarm", 1.0), spans={}), sms("set an alarm please")).silent


@pytest.mark.parametrize(
    ("sender", "asked"),
    [
        ({"number": "+639615550147", "contact": None}, False),
        ({"number": "+639615550147", "contact": "Tita Luz"}, True),
        ({"number": "95588", "contact": None}, True),
        ({"number": "GCash", "contact": None}, True),
    ],
    ids=["stranger", "contact", "service number", "company"],
)
def test_a_stranger_leads_to_no_payment(sender: dict[str, JsonValue], asked: bool) -> None:
    spans = {"person": "Luz", "amount": "35000"}
    given = sms("Please send 35000 to Luz today", **sender)
    for function in ("transfer_money", "pay_bill"):
        found = decide(reasoner(SURE, (function, 1.0), spans=spans), given)
        assert found.silent or asked, function
    assert decide(reasoner(SURE, ("transfer_money", 1.0), spans=spans), given).silent is not asked


def test_the_number_of_a_stranger_who_names_a_sum_is_not_saved() -> None:
    spans = {"person": "Luz"}
    given = sms("This is my new number, save it. Luz", number="+639615550147", contact=None)
    assert not decide(reasoner(SURE, ("save_contact", 1.0), spans=spans), given).silent
    assert decide(reasoner(SURE, ("save_contact", 1.0), spans={**spans, "amount": "35000"}), given).silent


def test_a_likely_function_that_can_be_filled_is_taken_instead() -> None:
    half = (("set_alarm", 0.5), ("save_contact", 0.4))
    assert [call.name for call in decide(reasoner(SURE, *half)).calls] == ["save_contact"]
    assert decide(reasoner(SURE, ("set_alarm", 0.9), ("save_contact", 0.05))).silent


def test_only_candidates_are_suggested() -> None:
    assert decide(reasoner(), candidates=("set_alarm",)).silent


def test_the_confidence_is_one_half_at_the_threshold() -> None:
    assert decide(reasoner(THRESHOLD)).confidence == pytest.approx(0.5)
    assert decide(reasoner(THRESHOLD + 2)).confidence == pytest.approx(1 / (1 + math.exp(-2)))
    assert decide(reasoner(THRESHOLD - 1)).confidence == pytest.approx(1 / (1 + math.exp(1)))
    assert decide(reasoner(1e6)).confidence == pytest.approx(1)


def test_doubt_about_the_function_lowers_the_confidence() -> None:
    sure, torn = (decide(reasoner(3.0, ("save_contact", share))).confidence for share in (1.0, 0.5))
    assert sure is not None
    assert torn is not None
    assert torn < sure


def test_keenness_moves_the_threshold() -> None:
    thresholds = shipped_reader_card().thresholds
    assert set(thresholds) == set(Keenness)
    assert thresholds[Keenness.SHY] > thresholds[Keenness.BALANCED] > thresholds[Keenness.KEEN]
    confidences = []
    for keenness in (Keenness.SHY, Keenness.BALANCED, Keenness.KEEN):
        made = text_reasoner(Config(models=ModelsConfig(reader=ReaderConfig(keenness=keenness))))
        confidences.append(decide(made, sms(ERRAND)).confidence or 0.0)
    assert 0 < confidences[0] < confidences[1] < confidences[2]


@pytest.mark.parametrize("text", ["ok", "Thanks, see you!", "好的，谢谢", "Happy birthday! 🎂"])
def test_small_talk_is_silent(text: str) -> None:
    for keenness in (Keenness.SHY, Keenness.BALANCED):
        made = text_reasoner(Config(models=ModelsConfig(reader=ReaderConfig(keenness=keenness))))
        assert decide(made, sms(text)).silent
