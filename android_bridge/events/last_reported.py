"""The last reported state, so that no change is reported twice."""

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime

from android_bridge.events.model import AlarmRang, DataSynced, NotificationPosted, NotificationRemoved, PhoneEvent
from android_bridge.facts.telephony import CallState

_NO_CALL = (CallState.IDLE, None)
_Notification = tuple[str, int, str | None, int]


class LastReported:
    """The last state of each kind of event, and the posted notifications."""

    def __init__(self) -> None:
        self._states: dict[str, Hashable] = {}
        self._posted: dict[_Notification, NotificationPosted] = {}

    @property
    def in_call(self) -> bool:
        """True when the last call event was not the end of a call."""
        return self._states.get("call", _NO_CALL) != _NO_CALL

    def new_events(self, events: Iterable[PhoneEvent]) -> Iterator[PhoneEvent]:
        """Yields the events that change the reported state, and records them."""
        for event in events:
            if self._remember(event):
                yield event

    def _remember(self, event: PhoneEvent) -> bool:
        match event:
            case NotificationPosted():
                self._posted[_identity(event)] = event
                return True
            case NotificationRemoved():
                self._posted.pop(_identity(event), None)
                return True
            case AlarmRang() | DataSynced():
                return True
        state = tuple(value for name, value in event if name not in ("at", "polled", "kind"))
        before = self._states.get(event.kind)
        self._states[event.kind] = state
        return state != before

    def compare(self, at: datetime, present: Iterable[PhoneEvent]) -> Iterator[PhoneEvent]:
        """Yields the events that lead from the recorded notifications to those of ``present``, and records them.

        Args:
            at: the phone's clock, the time of the events.
            present: the notifications that are posted now.
        """
        now = {_identity(event): event for event in present if isinstance(event, NotificationPosted)}
        for identity in [identity for identity in self._posted if identity not in now]:
            package, number, tag, user = identity
            del self._posted[identity]
            yield NotificationRemoved(at=at, polled=True, package=package, id=number, tag=tag, user=user, reason=None)
        for identity, event in now.items():
            if identity not in self._posted:
                self._posted[identity] = event
                yield event
                if event.category == "alarm":
                    yield AlarmRang(at=at, polled=True, package=event.package)


def _identity(event: NotificationPosted | NotificationRemoved) -> _Notification:
    return event.package, event.id, event.tag, event.user
