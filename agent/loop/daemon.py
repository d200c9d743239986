"""The daemon: attends the phones that come and go, and answers commands on its local socket."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from pydantic import JsonValue

from agent.compose import Household, Phone
from agent.consent.request import Channel
from agent.loop import control_socket as control
from agent.loop.attendant import Attendant
from agent.loop.control_socket import Request
from agent.loop.phone_lock import phone_lock
from agent.loop.progress import Listener
from agent.loop.watcher import Arrival, Watcher
from collectors.context import Trigger
from heed.errors import NoDeviceError, PersonError, UsageError
from heed.messages import Text, msg
from heed.model import Frozen

log = logging.getLogger(__name__)

_FIRST_RETRY, _LONGEST_RETRY = 1.0, 30.0
"""Seconds between attempts to reach an adb server or a phone that keeps failing; doubled each time."""


class PhoneState(StrEnum):
    """How a phone is doing, as ``heed status`` shows it."""

    ATTENDED = "attended"
    AWAY = "away"
    TROUBLE = "trouble"


class PhoneStatus(Frozen):
    """One phone of the daemon's."""

    serial: str
    state: PhoneState
    reason: Text = ""


class Daemon:
    """Attends every wanted phone in a task of its own, for as long as it runs."""

    def __init__(
        self,
        household: Household,
        *,
        wanted: Iterable[str] | None,
        channels: Sequence[Channel] = (),
        listen: Listener = lambda stage: None,
        console_link: Callable[[], str] | None = None,
    ) -> None:
        """``wanted`` names the serials to attend; None = all of them. ``console_link`` opens the web console."""
        self._household = household
        self._wanted = None if wanted is None else frozenset(wanted)
        self._channels, self._listen = channels, listen
        self._console_link = console_link
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._phones: dict[str, Phone] = {}
        self._arrivals: dict[str, Arrival] = {}
        self._status: dict[str, PhoneStatus] = {}

    async def run(self) -> None:
        """Attend until cancelled; what was under way is finished or left for recovery at the next start."""
        async with control.serve(self.answer):
            try:
                async for entries in self._household.server.watch():
                    self._follow(frozenset(entry.serial for entry in entries if entry.state == "device"))
            finally:
                for task in self._tasks.values():
                    task.cancel()
                await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _follow(self, present: frozenset[str]) -> None:
        wanted = present if self._wanted is None else present & self._wanted
        for serial in wanted - self._tasks.keys():
            self._tasks[serial] = asyncio.create_task(self._attend(serial), name=f"attend {serial}")
        for serial in self._tasks.keys() - wanted:
            self._tasks.pop(serial).cancel()
            self._note(serial, PhoneState.AWAY)

    async def _attend(self, serial: str) -> None:
        """Attend one phone while it is listed; troubles are told, and tried again after a growing pause."""
        # The phone is kept over interruptions: its event stream goes on where it stopped.
        if serial not in self._phones:
            self._phones[serial] = self._household.phone(serial, channels=self._channels, listen=self._listen)
        pause = _FIRST_RETRY
        while True:
            begun = self._household.clock.monotonic()
            try:
                with phone_lock(serial):
                    self._note(serial, PhoneState.ATTENDED)
                    await self._watch(serial)
            except PersonError as error:
                if _is_cancelled():
                    # The phone went while the task was ended: in Python 3.11 a task group tells the loss alone.
                    raise asyncio.CancelledError from error
                log.warning("%s: %s", serial, error)
                self._note(serial, PhoneState.TROUBLE, error.text)
            if self._household.clock.monotonic() - begun > _LONGEST_RETRY:
                pause = _FIRST_RETRY
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_RETRY)

    async def _watch(self, serial: str) -> None:
        phone = self._phones[serial]
        watcher = Watcher(
            phone.attendant,
            clock=phone.clock,
            host=self._household.clock,
            triggers=phone.triggers,
            dues=phone.dues,
            upcoming=phone.upcoming.dues,
            record=phone.recorder.run if self._household.config.collectors.trajectory.enabled else None,
            arrivals=self._arrivals.setdefault(serial, Arrival()),
        )
        await watcher.run()

    def _note(self, serial: str, state: PhoneState, reason: Text = "") -> None:
        self._status[serial] = PhoneStatus(serial=serial, state=state, reason=reason)

    # --- commands --------------------------------------------------------------------------------------------

    async def answer(self, request: Request) -> JsonValue:
        """One command's request; refusals are raised as ``PersonError``."""
        match request.op:
            case "status":
                return [status.model_dump(mode="json") for status in self._status.values()]
            case "see":
                context = await self._attendant(request.serial).see(Trigger(kind="clock"))
                return context.model_dump(mode="json")
            case "undo":
                action = self._household.books.journal.action(int(str(request.arguments["action"])))
                outcome = await self._attendant(action.serial).undo(action.id)
                return outcome.model_dump(mode="json")
            case "now":
                return await self._attendant(request.serial).attend_now()
            case "console":
                if self._console_link is None:
                    raise UsageError(
                        msg("The daemon runs without the console."), msg("Restart `heed run` with --console.")
                    )
                return self._console_link()
        raise UsageError(
            msg("The daemon does not know {op!r}.", op=request.op), msg("Update heed, then restart `heed run`.")
        )

    def _attendant(self, serial: str) -> Attendant:
        attended = [status.serial for status in self._status.values() if status.state is PhoneState.ATTENDED]
        if not serial and len(attended) == 1:
            serial = attended[0]
        if serial not in attended:
            present = ", ".join(attended) or "none"
            raise NoDeviceError(
                msg("The daemon does not monitor {serial}.", serial=serial or msg("a phone")),
                msg("It monitors: {present}.", present=present),
            )
        return self._phones[serial].attendant


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
