"""The password of a network or a meeting stands in clear in nothing that is written or shown."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.compose import compose
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.journal import ActionState
from agent.loop.progress import ProgressEvent
from agent.maintenance.export import benchmark_records
from android_bridge.adb import AdbServer
from executors.plan import OutcomeKind, Plan
from function_pool.call import FunctionCall
from function_pool.secrets import CONCEALED, conceal
from function_pool.spec import default_pool
from function_pool.validation import InvalidCallError, validate, with_secrets
from heed.language import Language
from tests.agent.make import config_of
from tests.executors.acting import WatchedPhone
from tests.phones import START, connected_device
from virtual_phone import PhoneState

PASSWORD = "s3cret & 'more' 100%"
JOIN = FunctionCall(
    name="set_connectivity",
    parameters={"connection_type": "wifi", "enabled": True, "ssid": "Cafe", "password": PASSWORD},
)
MEETING = FunctionCall(
    name="join_online_meeting", parameters={"platform": "Zoom", "meeting_id": "123456789", "password": PASSWORD}
)


class Asked:
    """Allows everything and keeps what was asked."""

    name = ChannelName.TERMINAL

    def __init__(self) -> None:
        self.requests: list[ConsentRequest] = []

    async def ask(self, request: ConsentRequest) -> Answer:
        self.requests.append(request)
        return Answer.ONCE


@pytest.fixture
async def watched(adb_server: AdbServer) -> AsyncIterator[WatchedPhone]:
    phone = WatchedPhone(PhoneState.standard(now=START))
    async with connected_device(phone, adb_server):
        yield phone


def stands_in(text: str) -> bool:
    return any(part in text for part in ("s3cret", b"s3cret".hex()))


async def carry_out(phone: WatchedPhone, server: AdbServer, home: Path, call: FunctionCall) -> tuple[str, OutcomeKind]:
    """Everything that was written or shown about a call, and how it ended."""
    config, asked = config_of(server, home), Asked()
    told: list[ProgressEvent] = []
    async with compose(config) as runtime:
        serial = next(entry.serial for entry in await runtime.server.devices())
        agent = runtime.phone(serial, await runtime.identify(serial), channels=[asked], listen=told.append).agent
        plan = await agent.plan(call)
        (outcome,) = await agent.carry_out(plan, consented=False)
        entries = agent.stores.journal.timeline()
        assert entries[0].plan and entries[0].plan.hash == plan.hash != entries[0].plan.plan.hash
        written = [entry.model_dump_json() for entry in entries]
        written.append(str(benchmark_records(agent.stores.journal, Language.EN)))
    written += [str(request) for request in asked.requests] + [request.model_dump_json() for request in asked.requests]
    written += [event.model_dump_json() for event in told]
    written += [path.read_bytes().decode("utf-8", "replace") for path in home.rglob("*") if path.is_file()]
    return "\n".join(written), outcome.kind


@pytest.mark.parametrize("call", [JOIN, MEETING], ids=["network", "meeting"])
async def test_it_is_in_no_journal_question_export_or_log(
    watched: WatchedPhone, adb_server: AdbServer, heed_home: Path, caplog: pytest.LogCaptureFixture, call: FunctionCall
) -> None:
    caplog.set_level(logging.DEBUG)
    written, kind = await carry_out(watched, adb_server, heed_home, call)
    assert kind in (OutcomeKind.VERIFIED, OutcomeKind.HANDED_OVER)
    assert not stands_in(written) and not stands_in(caplog.text)
    assert CONCEALED in written
    if call is JOIN:
        assert any(PASSWORD in line for line in watched.ran)


async def test_it_is_in_no_rejection_even_when_the_phone_repeats_it(
    watched: WatchedPhone, adb_server: AdbServer, heed_home: Path
) -> None:
    watched.refuse("cmd wifi connect-network", f"Security exception: bad passphrase {PASSWORD}")
    written, kind = await carry_out(watched, adb_server, heed_home, JOIN)
    assert kind is OutcomeKind.REFUSED
    assert not stands_in(written)
    assert "bad passphrase" in written


async def test_an_interrupted_step_is_checked_without_it(
    watched: WatchedPhone, adb_server: AdbServer, heed_home: Path
) -> None:
    config = config_of(adb_server, heed_home)
    async with compose(config) as runtime:
        serial = next(entry.serial for entry in await runtime.server.devices())
        agent = runtime.phone(serial, await runtime.identify(serial)).agent
        plan = await agent.plan(JOIN)
        plan_id = agent.stores.journal.record_plan(None, plan)
        action = agent.stores.journal.start_action(plan_id, 0, plan.steps[0], START)
        watched.state.network.join("Cafe")
        (record,) = await agent.recover()
        assert record.step.call.parameters["password"] == CONCEALED
        ended = agent.stores.journal.action(action)
        assert ended.state is ActionState.INTERRUPTED and ended.outcome and ended.outcome.ok


async def test_consent_binds_to_the_password_and_its_hash_does_not_tell_it(
    watched: WatchedPhone, adb_server: AdbServer, heed_home: Path
) -> None:
    async with compose(config_of(adb_server, heed_home)) as runtime:
        serial = next(entry.serial for entry in await runtime.server.devices())
        agent = runtime.phone(serial, await runtime.identify(serial)).agent
        first, again = await agent.plan(JOIN), await agent.plan(JOIN)
        other = JOIN.model_copy(update={"parameters": {**JOIN.parameters, "password": "another one"}})
        second = (await agent.plan(other)).model_copy(update={"salt": first.salt})
    assert first.hash != second.hash, "another password is another plan"
    assert first.hash != again.hash, "the same password twice has two hashes"
    assert first.salt not in first.model_dump_json()
    read_back = Plan.model_validate_json(first.model_dump_json())
    assert read_back.hash != first.hash


def test_every_secret_parameter_of_the_pool_is_concealed_and_unknown_functions_are_left_alone() -> None:
    pool = default_pool()
    for call in (JOIN, MEETING):
        marked = with_secrets(pool, call)
        assert marked.secret == {"password"} and marked.parameters["password"] == PASSWORD
        assert not stands_in(marked.model_dump_json()) and not stands_in(str(marked.shown))
    strange = FunctionCall(name="no_such_function", parameters={"password": "x"})
    assert with_secrets(pool, strange) is strange


@pytest.mark.parametrize("value", [{"s3cret": "s3cret"}, ["s3cret"] * 3, 1234567890123])
def test_a_fault_of_a_secret_argument_does_not_quote_it(value: object) -> None:
    parameters = {**JOIN.parameters, "password": value}
    try:
        checked = validate(default_pool(), FunctionCall.model_validate({"name": JOIN.name, "parameters": parameters}))
        assert not stands_in(checked.model_dump_json()) and "1234567890123" not in checked.model_dump_json()
    except InvalidCallError as error:
        assert not stands_in(str(error))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password='s3cret & '\"'\"'more'\"'\"' 100%'; cmd", f"password={CONCEALED}; cmd"),
        ("https://x.y/?pwd=s3cret%20%26%20%27more%27%20100%25", f"https://x.y/?pwd={CONCEALED}"),
        (PASSWORD, CONCEALED),
        ("nothing", "nothing"),
    ],
)
def test_a_secret_is_found_however_it_is_quoted(text: str, shown: str) -> None:
    assert conceal(text, [PASSWORD]) == shown


def test_a_short_secret_is_replaced_only_as_a_whole() -> None:
    assert conceal(("a", "a cat"), ["a"]) == (CONCEALED, "a cat")
