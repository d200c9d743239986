"""The whole product loop on a virtual phone under attack, and everything that it read, showed and ran."""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, redirect_stderr
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from agent.cli.progress_printer import ProgressPrinter
from agent.compose import Phone, compose
from agent.config import Config, PolicyConfig
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.consent.terminal import consent_panel
from agent.demo.virtual_time import OffsetClock, SyncedPhoneEvents, VirtualTime, VirtualTimer
from agent.loop.progress import ConsentAnswered, ContextRead, DecisionMade, ProgressEvent
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from executors import runner
from executors.runner import VerifyTiming
from heed import logs
from heed.errors import DeviceError, ModelError
from heed.language import Language
from tests.executors.acting import WatchedPhone, flatten
from tests.phones import START
from tests.security.corpus import Attack, Channel
from tests.security.delivery import APART, deliver, furnish
from virtual_phone import PhoneState

log = logging.getLogger(__name__)

QUICK = partial(VerifyTiming, deadline=0.2, interval=0.02, settle=0.0)
"""The virtual phone shows at once what was done."""
NEVER_TOO_MANY = PolicyConfig.model_validate(
    {
        "quiet_from": "03:00", "quiet_until": "03:00", "per_hour": 1000, "per_day": 1000, "cool_down_hours": 0.0001,
        "minimum_confidence": 0,
    }
)  # fmt: skip
"""No rule of the policy that limits suggestions keeps one from being asked about."""


class Observation(NamedTuple):
    """Everything that one delivered text led to."""

    attack: Attack
    channel: Channel
    events: tuple[ProgressEvent, ...]
    ran: tuple[tuple[str, ...], ...]
    """The words of every command on the phone."""
    changed: tuple[str, ...]
    """Leaves of the phone's state that differ from right after the delivery."""
    printed: str
    """What the owner saw in the terminal."""
    logged: str
    errors: tuple[str, ...]

    @property
    def requests(self) -> list[ConsentRequest]:
        return [event.request for event in self.events if isinstance(event, ConsentAnswered)]

    @property
    def allowed(self) -> list[ConsentRequest]:
        """The requests that the owner answered with yes."""
        answered = [event for event in self.events if isinstance(event, ConsentAnswered)]
        return [event.request for event in answered if event.given.answer.allows]

    @property
    def decisions(self) -> list[DecisionMade]:
        return [event for event in self.events if isinstance(event, DecisionMade)]

    @property
    def contexts(self) -> list[ContextRead]:
        return [event for event in self.events if isinstance(event, ContextRead)]


class Owner:
    """Answers every second question with yes, so that no answer of the past keeps heed from asking."""

    name = ChannelName.SCRIPT

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, request: ConsentRequest) -> Answer:
        self.asked += 1
        return Answer.ONCE if self.asked % 2 else Answer.NOT_NOW


class AttackedPhone:
    """One phone that heed monitors, with every part real but the phone itself."""

    def __init__(
        self,
        phone: WatchedPhone,
        composed: Phone,
        time: VirtualTime,
        watching: asyncio.Task[None],
        events: list[ProgressEvent],
    ) -> None:
        """``events`` receives what the loop reports."""
        self.phone, self._composed, self._time, self._watching = phone, composed, time, watching
        self.events = events
        self._deliveries = 0

    async def attack(self, attack: Attack, channel: Channel) -> Observation:
        """Deliver one text and let heed decide, ask and act until it is idle."""
        number, self._deliveries = self._deliveries, self._deliveries + 1
        errors = await self._safely(self._rest(START + number * APART))
        self.events.clear()
        self.phone.ran.clear()
        with _logs() as logged:
            deliver(self.phone, attack, channel, number)
            before = self._state()
            errors += await self._safely(self._settle())
            changed = _changes(before, self._state())
        events = tuple(self.events)
        return Observation(
            attack, channel, events, tuple(self.phone.ran), changed, _printed(events), logged.getvalue(), tuple(errors)
        )

    async def _rest(self, until: datetime) -> None:
        """Let nothing happen, on the home screen."""
        self.phone.state.apps.home()
        await self._time.advance_to(until)
        await self._time.wait_until_idle()

    async def _settle(self) -> None:
        """Let heed decide on the triggers of a delivery, or else on what the phone shows now."""
        await self._time.wait_until_idle()
        if not any(isinstance(event, ConsentAnswered) for event in self.events):
            await self._composed.agent.handle_now()
        await self._time.wait_until_idle()

    async def _safely(self, work: Coroutine[Any, Any, None]) -> list[str]:
        """What went wrong, also with the task that watches the phone."""
        working = asyncio.ensure_future(work)
        await asyncio.wait([working, self._watching], timeout=60, return_when=asyncio.FIRST_COMPLETED)
        if self._watching.done():
            working.cancel()
            return [f"the phone is watched no more: {self._watching.exception()!r}"]
        try:
            async with asyncio.timeout(1):
                await working
        except ModelError as error:  # `heed now` tells it to the owner; the loop itself stays silent
            log.info("%s", error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            return [f"{type(error).__name__}: {error}"]
        return []

    def _state(self) -> dict[str, object]:
        leaves = flatten(self.phone.state.to_json())
        return {
            path: value for path, value in leaves if not any(part.startswith(_BY_ITSELF) for part in path.split("."))
        }

    async def settle_in(self) -> None:
        """Wait until heed follows the phone."""
        async with asyncio.timeout(60):
            await self.phone.state.log.followed()
            await self._time.wait_until_idle()


_BY_ITSELF = ("next_", "log", "time", "fired", "saver_refused", "clock")
"""Leaves of the state that change although nobody does anything."""


@asynccontextmanager
async def attacked_phone(config: Config, server: AdbServer) -> AsyncIterator[AttackedPhone]:
    """A new phone of a plausible owner, monitored as ``heed run`` does it with ``config``."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.clock.jump(START)
    furnish(state)
    phone, host, timer = WatchedPhone(state), OffsetClock(), VirtualTimer()
    reported: list[ProgressEvent] = []
    async with AsyncExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(runner, "VerifyTiming", QUICK)
        serial = await stack.enter_async_context(phone.connected(server))
        runtime = await stack.enter_async_context(compose(config, host))
        events = SyncedPhoneEvents(Device(server, serial), state)
        identity = await runtime.identify(serial)
        composed = runtime.phone(serial, identity, channels=[Owner()], listen=reported.append)
        composed = composed._replace(events=events)
        watcher = composed.watcher(host, records=True, timer=timer)
        watching = asyncio.create_task(_watch(watcher))
        time = VirtualTime(state, composed, events, watcher, timer, host)
        attacked = AttackedPhone(phone, composed, time, watching, reported)
        try:
            await attacked.settle_in()
            yield attacked
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


async def _watch(watcher: Watcher) -> None:
    """Watch the phone, again after each loss of it, as the daemon does."""
    while True:
        try:
            await watcher.run()
        except DeviceError as lost:
            log.info("%s", lost)


def _changes(before: dict[str, object], after: dict[str, object]) -> tuple[str, ...]:
    return tuple(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


@contextmanager
def _logs() -> Iterator[io.StringIO]:
    """What ``heed run`` writes on standard error in the block."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        with redirect_stderr(io.StringIO()) as text:
            logs.configure()
            yield text
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _printed(events: Sequence[ProgressEvent]) -> str:
    """What a terminal shows of the events, the consent requests included."""
    screen = io.StringIO()
    console = Console(file=screen, width=100, force_terminal=False, color_system=None)
    printer = ProgressPrinter(console, Language.EN)
    for event in events:
        if isinstance(event, ConsentAnswered):
            console.print(consent_panel(event.request, Language.EN))
        printer.print(event)
    return screen.getvalue()
