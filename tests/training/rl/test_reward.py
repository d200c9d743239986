"""The reward of answers."""

import json

import pytest

from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from models.grammar import OutputFormat
from models.output import ModelAnswer, serialise
from models.reasoner import NO_RECOMMENDATION
from training.rl.reward import Reward, RewardWeights

REWARD = Reward(default_pool(), OutputFormat.REC_FUNC)
WANTED = (FunctionCall(name="set_alarm", parameters={"time": "07:00"}),)
SILENT = serialise(ModelAnswer(rec=NO_RECOMMENDATION))


def calling(name: str, **values: object) -> str:
    calls = [{"name": name, "parameters": values}]
    return f"<rec>Shall I?</rec><function>{json.dumps({'model_recommendation': calls})}</function>"


@pytest.mark.parametrize(
    ("answer", "reward"),
    [
        (calling("set_alarm", time="07:00"), 1.0),
        (calling("set_alarm", time="08:00"), 0.5),
        (calling("set_timer", duration_seconds=60), 0.2),
        (SILENT, 0.2),
        (calling("set_alarm", time="soon"), 0.0),
        (calling("fly_to_the_moon"), 0.0),
        ("Shall I set an alarm?", 0.0),
    ],
)
def test_a_need_earns_form_names_and_arguments(answer: str, reward: float) -> None:
    assert REWARD.of(answer, WANTED) == pytest.approx(reward)


def test_silence_where_it_is_right_earns_everything() -> None:
    assert REWARD.of(SILENT, ()) == pytest.approx(1.0)


def test_a_false_trigger_costs_more_than_an_answer_that_cannot_be_read() -> None:
    assert REWARD.of(calling("set_alarm", time="07:00"), ()) == pytest.approx(-0.8)
    assert REWARD.of("nonsense", ()) == 0.0


def test_a_superfluous_call_costs() -> None:
    calls = [{"name": "set_alarm", "parameters": {"time": "07:00"}}, {"name": "query_weather", "parameters": {}}]
    answer = f"<rec>Shall I?</rec><function>{json.dumps({'model_recommendation': calls})}</function>"
    assert 0.5 < REWARD.of(answer, WANTED) < 1.0


def test_the_weights_can_be_others() -> None:
    strict = Reward(default_pool(), OutputFormat.REC_FUNC, RewardWeights(false_trigger=3.0))
    assert strict.of(calling("query_weather"), ()) == pytest.approx(-2.8)
