"""The reader of incoming texts in the loop: before situations that match words, switched off, and on a phone."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.compose import current_routines
from agent.config import Config, JournalConfig
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.demo import play_day
from agent.journal import stores_in
from agent.loop.current_habits import CurrentRoutines
from agent.policy.grants import may_grant
from collectors.context import TriggerKind
from function_pool.spec import default_pool
from heed.language import Language
from models.config import ModelsConfig, ReaderConfig, RoutinesConfig
from models.perceptor.network import shipped_network, shipped_vocabulary
from models.reader.reading import TextReader, TextReading
from models.reader.reasoner import TextReasoner
from models.reader.text_input import ReaderInput
from models.routines.rules.situations import builtin_situations, load_situations
from tests.agent.make import plan, step
from tests.conftest import REPO
from tests.models.routines.moments import context
from tests.phones import WORDS
from virtual_phone.scenario import Scenario

POOL = default_pool()
NAMES = [spec.name for spec in POOL]
THRESHOLD = 2.0
INTRODUCTION = context(
    "2026-05-04T10:00:00",
    "sms_received",
    {"number": "+491701112233", "contact": None, "text": "Hi, this is Jonas, my new number"},
)
OWN = """
situations:
  - id: own_new_number
    about: {en: "A new number", zh: "新号码"}
    scenario: Social Communication
    confidence: 0.7
    when: [sms_received]
    all: [{text: "this is (?P<who>\\\\w+)"}, {data: number, present: true, as: number}]
    calls: [{name: save_contact, parameters: {name: "${who}", phone_number: "${number}"}}]
    because: {en: "${who} wrote", zh: "${who}来信"}
"""


class FixedReader(TextReader):
    """A reader with one result for every text."""

    def __init__(self, need: float, functions: tuple[tuple[str, float], ...], spans: Mapping[str, str]) -> None:
        super().__init__(shipped_network(), shipped_vocabulary(), NAMES)
        self._reading = TextReading(need=need, functions=functions, spans=spans)

    def read(self, given: ReaderInput) -> TextReading:
        return self._reading


def own_situations(folder: Path) -> Any:
    path = folder / "own.yaml"
    path.write_text(OWN, "utf-8")
    return load_situations(path)


async def suggested(need: float, situations: Any, *, function: str = "web_search", given: Any = INTRODUCTION) -> str:
    """The topic that the routines suggest with a reader of this result; empty for silence."""
    reader = TextReasoner(FixedReader(need, ((function, 1.0),), {"person": "Jonas"}), THRESHOLD)
    routines = CurrentRoutines(lambda: (), lambda: situations, Language.EN, reader)
    return (await routines.recommend(given, POOL, NAMES, timeout=1.0)).topic


def test_no_situation_that_ships_matches_the_words_of_messages() -> None:
    texts = {TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION}
    assert not [one.id for one in builtin_situations() if texts & set(one.when)]


async def test_a_situation_that_is_on_holds_whatever_the_reader_says(tmp_path: Path) -> None:
    assert await suggested(THRESHOLD - 40, own_situations(tmp_path)) == "own_new_number"


async def test_a_situation_of_the_phone_does_not_need_the_gate() -> None:
    battery = context("2026-05-04T10:00:00", "battery_level", {"level": 15, "plugged": False})
    low = tuple(one for one in builtin_situations() if one.id == "low_battery")
    reader = TextReasoner(FixedReader(-40.0, (), {}), THRESHOLD)
    without, beside = (CurrentRoutines(lambda: (), lambda: low, Language.EN, one) for one in (None, reader))
    first = await without.recommend(battery, POOL, NAMES, timeout=1.0)
    assert first == await beside.recommend(battery, POOL, NAMES, timeout=1.0)


async def test_the_more_confident_of_reader_and_situations_is_suggested(tmp_path: Path) -> None:
    own = own_situations(tmp_path)
    assert await suggested(THRESHOLD + 4, own, function="save_contact") == "text:save_contact"
    assert await suggested(THRESHOLD, own, function="save_contact") == "own_new_number"


async def test_an_open_gate_alone_suggests_nothing() -> None:
    assert await suggested(THRESHOLD + 4, (), function="set_alarm") == ""


@pytest.mark.parametrize("enabled", [True, False])
def test_it_is_loaded_only_where_it_is_switched_on(enabled: bool, tmp_path: Path) -> None:
    """In a process of its own, because the network is loaded once."""
    program = f"""
import asyncio
from pathlib import Path
from agent.compose import compose
from agent.config import Config, JournalConfig
from models.config import ModelsConfig, ReaderConfig
from models.perceptor.network import shipped_network

async def main():
    models = ModelsConfig(reader=ReaderConfig(enabled={enabled}))
    async with compose(Config(journal=JournalConfig(path=Path({str(tmp_path)!r}) / "j.sqlite3"), models=models)):
        print(shipped_network.cache_info().currsize)

asyncio.run(main())
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=REPO, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stdout.split() == [str(int(enabled))], ran.stderr


async def test_switched_off_no_text_is_read_and_situations_match_words_alone(tmp_path: Path) -> None:
    routines_config = RoutinesConfig(situations=frozenset({"new_number"}), situation_files=(WORDS,))
    models = ModelsConfig(reader=ReaderConfig(enabled=False), routines=routines_config)
    config = Config(journal=JournalConfig(path=tmp_path / "journal.sqlite3"), models=models)
    with stores_in(config.journal.path) as stores:
        routines = current_routines(config, lambda: (), stores)
        assert (await routines.recommend(INTRODUCTION, POOL, NAMES, timeout=1.0)).topic == "new_number"


async def test_nothing_that_it_suggests_can_be_always_allowed() -> None:
    reader = TextReasoner(FixedReader(THRESHOLD + 4, (("set_do_not_disturb", 1.0),), {}), THRESHOLD)
    given = context("2026-05-04T10:00:00", "sms_received", {"number": "1", "text": "Please turn on do not disturb"})
    (call,) = reader.decide(given, POOL, NAMES).calls
    assert not may_grant(plan(step(call)))
    assert may_grant(plan(step(call.model_copy(update={"basis": {}, "choice": ()}))))


DAY = """
name: texts
start: 2026-05-04T09:00:00+01:00
timezone: Europe/London
state:
  battery: 80
  messages: []
  alarms: []
  calendar: []
  contacts: [{name: Ann, number: "+44 7700 900111"}]
timeline:
  - at: "10:00"
    sms: {from: "+44 7700 900111", text: "Please call me back as soon as you can"}
    expect: make_phone_call
  - at: "12:00"
    sms: {from: "+44 7700 900111", text: "Thanks, see you!"}
    expect: silence
  - at: "14:00"
    notification: {app: com.whatsapp, title: Ann, text: "Join us now: https://us02web.zoom.us/j/84512345678"}
    expect: join_online_meeting
"""


async def test_a_text_is_answered_through_the_whole_loop_with_the_words_that_it_rests_on(tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(DAY, "utf-8")
    day = [one async for one in play_day(tmp_path, scenario=Scenario.load(tmp_path / "day.yaml"))]
    assert [f"{one.at} {one.sentence or one.reason}" for one in day if not one.as_expected] == []
    called, _, joined = day
    assert called.sentence.startswith("“Ann” wrote: shall I ")
    assert called.evidence == ("Please call me back as soon as you can",)
    assert "“https://us02web.zoom.us/j/84512345678”" in joined.why


class AlwaysYes:
    """Allows everything, for always where that is offered."""

    name = ChannelName.TERMINAL

    def __init__(self) -> None:
        self.requests: list[ConsentRequest] = []

    async def ask(self, request: ConsentRequest) -> Answer:
        self.requests.append(request)
        return Answer.ALWAYS if request.may_always else Answer.ONCE


async def test_nothing_that_a_text_calls_for_is_offered_for_always(tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(DAY, "utf-8")
    channel = AlwaysYes()
    async for _ in play_day(tmp_path, scenario=Scenario.load(tmp_path / "day.yaml"), channel=channel):
        pass
    assert [request.may_always for request in channel.requests] == [False, False]
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        assert stores.grants.entries() == []
