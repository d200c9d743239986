"""What waits until the person is done with what they are doing, or looks at the phone again, for a while."""

from datetime import datetime, timedelta

from agent.journal.agenda import Agenda
from agent.policy.activity import Activity
from collectors.context import Trigger

HELD_APPOINTMENT = "held"
"""Agenda kind: a trigger that came while the person was busy; the body is the trigger."""
HOLDS = frozenset({*Activity, "out_of_reach"})
"""The rules of the policy that keep back what may be said later."""
AGAIN = timedelta(minutes=5)
LONGEST = timedelta(minutes=30)
"""What could not be said for so long is not news any more."""
_STAYS = frozenset({"sms_received", "notification", "calendar_event", "clock"})
"""Kinds of trigger that are still so when the person is done; others tell of a passing moment, or come again."""


class Held:
    """The triggers of one phone that were held back."""

    def __init__(self, agenda: Agenda, serial: str) -> None:
        self._agenda, self._serial = agenda, serial
        self._since: dict[str, datetime] = {}

    def hold(self, trigger: Trigger, now: datetime) -> None:
        """Look at ``trigger`` again in a while, unless that was done for long enough."""
        if trigger.kind not in _STAYS:
            return
        since = self._since.setdefault(trigger.model_dump_json(), now)
        if now - since < LONGEST:
            self._agenda.add(now + AGAIN, self._serial, HELD_APPOINTMENT, trigger.model_dump(mode="json"))
        else:
            self.let_go(trigger)

    def let_go(self, trigger: Trigger) -> None:
        """``trigger`` was judged: it waits no longer."""
        self._since.pop(trigger.model_dump_json(), None)
