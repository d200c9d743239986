"""Deferred triggers: those that could not be suggested on now and are decided again later."""

from datetime import timedelta

from agent.journal import AgendaKind, Stores
from agent.policy.activity import Activity
from agent.policy.verdict import Rule
from android_bridge.facts.telephony import CallState
from collectors.context import Trigger, TriggerKind

DEFERRING_RULES = frozenset({*(Rule(activity) for activity in Activity), Rule.OUT_OF_REACH})
"""The rules of silence after which a trigger is deferred."""
RETRY_AFTER = timedelta(minutes=5)
LONGEST = timedelta(minutes=30)
"""A trigger that could not be suggested on for so long is dropped."""
_LASTING = frozenset(
    {
        TriggerKind.SMS_RECEIVED,
        TriggerKind.NOTIFICATION,
        TriggerKind.CALENDAR_EVENT,
        TriggerKind.CALENDAR_ADDED,
        TriggerKind.EVENING_BEFORE,
        TriggerKind.CLOCK,
    }
)
"""Kinds of trigger that still apply later; others tell of a passing moment, or come again."""


class DeferredTriggers:
    """The deferred triggers of one phone."""

    def __init__(self, stores: Stores, phone_id: str) -> None:
        self._agenda, self._elapsed, self._phone_id = stores.agenda, stores.elapsed, phone_id
        self._since: dict[str, float] = {}
        """The elapsed time at which each trigger was deferred first."""

    def defer(self, trigger: Trigger) -> None:
        """Enter ``trigger`` in the agenda for another decision, unless it was deferred for long enough."""
        if not _lasts(trigger):
            return
        now = self._elapsed.now()
        since = self._since.setdefault(trigger.model_dump_json(), now)
        if now - since < LONGEST.total_seconds():
            self._agenda.add_after(RETRY_AFTER, self._phone_id, AgendaKind.DEFERRED, trigger.model_dump(mode="json"))
        else:
            self.drop(trigger)

    def drop(self, trigger: Trigger) -> None:
        """Forget since when ``trigger`` was deferred: it was decided on, or is too old."""
        self._since.pop(trigger.model_dump_json(), None)


def _lasts(trigger: Trigger) -> bool:
    """Whether the trigger still applies later; of calls only one that nobody answered."""
    if trigger.kind is TriggerKind.CALL:
        return (trigger.data.get("before"), trigger.data.get("state")) == (CallState.RINGING, CallState.IDLE)
    return trigger.kind in _LASTING
