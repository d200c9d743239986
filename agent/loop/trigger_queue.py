"""The triggers of one phone that wait for a decision."""

import asyncio
import logging
from collections import Counter
from enum import IntEnum
from typing import NamedTuple

from collectors.context import Trigger, TriggerKind

log = logging.getLogger(__name__)

MOST_WAITING = 32
"""Bound, for each importance, of the queue between the event stream and the (slower) decisions."""

_EACH_COUNTS = frozenset(
    {TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION, TriggerKind.CALL, TriggerKind.CALENDAR_EVENT}
)
"""Kinds of which each trigger is decided on; of the others, which tell a state, the newest is enough."""


class Importance(IntEnum):
    """The importance of a queued trigger: a less important one never displaces a more important one."""

    PERSON = 0
    """A message or a call."""
    DUE = 1
    """The time itself, an appointment, a command, a state: few by nature."""
    NOTIFICATION = 2
    """Whatever an app says."""


class _Waiting(NamedTuple):
    trigger: Trigger
    at: float
    """When it arrived, on the host's monotonic clock."""
    importance: Importance
    source: str
    """Who caused it: a sender, an app."""


class TriggerQueue:
    """A bounded queue in which a newer trigger of a state replaces an older one.

    Messages and calls are taken first. Each importance has a bound of its own; beyond it the oldest trigger of the
    source that has the most waiting is dropped, so that one sender or app displaces nobody else.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}
        self._filled = asyncio.Event()
        self.idle = asyncio.Event()
        """Set while the consumer waits for the next trigger."""
        self.idle.set()

    def put(self, trigger: Trigger, at: float) -> None:
        """Add a trigger that arrived at ``at`` on the host's monotonic clock."""
        key = trigger.kind if trigger.kind not in _EACH_COUNTS else f"{trigger.kind} {sorted(trigger.data.items())!r}"
        self._waiting.pop(key, None)
        self._waiting[key] = _Waiting(trigger, at, importance(trigger), _source(trigger))
        self._drop_surplus(self._waiting[key].importance)
        self._filled.set()
        self.idle.clear()

    def put_back(self, trigger: Trigger, at: float) -> None:
        """Return a trigger that could not be decided on to the front of the queue."""
        others, self._waiting = self._waiting, {}
        self.put(trigger, at)
        self._waiting |= others

    def drop_before(self, moment: float) -> None:
        """Drop the triggers that arrived before ``moment``."""
        self._waiting = {key: one for key, one in self._waiting.items() if one.at >= moment}

    async def get(self) -> tuple[Trigger, float]:
        """Wait for the next trigger, messages and calls first, then the oldest; it and when it arrived."""
        while not self._waiting:
            self.idle.set()
            self._filled.clear()
            await self._filled.wait()
        persons = (key for key, one in self._waiting.items() if one.importance is Importance.PERSON)
        next_one = self._waiting.pop(next(persons, next(iter(self._waiting))))
        return next_one.trigger, next_one.at

    def _drop_surplus(self, importance: Importance) -> None:
        peers = {key: one for key, one in self._waiting.items() if one.importance is importance}
        if len(peers) <= MOST_WAITING:
            return
        loudest, _ = Counter(one.source for one in peers.values()).most_common(1)[0]
        self._waiting.pop(next(key for key, one in peers.items() if one.source == loudest))
        log.warning("too many triggers at once: one of importance %s was dropped", importance.name.lower())


def importance(trigger: Trigger) -> Importance:
    """The importance of a trigger, by its kind; of a notification, by whether somebody wrote it."""
    if trigger.kind in (TriggerKind.SMS_RECEIVED, TriggerKind.CALL):
        return Importance.PERSON
    if trigger.kind is TriggerKind.NOTIFICATION:
        return Importance.PERSON if trigger.data.get("sender") else Importance.NOTIFICATION
    return Importance.DUE


def _source(trigger: Trigger) -> str:
    names = ("package", "sender") if trigger.kind is TriggerKind.NOTIFICATION else ("number",)
    return " ".join([trigger.kind, *(str(trigger.data.get(name, "")) for name in names)])
