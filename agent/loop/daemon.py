"""The daemon: monitors the phones that come and go, and answers commands on its local socket."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from pydantic import JsonValue

from agent.channels.channel_status import ChannelStatus
from agent.compose import Phone, Runtime
from agent.consent.request import Channel
from agent.loop import control_socket as control
from agent.loop.assistant_calls import AssistantCallResult, AssistantCalls
from agent.loop.daemon_info import daemon_info
from agent.loop.daemon_requests import (
    AssistantCallRequest,
    ChannelsRequest,
    ConsoleLinkRequest,
    ContextRequest,
    DaemonInfoRequest,
    DaemonRequest,
    DecideRequest,
    DoRequest,
    EndSessionsRequest,
    ForgetRequest,
    HoldDayRequest,
    PauseRequest,
    PlanRequest,
    PreviewDoRequest,
    PreviewRequest,
    ResumeRequest,
    RulesChangedRequest,
    StatusRequest,
    TouchRequest,
    UndoRequest,
)
from agent.loop.failures import failure_text
from agent.loop.pause_notice import PauseNotice
from agent.loop.pausing import PauseState, begin_pause, pause_state
from agent.loop.pending import pending_texts
from agent.loop.phone_agent import DecisionPreview, PhoneAgent, PlanPreview, RequestPreview
from agent.loop.phone_lock import phone_lock
from agent.loop.phone_status import MonitoringState, PhoneStatus
from agent.loop.progress import Listener
from agent.loop.reconnector import Reconnector
from agent.loop.trigger_queue import TriggerQueue
from agent.loop.watcher import Watcher
from android_bridge.device import Device
from android_bridge.identity import PhoneIdentity
from android_bridge.on_phone import left_on
from collectors.context import Context, Trigger, TriggerKind
from executors.plan import Outcome
from heed.clock import Clock
from heed.errors import DeviceError, NoDeviceError, PersonError, UsageError
from heed.messages import Text, msg

log = logging.getLogger(__name__)

_FIRST_RETRY, _LONGEST_RETRY = 1.0, 30.0
"""Seconds between attempts to reach an adb server or a phone that keeps failing; doubled each time."""
_COUNT_EVERY = 60.0
"""Seconds between two savings of the elapsed time."""


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
        console_address: Callable[[], str] | None = None,
        end_sessions: Callable[[], int] = lambda: 0,
        changed: Callable[[], None] = lambda: None,
        channel_statuses: Callable[[], Sequence[ChannelStatus]] = lambda: (),
    ) -> None:
        """``wanted`` names the serials to monitor; None = all. ``console_link`` makes a link to the web console, whose
        address without a token is ``console_address``, and ``end_sessions`` signs its browsers out; ``changed`` is
        called when the state of a phone changed; ``channel_statuses`` tells how the channels outside heed are."""
        self._runtime = runtime
        self._wanted = None if wanted is None else set(wanted)
        self._channels, self._listen = channels, listen
        self._console_link, self._console_address = console_link, console_address
        self._end_sessions, self._changed = end_sessions, changed
        self._channel_statuses, self._assistant_calls = channel_statuses, AssistantCalls()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._phones: dict[str, Phone] = {}
        self._queues: dict[str, TriggerQueue] = {}
        self._watchers: dict[str, Watcher] = {}
        self._status: dict[str, PhoneStatus] = {}
        self._begun = runtime.clock.monotonic()
        self._present: frozenset[str] = frozenset()
        self._reconnector = Reconnector(runtime.server, runtime.stores, lambda: self._follow(self._present))
        noticed = self._monitored_phones if runtime.config.console.phone else tuple
        self._notice = PauseNotice(runtime.stores, runtime.config.language, noticed)
        self._deletion: asyncio.Future[ForgetRequest] = asyncio.Future()

    async def run(self) -> ForgetRequest:
        """Monitor until cancelled, or until the owner has data deleted, which needs heed's files to be closed.

        Interrupted actions are recovered at the next start.
        """
        async with control.serve(self.answer):
            following = asyncio.create_task(self._follow_phones(), name="connected phones")
            writing = asyncio.create_task(self._runtime.stores.after.write_when_possible(), name="write after-records")
            counting = asyncio.create_task(self._count_time(), name="elapsed time")
            reconnecting = asyncio.create_task(self._reconnector.run(), name="paired phones")
            noticing = asyncio.create_task(self._notice.run(), name="notice of the pause")
            try:
                await asyncio.wait((following, self._deletion), return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    following.result()
                return await self._deletion
            finally:
                ended = [following, writing, counting, reconnecting, noticing, *self._tasks.values()]
                self._tasks = {}
                for task in ended:
                    task.cancel()
                await asyncio.gather(*ended, return_exceptions=True)

    async def _follow_phones(self) -> None:
        async for entries in self._runtime.server.watch():
            self._follow(frozenset(entry.serial for entry in entries if entry.state == "device"))

    async def _count_time(self) -> None:
        """Save the elapsed time regularly, so that a sudden end of the machine takes little of it back."""
        while True:
            with contextlib.suppress(sqlite3.Error):
                self._runtime.stores.elapsed.now()
            await asyncio.sleep(_COUNT_EVERY)

    def _follow(self, present: frozenset[str]) -> None:
        self._present = present
        wanted = present if self._wanted is None else present & (self._wanted | self._moved())
        for serial in wanted - self._tasks.keys():
            self._tasks[serial] = asyncio.create_task(self._monitor(serial), name=f"monitor {serial}")
        for serial in self._tasks.keys() - wanted:
            self._tasks.pop(serial).cancel()
            self._note(serial, MonitoringState.DISCONNECTED)

    def _moved(self) -> set[str]:
        """Where the wanted phones are now, those that were found again at another address included."""
        ids = {phone.agent.phone.id for serial, phone in self._phones.items() if serial in (self._wanted or ())}
        return {known.address for known in self._runtime.stores.phones.entries() if known.id in ids}

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
            # Commands and the notice of the pause read it from here on; before it is set, it shows the host's time.
            await phone.agent.read_clock(phone.clock)
            self._note(serial, MonitoringState.MONITORED)
            self._drop_former_addresses(serial, identity)
            self._notice.forget(serial)
            records = self._runtime.config.collectors.trajectory.enabled
            watcher = phone.watcher(self._runtime.clock, records=records, queue=self._queues[serial])
            self._watchers[serial] = watcher
            try:
                await watcher.run()
            finally:
                del self._watchers[serial]

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

    def _drop_former_addresses(self, serial: str, identity: PhoneIdentity) -> None:
        """A phone that is reached at another address now is one phone, not two."""
        for former, phone in list(self._phones.items()):
            if former != serial and former not in self._tasks and phone.agent.phone == identity:
                del self._phones[former], self._queues[former]
                self._status.pop(former, None)

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
        log.info("%s: %s", serial, state)
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
            case ForgetRequest():
                self._begin_deletion(request)
            case RulesChangedRequest():
                await asyncio.gather(*(watcher.plan_anew() for watcher in list(self._watchers.values())))
            case _:
                return self._of_daemon(request)
        return None

    def _of_daemon(
        self,
        request: ConsoleLinkRequest
        | EndSessionsRequest
        | ChannelsRequest
        | DaemonInfoRequest
        | PauseRequest
        | ResumeRequest
        | HoldDayRequest,
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
            case DaemonInfoRequest():
                console = self._console_address() if self._console_address else ""
                info = daemon_info(self._runtime, begun=self._begun, now=self._phones_time(), console=console)
                return info.model_dump(mode="json")
            case PauseRequest() | ResumeRequest():
                return self._pause(request).model_dump(mode="json")
            case HoldDayRequest():
                raise UsageError(msg("Only a demo's day can be held."))

    def _begin_deletion(self, request: ForgetRequest) -> None:
        if bool(request.app.strip()) == bool(request.person.strip()):
            raise UsageError(msg("Name an app or a person whose data is to be deleted."))
        if self._runtime.stores.journal.all_in_doubt():
            raise UsageError(
                msg("It is not known yet how an action ended."), msg("Connect the phone, so that heed can ask it.")
            )
        if not self._deletion.done():
            self._deletion.set_result(request)

    def _pause(self, request: PauseRequest | ResumeRequest) -> PauseState:
        stores, now = self._runtime.stores, self._phones_time()
        if isinstance(request, PauseRequest):
            begin_pause(stores, request, now, self._runtime.config.policy)
        else:
            stores.pauses.end()
        self._notice.refresh()
        self._changed()
        return pause_state(stores, now)

    def _phones_time(self) -> datetime:
        """The clock of a monitored phone, else this machine's."""
        clocks = [self._phones[serial].clock for serial in self._monitored()]
        return (clocks[0] if clocks else self._runtime.clock).wall()

    def _monitored(self) -> list[str]:
        return [status.serial for status in self._status.values() if status.state is MonitoringState.MONITORED]

    def _monitored_phones(self) -> list[tuple[Device, Clock]]:
        """The monitored phones, each with its clock."""
        phones = [(serial, self._phones[serial]) for serial in self._monitored()]
        return [(Device(self._runtime.server, serial, identity=one.agent.phone), one.clock) for serial, one in phones]

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
        monitored, serial = self._monitored(), self._runtime.stores.phones.addressed(serial) if serial else ""
        if not serial and len(monitored) == 1:
            serial = monitored[0]
        if serial not in monitored:
            present = ", ".join(monitored) or msg("none")
            raise NoDeviceError(
                msg("The daemon does not monitor {serial}.", serial=serial or msg("a phone")),
                msg("It monitors: {present}.", present=present),
            )
        return self._phones[serial].agent
