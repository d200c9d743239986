"""Pausing and resuming, for the daemon and for the commands that run without one."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from pydantic import JsonValue

from agent.config import PolicyConfig
from agent.journal import Stores
from agent.journal.pauses import Pause
from agent.loop.daemon_requests import DaemonRequest, PauseRequest, ResumeRequest
from agent.policy.pausing import morning, paused_text
from heed.clock import Clock
from heed.messages import Text, msg
from heed.model import Frozen


def begin_pause(stores: Stores, request: PauseRequest, now: datetime, config: PolicyConfig) -> Pause:
    """Store the pause that was asked for when the phone's clock showed ``now``, and return it."""
    if request.until_tomorrow:
        pause = Pause(until=morning(now, config))
    elif request.minutes is not None:
        pause = Pause(until=now + timedelta(minutes=request.minutes), left=timedelta(minutes=request.minutes))
    else:
        pause = Pause()
    stores.pauses.begin(pause)
    return pause


class PauseState(Frozen):
    """Whether heed is paused, as commands, console and channels show it."""

    paused: bool = False
    text: Text = msg("heed is not paused.")
    until: datetime | None = None
    """When the pause ends, where that is known."""


def pause_state(stores: Stores, now: datetime) -> PauseState:
    """The state while the phone's clock shows ``now``."""
    pause = stores.pauses.current(now)
    return PauseState() if pause is None else PauseState(paused=True, text=paused_text(pause, now), until=pause.until)


class DaemonPause:
    """Pauses and resumes through the daemon, for channels that show a switch.

    Args:
        stores: hold the pause.
        clock: the phone's, or the machine's.
        handler: answers the daemon's requests.
    """

    def __init__(self, stores: Stores, clock: Clock, handler: Callable[[DaemonRequest], Awaitable[JsonValue]]) -> None:
        self._stores, self._clock, self._handler = stores, clock, handler

    @property
    def paused(self) -> bool:
        """Whether heed is paused now."""
        return pause_state(self._stores, self._clock.wall()).paused

    async def pause(self) -> None:
        """Make no suggestions until ``resume``."""
        await self._handler(PauseRequest())

    async def resume(self) -> None:
        """Go on."""
        await self._handler(ResumeRequest())
