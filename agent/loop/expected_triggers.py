"""Expected triggers: those of appointments and of long use, which the phone sends no event for."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from agent.journal import AgendaKind, Stores
from collectors.appointment_triggers import DueTrigger
from collectors.context import Trigger, TriggerKind

_ONCE = frozenset({TriggerKind.CALENDAR_EVENT, TriggerKind.CALENDAR_ADDED})
"""Kinds that are decided on although their due time has passed."""
_REMEMBERED = timedelta(days=1)
"""No appointment is expected for longer."""


class ExpectedTriggers:
    """Enters the expected triggers of one phone in the agenda, and returns those that are overdue, each once.

    A trigger is overdue when its appointment was added after its due time, or when nobody watched the phone then.
    """

    def __init__(self, stores: Stores, phone_id: str) -> None:
        self._stores, self._phone_id = stores, phone_id
        self._known: dict[tuple[str, ...], datetime] = {}
        """The due times of the triggers that were planned or returned by this process."""

    def plan(self, dues: Sequence[DueTrigger], now: datetime) -> list[Trigger]:
        """Enter what is due after ``now``, in place of what was planned before; the overdue triggers."""
        overdue = [due for due in dues if due.at <= now and not self._is_known(due)]
        later = [(due.at, due.trigger.model_dump(mode="json")) for due in dues if due.at > now]
        self._stores.agenda.replace(self._phone_id, AgendaKind.TRIGGER, now, later)
        self._known = {key: at for key, at in self._known.items() if at > now - _REMEMBERED}
        self._known |= {_key(due): due.at for due in dues}
        return [due.trigger for due in overdue]

    def _is_known(self, due: DueTrigger) -> bool:
        """Whether it was planned in time, or decided on at its due time or later, before a restart."""
        if due.trigger.kind not in _ONCE or _key(due) in self._known:
            return True
        if due.trigger.kind is TriggerKind.CALENDAR_ADDED:
            return False
        decided = self._stores.history.decided_on(self._phone_id, TriggerKind.CALENDAR_EVENT, _REMEMBERED)
        return any(at >= due.at and _names(one) == _names(due.trigger) for at, one in decided)


def _key(due: DueTrigger) -> tuple[str, ...]:
    return due.trigger.kind, due.at.isoformat(), *_names(due.trigger)


def _names(trigger: Trigger) -> tuple[str, ...]:
    """What tells one appointment from another."""
    return tuple(str(trigger.data.get(name, "")) for name in ("title", "start"))
