"""The daemon: monitors the phones that come and go, and answers commands on its local socket."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from pydantic import JsonValue

from agent.channels.channel_status import ChannelStatus
from agent.compose import Phone, Runtime
from agent.consent.request import Channel
from agent.loop import control_socket as control
from agent.loop.assistant_calls import AssistantCallResult, AssistantCalls
from agent.loop.daemon_requests import (
    AssistantCallRequest,
    ChannelsRequest,
    ConsoleLinkRequest,
    ContextRequest,
    DaemonRequest,
    DecideRequest,
    DoRequest,
    EndSessionsRequest,
    PauseRequest,
    PlanRequest,
    PreviewDoRequest,
    PreviewRequest,
    StatusRequest,
    TouchRequest,
    UndoRequest,
)
from agent.loop.failures import failure_text
from agent.loop.pending import pending_texts
from agent.loop.phone_agent import DecisionPreview, PhoneAgent, PlanPreview, RequestPreview
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Listener
from agent.loop.trigger_queue import TriggerQueue
from android_bridge.device import Device
from android_bridge.identity import PhoneIdentity
from android_bridge.on_phone import PhoneItem, left_on
from collectors.context import Context, Trigger, TriggerKind
from executors.plan import Outcome
from heed.errors import DeviceError, NoDeviceError, PersonError, UsageError
from heed.messages import Text, msg
from heed.model import Frozen

log = logging.getLogger(__name__)

_FIRST_RETRY, _LONGEST_RETRY = 1.0, 30.0
"""Seconds between attempts to reach an adb server or a phone that keeps failing; doubled each time."""
_COUNT_EVERY = 60.0
"""Seconds between two savings of the elapsed time."""


class MonitoringState(StrEnum):
    """Whether a phone is monitored, as ``heed status`` shows it."""

    MONITORED = "monitored"
    DISCONNECTED = "disconnected"
    FAILING = "failing"
    """Connected, but not usable; tried again."""


class PhoneStatus(Frozen):
    """One phone of the daemon, and its state."""

    serial: str
    """The address at which the phone is reached."""
    name: str = ""
    """The phone's name for the owner; empty until it was reached once."""
    state: MonitoringState
    reason: Text = ""
    on_phone: tuple[PhoneItem, ...] | None = None
    """What heed has on the phone now; None where it cannot be asked."""
    pending: tuple[Text, ...] = ()
    """What heed still has to find out or to undo on this phone, one sentence each."""


class Daemon:
    """Monitors every wanted phone in a task of its own, for as long as it runs."""

    def __init__(
        self,
        runtime: Runtime,
        *,
        wanted: Iterable[str] | None,
        channels: Sequence[Channel] = (),
        listen: Listener = lambda event: None,
        console_link: Callable[[], str] | None = None,
        end_sessions: Callable[[], int] = lambda: 0,
        changed: Callable[[], None] = lambda: None,
        channel_statuses: Callable[[], Sequence[ChannelStatus]] = lambda: (),
    ) -> None:
        """``wanted`` names the serials to monitor; None = all. ``console_link`` makes a link to the web console
        and ``end_sessions`` signs its browsers out; ``changed`` is called when the state of a phone changed;
        ``channel_statuses`` tells how the channels outside heed are."""
        self._runtime = runtime
        self._wanted = None if wanted is None else frozenset(wanted)
        self._channels, self._listen = channels, listen
        self._console_link, self._end_sessions, self._changed = console_link, end_sessions, changed
        self._channel_statuses, self._assistant_calls = channel_statuses, AssistantCalls()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._phones: dict[str, Phone] = {}
        self._queues: dict[str, TriggerQueue] = {}
        self._status: dict[str, PhoneStatus] = {}

    async def run(self) -> None:
        """Monitor until cancelled; interrupted actions are recovered at the next start."""
        async with control.serve(self.answer):
            writing = asyncio.create_task(self._runtime.stores.after.write_when_possible(), name="write after-records")
            counting = asyncio.create_task(self._count_time(), name="elapsed time")
            try:
                async for entries in self._runtime.server.watch():
                    self._follow(frozenset(entry.serial for entry in entries if entry.state == "device"))
            finally:
                ended, self._tasks = [writing, counting, *self._tasks.values()], {}
                for task in ended:
                    task.cancel()
                await asyncio.gather(*ended, return_exceptions=True)

    async def _count_time(self) -> None:
        """Save the elapsed time regularly, so that a sudden end of the machine takes little of it back."""
        while True:
            with contextlib.suppress(sqlite3.Error):
                self._runtime.stores.elapsed.now()
            await asyncio.sleep(_COUNT_EVERY)

    def _follow(self, present: frozenset[str]) -> None:
        wanted = present if self._wanted is None else present & self._wanted
        for serial in wanted - self._tasks.keys():
            self._tasks[serial] = asyncio.create_task(self._monitor(serial), name=f"monitor {serial}")
        for serial in self._tasks.keys() - wanted:
            self._tasks.pop(serial).cancel()
            self._note(serial, MonitoringState.DISCONNECTED)

    async def _monitor(self, serial: str) -> None:
        """Monitor one phone while adb lists it; after an error, wait ever longer and try again."""
        pause = _FIRST_RETRY
        while True:
            begun = self._runtime.clock.monotonic()
            try:
                await self._watch(serial)
            except Exception as error:  # whatever fails, the phone is monitored again
                if self._is_ended(serial):
                    # The phone went away while the task was cancelled: Python 3.11's task group raises the loss alone.
                    raise asyncio.CancelledError from error
                self._note_failure(serial, error)
            if self._runtime.clock.monotonic() - begun > _LONGEST_RETRY:
                pause = _FIRST_RETRY
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_RETRY)

    async def _watch(self, serial: str) -> None:
        identity = await self._runtime.identify(serial)
        with phone_lock(identity.id, serial):
            phone = self._connected(serial, identity)
            self._note(serial, MonitoringState.MONITORED)
            records = self._runtime.config.collectors.trajectory.enabled
            await phone.watcher(self._runtime.clock, records=records, queue=self._queues[serial]).run()

    def _connected(self, serial: str, identity: PhoneIdentity) -> Phone:
        """The phone that answers at an address.

        It is kept while the phone is away: its event stream continues where it stopped. When another phone answers,
        nothing of the one before applies to it.
        """
        known = self._phones.get(serial)
        if known is not None and known.agent.phone == identity:
            return known
        phone = self._runtime.phone(serial, identity, channels=self._channels, listen=self._listen)
        self._phones[serial], self._queues[serial] = phone, TriggerQueue()
        return phone

    def _is_ended(self, serial: str) -> bool:
        """Whether the daemon cancelled this task; if not, it goes on.

        ``Task.cancelling`` does not tell: Python 3.11's task group cancels its own parent when a child fails.
        """
        task = asyncio.current_task()
        if task is None or self._tasks.get(serial) is not task:
            return True
        while task.cancelling():
            task.uncancel()
        return False

    def _note_failure(self, serial: str, error: Exception) -> None:
        reason = failure_text(error)
        log.warning("%s: %s", serial, reason, exc_info=None if isinstance(error, PersonError) else error)
        self._note(serial, MonitoringState.FAILING, reason)

    def _note(self, serial: str, state: MonitoringState, reason: Text = "") -> None:
        known = self._phones.get(serial)
        name = known.agent.phone_name if known else ""
        self._status[serial] = PhoneStatus(serial=serial, name=name, state=state, reason=reason)
        self._changed()

    # --- commands --------------------------------------------------------------------------------------------

    async def answer(self, request: DaemonRequest) -> JsonValue:
        """The result of one command's request; refusals are raised as ``PersonError``."""
        match request:
            case StatusRequest():
                statuses = await asyncio.gather(*map(self._with_items, self._statuses()))
                return [status.model_dump(mode="json") for status in statuses]
            case (
                ContextRequest()
                | PreviewRequest()
                | PlanRequest()
                | PreviewDoRequest()
                | UndoRequest()
                | AssistantCallRequest()
            ):
                return (await self._of_phone(request)).model_dump(mode="json")
            case DoRequest():
                outcomes = await self._agent(request.serial).carry_out_request(request.text)
                return [outcome.model_dump(mode="json") for outcome in outcomes]
            case DecideRequest():
                return await self._agent(request.serial).handle_now()
            case TouchRequest():
                await self._agent(request.serial).touch(request.touch)
                return None
            case _:
                return self._of_daemon(request)

    def _of_daemon(
        self, request: ConsoleLinkRequest | EndSessionsRequest | ChannelsRequest | PauseRequest
    ) -> JsonValue:
        match request:
            case ChannelsRequest():
                return [status.model_dump(mode="json") for status in self._channel_statuses()]
            case ConsoleLinkRequest():
                if self._console_link is None:
                    raise UsageError(
                        msg("The daemon runs without the console."), msg("Restart `heed run` with --console.")
                    )
                return self._console_link()
            case EndSessionsRequest():
                return self._end_sessions()
            case PauseRequest():
                raise UsageError(msg("Only a demo's day can be paused."))

    async def _of_phone(
        self,
        request: ContextRequest | PreviewRequest | PlanRequest | PreviewDoRequest | UndoRequest | AssistantCallRequest,
    ) -> Context | DecisionPreview | PlanPreview | RequestPreview | Outcome | AssistantCallResult:
        match request:
            case ContextRequest():
                return await self._agent(request.serial).read_context(Trigger(kind=TriggerKind.CLOCK))
            case PreviewRequest():
                return await self._agent(request.serial).preview()
            case PlanRequest():
                return await self._agent(request.serial).preview_call(request.call)
            case PreviewDoRequest():
                return await self._agent(request.serial).preview_request(request.text)
            case UndoRequest():
                action = self._runtime.stores.journal.action(request.action)
                return await self._agent(self._address(action.phone_id)).undo(action.id)
            case AssistantCallRequest():
                return await self._assistant_calls.carry_out(self._agent(request.serial), request)

    async def _with_items(self, status: PhoneStatus) -> PhoneStatus:
        """The status with what heed has on the phone."""
        if status.state is not MonitoringState.MONITORED:
            return status
        try:
            items = await left_on(Device(self._runtime.server, status.serial), self._runtime.config.console.phone_port)
        except DeviceError as error:
            log.info("%s: what is on the phone could not be listed: %s", status.serial, error)
            return status
        return status.model_copy(update={"on_phone": items})

    def _statuses(self) -> list[PhoneStatus]:
        """The phones of this run, and those that an earlier one left something pending on."""
        stores = self._runtime.stores
        pending = pending_texts(stores, self._runtime.clock.wall())
        here = {serial: phone.agent.phone.id for serial, phone in self._phones.items()}
        shown = [
            status.model_copy(update={"pending": pending.pop(here.get(serial, ""), ())})
            for serial, status in self._status.items()
        ]
        away = [
            PhoneStatus(
                serial=stores.phones.address(phone_id),
                name=stores.phones.name(phone_id),
                state=MonitoringState.DISCONNECTED,
                pending=texts,
            )
            for phone_id, texts in pending.items()
        ]
        return [*shown, *away]

    def _address(self, phone_id: str) -> str:
        """Where a phone answers now, or answered last."""
        here = (serial for serial, phone in self._phones.items() if phone.agent.phone.id == phone_id)
        return next(here, self._runtime.stores.phones.address(phone_id))

    def _agent(self, serial: str) -> PhoneAgent:
        monitored = [status.serial for status in self._status.values() if status.state is MonitoringState.MONITORED]
        if not serial and len(monitored) == 1:
            serial = monitored[0]
        if serial not in monitored:
            present = ", ".join(monitored) or msg("none")
            raise NoDeviceError(
                msg("The daemon does not monitor {serial}.", serial=serial or msg("a phone")),
                msg("It monitors: {present}.", present=present),
            )
        return self._phones[serial].agent
