"""The triggers of one phone that wait for a decision."""

import asyncio
import logging
from datetime import datetime

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
        self._waiting: dict[str, tuple[Trigger, datetime]] = {}
        self._filled = asyncio.Event()
        self.idle = asyncio.Event()
        """Set while the consumer waits for the next trigger."""
        self.idle.set()

    def put(self, trigger: Trigger, at: datetime) -> None:
        """Add a trigger that happened at ``at``; when the queue is full, the oldest is dropped."""
        key = trigger.kind if trigger.kind not in _EACH_COUNTS else f"{trigger.kind} {sorted(trigger.data.items())!r}"
        self._waiting.pop(key, None)
        if len(self._waiting) >= _MOST_WAITING:
            dropped, _ = self._waiting.pop(next(iter(self._waiting)))
            log.warning("too many triggers at once: %s was dropped", dropped.kind)
        self._waiting[key] = trigger, at
        self._filled.set()
        self.idle.clear()

    def put_back(self, trigger: Trigger, at: datetime) -> None:
        """Return a trigger that could not be decided on to the front of the queue."""
        others, self._waiting = self._waiting, {}
        self.put(trigger, at)
        self._waiting |= others

    def drop_before(self, moment: datetime) -> None:
        """Drop the triggers that happened before ``moment``."""
        self._waiting = {key: (trigger, at) for key, (trigger, at) in self._waiting.items() if at >= moment}

    async def get(self) -> tuple[Trigger, datetime]:
        """Wait for the oldest trigger; the trigger and when it happened."""
        while not self._waiting:
            self.idle.set()
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.pop(next(iter(self._waiting)))
