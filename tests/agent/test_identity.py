"""Consent binds to the phone, not to the address at which adb reaches it."""

import asyncio
import io
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from rich.console import Console

from agent.compose import Runtime, compose
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.consent.terminal import consent_panel
from agent.journal import stores_in
from agent.journal.database import utc
from agent.journal.schema import MIGRATIONS
from agent.loop.daemon import Daemon
from agent.loop.decider import Reasoners
from agent.loop.phone_agent import PhoneAgent
from agent.loop.progress import Listener
from agent.policy.verdict import Decision
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.reader import UnreadableError
from android_bridge.identity import OtherPhoneError, PhoneIdentity, parse_identity
from collectors.context import Trigger, TriggerKind
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from heed.language import Language
from models.reasoner import Recommendation
from tests.agent.make import NOON, config_of, context, let_time_pass, recommendation
from tests.agent.test_silence import Says
from tests.phones import START, reconnect
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.state.files import FileError

CLOCK = Trigger(kind=TriggerKind.CLOCK)


def other_phone(serial: str = "other") -> VirtualPhone:
    """Another phone of the same model; nothing but its numbers differs."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.identity.serial = serial
    return VirtualPhone(state)


class Address:
    """One port of this machine, at which one phone after the other answers."""

    def __init__(self, server: AdbServer) -> None:
        self._server, self.port = server, 0

    @property
    def serial(self) -> str:
        return f"127.0.0.1:{self.port}"

    @asynccontextmanager
    async def shows(self, phone: VirtualPhone) -> AsyncIterator[str]:
        """The phone answers at the address while in the block."""
        async with phone.listening(self.port) as self.port:
            await reconnect(self._server, self.serial)
            yield self.serial


@pytest_asyncio.fixture
async def address(adb_server: AdbServer) -> AsyncIterator[Address]:
    one = Address(adb_server)
    yield one
    if one.port:
        await adb_server.disconnect(one.serial)


class Allows:
    """An owner who says yes after ``meanwhile``; remembers what they were asked."""

    name = ChannelName.TERMINAL

    def __init__(self, answer: Answer = Answer.ONCE) -> None:
        self.answer, self.asked = answer, list[ConsentRequest]()
        self.shown, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()

    async def ask(self, request: ConsentRequest) -> Answer:
        self.asked.append(request)
        self.shown.set()
        await self.go_on.wait()
        return self.answer


async def agent_at(
    runtime: Runtime,
    serial: str,
    owner: Allows,
    said: Recommendation | None = None,
    listen: Listener = lambda event: None,
) -> PhoneAgent:
    """The agent of the phone that answers at ``serial``; its reasoner always recommends battery saver, or ``said``."""
    recommending = runtime._replace(reasoners=Reasoners(Says(said or recommendation())))
    return recommending.phone(serial, await runtime.identify(serial), channels=[owner], listen=listen).agent


async def test_a_plan_for_one_phone_is_refused_when_another_answers_at_its_address(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    intruder, owner = other_phone(), Allows()
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            agent = await agent_at(runtime, serial, owner)
            context, decision = await agent.decide(CLOCK)
        async with address.shows(intruder):
            (outcome,) = await agent.act_on(context, decision)
    assert outcome.kind is OutcomeKind.REFUSED
    assert str(outcome.message).startswith(f"At {address.serial} there is another phone now (Google Pixel 8).")
    assert not intruder.state.power.saver and not phone.state.power.saver


async def test_a_yes_that_comes_after_another_phone_took_the_address_is_void(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    intruder, owner = other_phone(), Allows()
    owner.go_on.clear()
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            agent = await agent_at(runtime, serial, owner)
            asked = asyncio.create_task(agent.handle(CLOCK))
            await owner.shown.wait()
        async with address.shows(intruder):
            owner.go_on.set()
            await asked
        (entry,) = runtime.stores.journal.timeline()
    assert entry.plan is not None and entry.plan.answer is Answer.ONCE
    assert [action.outcome.kind for action in entry.actions if action.outcome] == [OutcomeKind.REFUSED]
    assert not intruder.state.power.saver


async def test_no_command_reaches_another_phone_between_two_commands(
    adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    intruder = other_phone()
    async with address.shows(phone) as serial:
        identity = await Device(adb_server, serial).identify()
        device = Device(adb_server, serial, identity=identity)
        assert (await device.shell("cmd power set-mode 0")).exit_code == 0
    asks: list[Callable[[], object]] = [
        lambda: device.shell("cmd power set-mode 1"),
        lambda: device.shell("cmd power set-mode 1 & wait"),
        lambda: device.exec_out("cmd power set-mode 1"),
        lambda: device.push(b"x", "/sdcard/x"),
        lambda: device.pull("/sdcard/x"),
        device.screenshot,
        lambda: device.forward("tcp:9008"),
        lambda: device.reverse("tcp:8765", "tcp:1"),
    ]
    async with address.shows(intruder):
        for ask in asks:
            with pytest.raises(OtherPhoneError):
                await ask()  # type: ignore[misc]
        with pytest.raises(OtherPhoneError):
            async with device.stream("cmd power set-mode 1"):
                pass
    assert not intruder.state.power.saver
    with pytest.raises(FileError):
        intruder.state.files.read("/sdcard/x")


async def test_always_holds_for_the_phone_at_whatever_address_and_for_no_other(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    owner = Allows(Answer.ALWAYS)
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            assert await (await agent_at(runtime, serial, owner)).handle(CLOCK) is Decision.ASK
        let_time_pass(runtime.stores, minutes=15)
        async with address.shows(other_phone()) as serial:
            assert await rule(await agent_at(runtime, serial, owner)) == "ask_first"
        async with address.shows(clone_of(phone, android_id="0123456789abcdef")) as serial:
            assert await rule(await agent_at(runtime, serial, owner)) == "ask_first"
        async with clone_of(phone).connected(adb_server) as elsewhere:
            assert elsewhere != serial
            assert await rule(await agent_at(runtime, elsewhere, owner)) == "granted"


async def test_a_system_update_keeps_the_phone_and_asks_again_for_its_grants(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    owner = Allows(Answer.ALWAYS)
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            agent = await agent_at(runtime, serial, owner)
            await agent.handle(CLOCK)
            before = agent.phone
        let_time_pass(runtime.stores, minutes=15)
        updated = clone_of(phone)
        updated.state.identity.build_id = "AP1A.240305.019"
        async with address.shows(updated) as serial:
            agent = await agent_at(runtime, serial, owner)
            assert (agent.phone.id, agent.phone != before) == (before.id, True)
            assert await rule(agent) == "ask_first"
            (entry,) = runtime.stores.journal.timeline()
            updated.state.power.set_saver(True)
            assert (await agent.undo(entry.actions[0].id)).ok


async def test_an_action_is_undone_on_its_own_phone_only(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    intruder = other_phone()
    intruder.state.power.set_saver(True)
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            await (await agent_at(runtime, serial, Allows())).handle(CLOCK)
        async with address.shows(intruder) as serial:
            agent = await agent_at(runtime, serial, Allows())
            with pytest.raises(RefusedError, match=r"was done on Google Pixel 8, not on Google Pixel 8 \(2\)"):
                await agent.undo(1)
            assert await agent.recover() == []
    assert intruder.state.power.saver


async def test_the_daemon_starts_afresh_when_another_phone_takes_an_address(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            daemon = Daemon(runtime, wanted={serial})
            running = asyncio.create_task(daemon.run())
            await names(daemon, "Google Pixel 8")
            first = daemon._phones[serial]
        async with address.shows(other_phone()):
            await names(daemon, "Google Pixel 8 (2)")
            assert daemon._phones[serial] is not first
        async with address.shows(clone_of(phone)):
            await names(daemon, "Google Pixel 8")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_one_phone_at_two_addresses_is_monitored_once(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with (
        compose(config_of(adb_server, tmp_path)) as runtime,
        phone.connected(adb_server) as one,
        clone_of(phone).connected(adb_server) as two,
    ):
        daemon = Daemon(runtime, wanted={one, two})
        running = asyncio.create_task(daemon.run())
        async with asyncio.timeout(60):
            while {status.state.value for status in daemon._status.values()} != {"monitored", "failing"}:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_with_two_phones_of_a_kind_the_question_names_the_phone(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, address: Address
) -> None:
    owner = Allows(Answer.NOT_NOW)
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        async with address.shows(phone) as serial:
            await agent_at(runtime, serial, owner)
        async with address.shows(other_phone()) as serial:
            await (await agent_at(runtime, serial, owner)).handle(CLOCK)
    (request,) = owner.asked
    assert request.phone_name == "Google Pixel 8 (2)"
    assert "Google Pixel 8 (2)" in printed(request)


def test_rows_by_address_stay_readable_and_their_grants_are_gone(tmp_path: Path) -> None:
    path, at = tmp_path / "journal.sqlite3", utc(NOON)
    with sqlite3.connect(path) as db:
        db.executescript("".join(MIGRATIONS[:3]) + "PRAGMA user_version = 3;")
        for number, serial in enumerate(("127.0.0.1:5555", "R5CT1234"), start=1):
            body = context().model_copy(update={"serial": serial}).model_dump_json()
            db.execute("INSERT INTO context VALUES (?, ?, ?, 'battery_level', ?)", (number, at, serial, body))
            said = recommendation().model_dump_json()
            db.execute(
                "INSERT INTO decision VALUES (?, ?, ?, 't', 'silent', 'ask_first', 'why', ?)",
                (number, number, at, said),
            )
            db.execute("INSERT INTO \"grant\" VALUES (?, ?, ?, 'scope', 'Turn it on?')", (number, at, serial))
    with stores_in(path) as stores:
        assert [entry.serial for entry in stores.journal.timeline()] == ["R5CT1234", "127.0.0.1:5555"]
        wireless, cable = identity_of("A1"), identity_of("R5CT1234")
        stores.phones.seen(wireless, "127.0.0.1:5555")
        stores.phones.seen(cable, "R5CT1234")
        assert stores.grants.entries() == []
        assert stores.journal.timeline()[0].phone_id == cable.id


@pytest.mark.parametrize(
    "change", [{"serial": "x"}, {"device": "husky"}, {"brand": "x"}], ids=["serial number", "device", "brand"]
)
def test_each_number_of_a_phone_distinguishes_it(change: dict[str, str]) -> None:
    assert identity_of("A1").id != identity_of(**{"serial_number": "A1"} | renamed(change)).id


def test_a_phone_that_does_not_say_which_it_is_is_not_used() -> None:
    for text in (
        "",
        "heed-identity" * 5,
        "\nheed-identity\nheed-identity\nheed-identity\nheed-identity\nheed-identity null",
    ):
        with pytest.raises(UnreadableError):
            parse_identity(text)


def test_a_name_of_a_phone_cannot_redraw_the_question() -> None:
    hostile = "A\x1b[2J\u202eevil\n" + "x" * 500
    name = identity_of("A1", model=hostile).model
    assert name.isprintable()
    assert len(name) <= 40


def renamed(change: dict[str, str]) -> dict[str, str]:
    return {{"serial": "serial_number"}.get(name, name): value for name, value in change.items()}


def identity_of(
    serial_number: str, *, brand: str = "google", device: str = "shiba", model: str = "Pixel 8"
) -> PhoneIdentity:
    fingerprint = f"{brand}/{device}/{device}:14/UQ1A/1:user/release-keys"
    values = (serial_number, "", fingerprint, "Google", model, "5e4d3c2b1a098765")
    return parse_identity("heed-identity".join(values))


def clone_of(phone: VirtualPhone, android_id: str = "") -> VirtualPhone:
    """The same phone after a restart: its numbers are the same; with another ``android_id`` only one of them."""
    clone = other_phone(phone.state.identity.serial)
    clone.state.clock.jump(START + timedelta(hours=1))
    if android_id:
        clone.state.settings.put("secure", "android_id", android_id)
    return clone


def printed(request: ConsentRequest) -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(consent_panel(request, Language.EN))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


async def rule(agent: PhoneAgent) -> str:
    _, decision = await agent.decide(CLOCK)
    return decision.verdict.rule


async def names(daemon: Daemon, name: str) -> None:
    """Wait until the daemon monitors one phone, by this name."""
    async with asyncio.timeout(90):
        while [(one.name, one.state.value) for one in daemon._status.values()] != [(name, "monitored")]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
