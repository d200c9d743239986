"""The triggers of one phone that wait for a decision."""

import asyncio
import logging

from collectors.context import Trigger, TriggerKind

log = logging.getLogger(__name__)

_MOST_WAITING = 32
"""Bound of the queue between the event stream and the (slower) decisions."""

_EACH_COUNTS = frozenset(
    {TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION, TriggerKind.CALL, TriggerKind.CALENDAR_EVENT}
)
"""Kinds of which each trigger is decided on; of the others, which tell a state, the newest is enough."""


class TriggerQueue:
    """A bounded queue in which a newer trigger of a state replaces an older one."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[Trigger, float]] = {}
        self._filled = asyncio.Event()
        self.idle = asyncio.Event()
        """Set while the consumer waits for the next trigger."""
        self.idle.set()

    def put(self, trigger: Trigger, at: float) -> None:
        """Add a trigger that arrived at ``at`` on the host's monotonic clock; a full queue drops its oldest."""
        key = trigger.kind if trigger.kind not in _EACH_COUNTS else f"{trigger.kind} {sorted(trigger.data.items())!r}"
        self._waiting.pop(key, None)
        if len(self._waiting) >= _MOST_WAITING:
            dropped, _ = self._waiting.pop(next(iter(self._waiting)))
            log.warning("too many triggers at once: %s was dropped", dropped.kind)
        self._waiting[key] = trigger, at
        self._filled.set()
        self.idle.clear()

    def put_back(self, trigger: Trigger, at: float) -> None:
        """Return a trigger that could not be decided on to the front of the queue."""
        others, self._waiting = self._waiting, {}
        self.put(trigger, at)
        self._waiting |= others

    def drop_before(self, moment: float) -> None:
        """Drop the triggers that arrived before ``moment``."""
        self._waiting = {key: (trigger, at) for key, (trigger, at) in self._waiting.items() if at >= moment}

    async def get(self) -> tuple[Trigger, float]:
        """Wait for the oldest trigger; the trigger and when it arrived."""
        while not self._waiting:
            self.idle.set()
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.pop(next(iter(self._waiting)))
