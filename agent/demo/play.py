"""Plays the demo's scenario on a virtual phone, with the real adb server, event stream, journal and executors between.

The script knows the day and, where there is no terminal, the person's answers; heed knows nothing of either.
"""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import JsonValue

from agent.compose import Household, Phone, compose
from agent.config import Config, ConsoleConfig, JournalConfig
from agent.consent import Answer, Channel, ConsentRequest, Given
from agent.control import Handler, Request
from agent.demo.changes import Change, changes
from agent.demo.jumps import JumpingAlarm, JumpingClock, Jumps, MarkedEvents
from agent.demo.pace import Pace
from agent.policy import Decision
from agent.stages import Acted, Answered, Decided, Listener, Saw, Stage, Undid, every
from agent.watch import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.virtual import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from android_bridge.virtual.scenario import FOLDER, Entry, Persona
from collectors.config import CollectorsConfig
from executors.plan import Outcome
from heed.language import Language
from heed.model import Frozen
from models.config import ModelsConfig, RoutinesConfig
from models.routines.situations import builtin_situations

DEADLINE = 30.0
"""Seconds within which heed must attend the phone."""
_KINDS: Mapping[str, frozenset[str]] = {
    "battery": frozenset({"battery_level", "charger"}),
    "sms": frozenset({"sms_received"}),
    "notification": frozenset({"notification"}),
    "bluetooth": frozenset({"bluetooth_connected", "bluetooth_disconnected"}),
    "open_app": frozenset({"app_foreground"}),
    "screen": frozenset({"screen"}),
    "advance": frozenset({"clock", "calendar_event", "screen_time"}),
}
"""The triggers that an event of the scenario causes."""


class Moment(Frozen):
    """One moment of the day as data."""

    at: str
    note: str
    expected: str
    """What an assistant should do: a function, ``silence``, or empty."""
    decision: str = ""
    reason: str = ""
    sentence: str = ""
    why: str = ""
    evidence: tuple[str, ...] = ()
    answer: str = ""
    outcomes: tuple[Outcome, ...] = ()
    changes: tuple[Change, ...] = ()
    """What heed's action changed on the phone, from the phone's own state."""
    undone: tuple[Change, ...] = ()
    """What taking an action back changed."""
    as_expected: bool = True


class ScriptedChannel:
    """Answers for the scenario's person, as the script says for the moment."""

    name = "script"
    answer = Answer.NOT_NOW

    async def ask(self, request: ConsentRequest) -> Answer:
        """The answer of this moment."""
        return self.answer


class _Heard:
    """What the loop told while one moment was played."""

    def __init__(self, pass_on: Callable[[Stage], None], look: Callable[[], dict[str, Any]]) -> None:
        self._pass_on, self._look = pass_on, look
        self.clear()

    def clear(self) -> None:
        self.decisions: list[tuple[str, Decided]] = []
        self.given: Given | None = None
        self.acted: list[Acted] = []
        self.before: dict[str, Any] = {}
        self._trigger = ""

    def tell(self, stage: Stage) -> None:
        match stage:
            case Saw():
                self._trigger = stage.context.trigger.kind
            case Decided():
                self.decisions.append((self._trigger, stage))
                if stage.verdict.decision is not Decision.SILENT:
                    self.before = self._look()
            case Answered():
                self.given = stage.given
            case Acted():
                self.acted.append(stage)
            case Undid():
                pass
        self._pass_on(stage)

    @property
    def proposal(self) -> Decided | None:
        """The decision to speak, if there was one."""
        spoken = (decided for _, decided in self.decisions if decided.verdict.decision is not Decision.SILENT)
        return next(spoken, None)


class _Stage(NamedTuple):
    """Everything that the play needs while it runs."""

    player: ScenarioPlayer
    state: PhoneState
    phone: Phone
    jumps: Jumps
    heard: _Heard
    channel: Channel
    announce: Callable[[Entry], None]


async def play_day(
    home: Path,
    *,
    scenario: Scenario | None = None,
    language: Language = Language.EN,
    channel: Channel | None = None,
    listen: Callable[[Stage], None] = lambda stage: None,
    announce: Callable[[Entry], None] = lambda entry: None,
    show_console: Callable[[str], None] | None = None,
    pace: Pace | None = None,
) -> AsyncGenerator[Moment, None]:
    """Play a scenario in ``home`` (an empty folder for journal and frames), one moment after the other.

    ``scenario`` is what happens; None = the demo's day. ``channel`` is who answers; None = the script.
    ``show_console`` is given the link of the day's console; None = there is no console. ``pace`` is how fast the day
    goes by; None = as fast as it can.
    """
    pace = pace or Pace()
    scenario = scenario or Scenario.load("demo")
    async with _staged(
        home, scenario, language, channel or ScriptedChannel(), listen, announce, show_console, pace
    ) as stage:
        while (coming := stage.player.next) is not None:
            await pace.between()
            yield await _play_moment(stage, *coming)


async def _play_moment(stage: _Stage, at: datetime, entry: Entry) -> Moment:
    """One entry, and what was due since the one before it."""
    heard = stage.heard
    heard.clear()
    if isinstance(stage.channel, ScriptedChannel):
        stage.channel.answer = Answer(entry.answer)
    stage.announce(entry)
    await stage.jumps.until(at)
    stage.player.step()
    await stage.jumps.settle()
    proposal, after = heard.proposal, stage.state.to_json()
    decided = proposal or _decision_about(heard, entry)
    undone = await _take_back(stage, entry.take_back)
    recommendation = decided.recommendation if decided else None
    return Moment(
        at=f"{stage.state.clock.wall():%H:%M}",
        note=entry.note,
        expected=entry.expect,
        decision=decided.verdict.decision if decided else "",
        reason=decided.reason if decided else "",
        sentence=recommendation.rec if recommendation and proposal else "",
        why=recommendation.why.text if recommendation and proposal else "",
        evidence=tuple(item.text for item in recommendation.why.evidence) if recommendation and proposal else (),
        answer=heard.given.answer if heard.given else "",
        outcomes=tuple(acted.outcome for acted in heard.acted),
        changes=changes(heard.before, after) if heard.acted else (),
        undone=undone,
        as_expected=_as_expected(entry, proposal),
    )


def _decision_about(heard: _Heard, entry: Entry) -> Decided | None:
    wanted = _KINDS.get(entry.event, frozenset())
    return next((decided for kind, decided in heard.decisions if kind in wanted), None)


def _as_expected(entry: Entry, proposal: Decided | None) -> bool:
    if entry.expect in ("", "silence"):
        return proposal is None
    return proposal is not None and [call.name for call in proposal.recommendation.calls] == [entry.expect]


async def _take_back(stage: _Stage, function: str) -> tuple[Change, ...]:
    """Undo the newest action of ``function`` that can be undone."""
    for past in stage.phone.attendant.books.journal.timeline():
        for action in past.actions:
            if action.step.call.name == function and action.can_be_undone:
                before = stage.state.to_json()
                await stage.phone.attendant.undo(action.id)
                await stage.jumps.settle()
                return changes(before, stage.state.to_json())
    return ()


@asynccontextmanager
async def _staged(
    home: Path,
    scenario: Scenario,
    language: Language,
    channel: Channel,
    listen: Callable[[Stage], None],
    announce: Callable[[Entry], None],
    show_console: Callable[[str], None] | None,
    pace: Pace,
) -> AsyncIterator[_Stage]:
    """The virtual phone on a private adb server, attended as ``heed run`` would attend it."""
    state = scenario.new_state()
    state.clock.freeze()
    heard = _Heard(listen, state.to_json)
    async with _private_server(home) as server, VirtualPhone(state).connected(server) as device:
        config = _config(home, server, device.serial, language, scenario.persona)
        host, alarm, events = JumpingClock(), JumpingAlarm(), MarkedEvents(device, state)
        async with (
            compose(config, host) as household,
            _attended(household, channel, heard.tell, show_console, pace) as attended,
        ):
            phone = attended._replace(events=events)
            watcher = Watcher(
                phone.attendant,
                clock=phone.clock,
                host=host,
                triggers=phone.triggers,
                dues=phone.dues,
                upcoming=phone.upcoming.dues,
                alarm=alarm,
            )
            jumps = Jumps(state, phone, events, watcher, alarm, host)
            running = asyncio.create_task(watcher.run())
            try:
                async with asyncio.timeout(DEADLINE):
                    await state.log.followed()
                await jumps.settle()
                yield _Stage(ScenarioPlayer(scenario, state), state, phone, jumps, heard, channel, announce)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def _attended(
    household: Household, channel: Channel, listen: Listener, show_console: Callable[[str], None] | None, pace: Pace
) -> AsyncIterator[Phone]:
    """The phone with its attendant, and the console beside them where it is wanted."""
    serial = household.config.bridge.serial
    if show_console is None:
        yield household.phone(serial, channels=[channel], listen=listen)
        return
    # The web server takes half a second to import, and commands import the demo.
    from agent.console.console import Console

    console = Console(household)
    phone = household.phone(serial, channels=[channel, *console.channels], listen=every(listen, console.listen))
    async with console.serving(_handler(phone, pace)):
        show_console(console.link())
        yield phone


def _handler(phone: Phone, pace: Pace) -> Handler:
    """What the console asks of a daemon, for the one phone of the demo."""

    async def answer(request: Request) -> JsonValue:
        if request.op == "undo":
            outcome = await phone.attendant.undo(int(str(request.arguments["action"])))
            return outcome.model_dump(mode="json")
        if request.op == "pause":
            pace.hold(bool(request.arguments["paused"]))
        return [{"serial": phone.attendant.serial, "state": "attended", "reason": "", "paused": pace.paused}]

    return answer


def _config(home: Path, server: AdbServer, serial: str, language: Language, persona: Persona) -> Config:
    profile = home / "profile.yaml"
    profile.write_text(yaml.safe_dump({"user_profile": persona.profile}, allow_unicode=True), encoding="utf-8")
    log = FOLDER / persona.behaviour if persona.behaviour else home / "behaviour.jsonl"
    switched_on = [one.id for one in builtin_situations()] if persona.situations == "all" else persona.situations
    return Config(
        language=language,
        bridge=BridgeConfig(port=server.port, serial=serial),
        collectors=CollectorsConfig(
            language=language, profile=profile, behaviour_log=log, frames_folder=home / "frames"
        ),
        models=ModelsConfig(routines=RoutinesConfig(situations=frozenset(switched_on))),
        console=ConsoleConfig(phone=False),
        journal=JournalConfig(path=home / "journal.sqlite3"),
    )


@asynccontextmanager
async def _private_server(home: Path) -> AsyncIterator[AdbServer]:
    """A real adb server of our own, so that the person's phones and keys are left alone."""
    # It looks for no phones: not on a cable (which takes it three seconds), nor in the network, nor emulators.
    quiet = {"HOME": str(home), "ADB_USB": "0", "ADB_MDNS": "0", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554"}
    server = AdbServer(BridgeConfig(port=_free_port()), environment=quiet)
    await server.ensure_running()
    try:
        yield server
    finally:
        await server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
