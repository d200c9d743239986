"""The daemon itself, as `heed status` shows it beside its phones."""

import os
from datetime import datetime

from agent.compose import Runtime
from agent.loop.pausing import PauseState, pause_state
from agent.policy.verdict import Decision
from heed import __version__
from heed.messages import Text
from heed.model import Frozen


class LastDecision(Frozen):
    """The newest decision in the journal."""

    id: int
    at: datetime
    """In the phone's own zone."""
    phone: str
    """The phone's name for the owner."""
    decision: Decision
    sentence: str
    """What was suggested; empty for silence."""
    reason: Text


class DaemonInfo(Frozen):
    """The running daemon."""

    version: str
    pid: int
    uptime_seconds: float
    reasoner: str
    console: str = ""
    """The console's address, which a link of `heed console` opens; empty = the daemon runs without one."""
    pause: PauseState
    last_decision: LastDecision | None = None


def daemon_info(runtime: Runtime, *, begun: float, now: datetime, console: str) -> DaemonInfo:
    """The daemon that ``begun`` on the monotonic clock, while a phone's clock shows ``now``."""
    return DaemonInfo(
        version=__version__,
        pid=os.getpid(),
        uptime_seconds=runtime.clock.monotonic() - begun,
        reasoner=runtime.reasoners.first.name,
        console=console,
        pause=pause_state(runtime.stores, now),
        last_decision=_last_decision(runtime),
    )


def _last_decision(runtime: Runtime) -> LastDecision | None:
    stores = runtime.stores
    newest = next(iter(stores.journal.timeline(1)), None)
    if newest is None:
        return None
    decision, context = newest.decision, stores.journal.context(newest.decision.context_id)
    return LastDecision(
        id=decision.id,
        at=decision.at.astimezone(context.now.tzinfo),
        phone=stores.phones.name(newest.phone_id),
        decision=decision.decision,
        sentence="" if decision.recommendation.silent else decision.recommendation.rec,
        reason=decision.reason,
    )
