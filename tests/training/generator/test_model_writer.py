"""A model writes and reviews records over real HTTP; the rules have the last word."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from evaluation.proactivemobile.cases import load_cases
from function_pool.spec import default_pool
from heed.errors import ModelError
from heed.language import Language
from models.config import OpenAIConfig
from models.openai.server import ModelServer
from tests.models.openai.test_openai_faults import http, reply
from training.generator.model_writer import TRIES, ModelWriter, RecordRequest, WrittenRecords, record_requests
from training.generator.records import NO_RECOMMENDATION
from training.generator.review import Review

POOL = default_pool()
NOW = datetime(2026, 3, 6, 21, 0, tzinfo=UTC)
NEED = RecordRequest("n-1", "set_alarm", Language.EN, "", NOW, "rides a bike")
CALM = NEED._replace(name="n-2", look_alike="the time for it is over")
MOMENT: dict[str, Any] = {
    "profile": "Ann, 34, a nurse who rides a bike.",
    "phone": "Battery 62%, at home, Wi-Fi.",
    "world": "A working day, dry.",
    "trace": ["Opened Messages", "Read: the early shift starts at 06:00 tomorrow", "Opened Clock and closed it"],
    "sentence": "Shall I set an alarm for 05:10?",
    "parameters": {"time": "05:10"},
}
FINE = {"fault": ""}


class Model:
    """A server that answers what was asked: moments when writing, verdicts when reviewing."""

    def __init__(self, write: Callable[[int, dict[str, Any]], Any], review: Callable[[int], Any]) -> None:
        self._write, self._review = write, review
        self.written: list[dict[str, Any]] = []
        self.reviewed: list[dict[str, Any]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        asked = json.loads(json.loads(await reader.readexactly(length))["messages"][1]["content"])
        if "moment" in asked:
            self.reviewed.append(asked)
            answer = self._review(len(self.reviewed))
        else:
            self.written.append(asked)
            answer = self._write(len(self.written), asked)
        writer.write(answer if isinstance(answer, bytes) else reply(answer))
        await writer.drain()
        writer.close()


@asynccontextmanager
async def serving(model: Model) -> AsyncIterator[ModelWriter]:
    listening = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    server = ModelServer(OpenAIConfig(base_url=f"http://127.0.0.1:{port}/v1", model="writer"))
    async with listening:
        yield ModelWriter(server, POOL)
        await server.close()


async def wrote(model: Model, *wanted: RecordRequest) -> WrittenRecords:
    async with serving(model) as writer:
        return await writer.write(list(wanted), lambda: None)


async def test_what_the_model_writes_becomes_a_record_of_the_benchmark(tmp_path: Any) -> None:
    model = Model(lambda number, asked: MOMENT, lambda number: FINE)
    made = await wrote(model, NEED)
    assert made.rejected == {}
    (tmp_path / "made.json").write_text(json.dumps(made.records))
    (case,) = load_cases(tmp_path / "made.json")
    assert (case.now, case.language, case.answers[0][0].name) == (NOW, "en", "set_alarm")
    assert "set_alarm(time" in model.written[0]["function"]
    assert model.reviewed[0]["moment"]["trace"] == MOMENT["trace"]


async def test_a_look_alike_is_silence_whatever_parameters_the_model_gives() -> None:
    made = await wrote(Model(lambda number, asked: MOMENT, lambda number: FINE), CALM)
    assert made.records[0]["recommendation"] == [{"instruction": NO_RECOMMENDATION, "function": []}]


async def test_what_was_wrong_is_told_and_asked_for_again() -> None:
    answers = ["no json", {**MOMENT, "trace": "one"}, MOMENT]
    model = Model(lambda number, asked: answers[number - 1], lambda number: FINE)
    made = await wrote(model, NEED)
    assert len(made.records) == 1
    assert made.rejected == {"model": 2}
    assert "JSON" in model.written[1]["do not repeat"]
    assert "trace" in model.written[2]["do not repeat"]


async def test_the_models_own_review_counts() -> None:
    model = Model(lambda number, asked: MOMENT, lambda number: {"fault": "She is no nurse."} if number == 1 else FINE)
    made = await wrote(model, NEED)
    assert (len(made.records), made.rejected) == (1, {"model": 1})
    assert model.written[1]["do not repeat"] == "She is no nurse."


async def test_the_rules_have_the_last_word_and_nothing_fills_the_gap() -> None:
    model = Model(lambda number, asked: {**MOMENT, "parameters": {"time": "soon"}}, lambda number: FINE)
    made = await wrote(model, NEED)
    assert made.records == []
    assert made.rejected == {"rules": TRIES, "left out": 1}


async def test_a_server_that_fails_is_told() -> None:
    with pytest.raises(ModelError, match="answered 401"):
        await wrote(Model(lambda number, asked: http(401, "{}"), lambda number: FINE), NEED, CALM)


def record(**changed: Any) -> dict[str, Any]:
    call = {"name": "save_contact", "parameters": {"name": "Bo", "phone_number": "+1 555-0100"}}
    said = {**MOMENT, "trace": ["Opened Messages", "Read: Bo here, my new number is 1555 0100"], **changed}
    return {
        "reference_information": {name: said[name] for name in ("profile", "phone", "world", "trace")},
        "recommendation": [{"instruction": "Save it?", "function": changed.get("calls", [call])}],
    }


INVENTED = {"name": "save_contact", "parameters": {"name": "Bo", "phone_number": "5550199"}}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({}, ""),
        ({"calls": []}, ""),
        ({"trace": ["Opened Messages"]}, "steps"),
        ({"trace": ["Opened Messages", " "]}, "steps"),
        ({"profile": ""}, "profile"),
        ({"profile": "安, 34"}, "language"),
        ({"world": "save_contact is called"}, "must not name"),
        ({"world": "a" * 7000}, "characters"),
        ({"calls": [INVENTED]}, "not to be found"),
        ({"calls": [{"name": "save_contact", "parameters": {}}]}, "not valid"),
        ({"calls": [{"name": "no_such_function", "parameters": {}}]}, "not valid"),
        ({"calls": [INVENTED] * 4}, "at most 3 calls"),
    ],
)
def test_the_rules_say_what_is_wrong(changed: dict[str, Any], fault: str) -> None:
    said = Review(POOL).fault(record(**changed), Language.EN, NOW)
    assert fault in said
    assert bool(said) is bool(fault)


def test_nearly_the_same_record_does_not_pass_twice() -> None:
    review = Review(POOL)
    assert review.fault(record(), Language.EN, NOW) == ""
    assert "nearly the same" in review.fault(record(), Language.EN, NOW)


def test_orders_come_in_pairs_over_the_whole_pool_and_from_the_seed() -> None:
    made = record_requests(2 * len(POOL), 3, POOL)
    assert {order.function for order in made} == {spec.name for spec in POOL}
    for need, calm in zip(made[::2], made[1::2], strict=True):
        assert (need.function, need.language, need.look_alike) == (calm.function, calm.language, "")
        assert calm.look_alike
    assert made == record_requests(2 * len(POOL), 3, POOL)
    assert made != record_requests(2 * len(POOL), 4, POOL)
