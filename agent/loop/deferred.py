"""Deferred triggers: those that could not be suggested on now and are decided again later."""

from datetime import datetime, timedelta

from agent.journal import Agenda, AgendaKind
from agent.policy.activity import Activity
from agent.policy.verdict import Rule
from collectors.context import Trigger, TriggerKind

DEFERRING_RULES = frozenset({*(Rule(activity) for activity in Activity), Rule.OUT_OF_REACH})
"""The rules of silence after which a trigger is deferred."""
RETRY_AFTER = timedelta(minutes=5)
LONGEST = timedelta(minutes=30)
"""A trigger that could not be suggested on for so long is dropped."""
_LASTING = frozenset(
    {TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION, TriggerKind.CALENDAR_EVENT, TriggerKind.CLOCK}
)
"""Kinds of trigger that still apply later; others tell of a passing moment, or come again."""


class DeferredTriggers:
    """The deferred triggers of one phone."""

    def __init__(self, agenda: Agenda, phone_id: str) -> None:
        self._agenda, self._phone_id = agenda, phone_id
        self._since: dict[str, datetime] = {}

    def defer(self, trigger: Trigger, now: datetime) -> None:
        """Enter ``trigger`` in the agenda for another decision, unless it was deferred for long enough."""
        if trigger.kind not in _LASTING:
            return
        since = self._since.setdefault(trigger.model_dump_json(), now)
        if now - since < LONGEST:
            self._agenda.add(now + RETRY_AFTER, self._phone_id, AgendaKind.DEFERRED, trigger.model_dump(mode="json"))
        else:
            self.drop(trigger)

    def drop(self, trigger: Trigger) -> None:
        """Forget since when ``trigger`` was deferred: it was decided on, or is too old."""
        self._since.pop(trigger.model_dump_json(), None)
