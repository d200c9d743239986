"""The judge has the last word only where the rules leave it one."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from collectors.context import RenderedContext
from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.judge import Judge
from evaluation.proactivemobile.metrics import ProactivePrediction, figures
from evaluation.proactivemobile.run import play
from function_pool.call import FunctionCall
from function_pool.spec import Pool, default_pool
from models.config import OpenAIConfig
from models.openai.server import ModelServer
from tests.models.openai.test_openai_faults import Scripted, http, reply

POOL = default_pool()
SAID = RenderedContext(profile="Ann", phone="It is Friday 6 March 2026, 21:00.", world="", trace=("Opened Messages",))


def text(content: str) -> tuple[FunctionCall, ...]:
    return (FunctionCall(name="send_sms", parameters={"recipient": "Bob", "content": content}),)


WEATHER = (FunctionCall(name="query_weather"),)
LATE = ProactiveCase(id="late", said=SAID, answers=(text("I will be ten minutes late"),))
QUIET = ProactiveCase(id="quiet", said=SAID, answers=((),))


def proposed(calls: tuple[FunctionCall, ...]) -> ProactivePrediction:
    return ProactivePrediction(id="1", calls=calls)


class Proposes:
    """A predictor that always proposes the same calls."""

    def __init__(self, calls: tuple[FunctionCall, ...]) -> None:
        self._calls = calls
        self.at_once = self.most_at_once = 0

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return ProactivePrediction(id=case.id, calls=self._calls)


@asynccontextmanager
async def judging(*replies: bytes) -> AsyncIterator[tuple[Scripted, ModelServer]]:
    script = Scripted(replies)
    listening = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    server = ModelServer(OpenAIConfig(base_url=f"http://127.0.0.1:{port}/v1", model="judge"))
    async with listening:
        yield script, server
        await server.close()


@pytest.mark.parametrize("same", [True, False])
async def test_another_wording_is_for_the_judge(same: bool) -> None:
    async with judging(reply({"same": same})) as (script, server):
        made = await Judge(server).look(LATE, proposed(text("running late, sorry")), POOL)
    assert made.judged is same
    asked = json.loads(script.asked[0]["messages"][1]["content"])
    assert asked["proposed"][0]["parameters"]["content"] == "running late, sorry"
    assert asked["wanted"][0]["parameters"]["content"] == "I will be ten minutes late"
    measured = figures([(LATE, made)], POOL)
    assert (measured.success_strict, measured.success_judged) == (0.0, float(same))


@pytest.mark.parametrize(
    ("case", "calls", "judged"),
    [
        (LATE, text("I will be ten minutes late"), True),
        (LATE, WEATHER, False),
        (LATE, (), False),
        (QUIET, (), True),
        (QUIET, WEATHER, False),
    ],
)
async def test_what_the_rules_settle_is_not_asked(
    case: ProactiveCase, calls: tuple[FunctionCall, ...], judged: bool
) -> None:
    async with judging() as (script, server):
        made = await Judge(server).look(case, proposed(calls), POOL)
    assert (made.judged, script.asked) == (judged, [])


@pytest.mark.parametrize("bad", [http(500, "{}"), reply("yes, the same"), reply("[true]")])
async def test_a_judge_that_fails_counts_against_the_reasoner_and_is_told(bad: bytes) -> None:
    async with judging(bad) as (_, server):
        made = await Judge(server).look(LATE, proposed(text("late")), POOL)
    assert made.judged is None
    assert made.judge_fault
    assert figures([(LATE, made)], POOL).success_judged == 0.0


def test_without_a_judge_there_is_no_judged_rate() -> None:
    assert figures([(LATE, ProactivePrediction(id="late"))], POOL).success_judged is None


async def test_records_are_played_in_parallel_and_reported_in_order() -> None:
    cases = [LATE.model_copy(update={"id": str(number)}) for number in range(9)]
    predictor = Proposes(WEATHER)
    told: list[str] = []
    done = {"3": ProactivePrediction(id="3", rec="known")}
    made = await play(cases, predictor, POOL, done, lambda one: told.append(one.id), parallel=4)
    assert [one.id for one in made] == [case.id for case in cases]
    assert sorted(told) == [case.id for case in cases]
    assert made[3].rec == "known"
    assert predictor.most_at_once == 4


async def test_predictions_of_an_earlier_run_without_a_verdict_are_looked_at() -> None:
    done = {"late": proposed(text("running late, sorry")), "quiet": ProactivePrediction(id="quiet", judged=False)}
    async with judging(reply({"same": True})) as (script, server):
        made = await play([LATE, QUIET], Proposes(()), POOL, done, lambda one: None, look=Judge(server).look)
    assert [one.judged for one in made] == [True, False]
    assert len(script.asked) == 1
