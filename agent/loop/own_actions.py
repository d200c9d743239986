"""The source of heed's own recent actions; the agent adds it to the sources of a phone."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from pydantic import JsonValue

from agent.journal.answer_history import AnswerHistory, CarriedOut
from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.source import PhoneValues, Reading, Source
from collectors.sources.times import iso
from heed.trust import Trust

RECENT = timedelta(hours=24)
"""An older action is not in a context."""
_MOST = 20


class OwnActionSource(Source):
    """What heed carried out on a phone within a day, with the arguments as they may be shown.

    Args:
        config: the collectors' configuration.
        history: the journal's.
        phone_id: the key of the phone.
    """

    name = "own_actions"
    dimension = Dimension.TRAJECTORY

    def __init__(self, config: CollectorsConfig, history: AnswerHistory, phone_id: str) -> None:
        super().__init__(config)
        self._history, self._phone_id = history, phone_id

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        done = self._history.actions(self._phone_id, RECENT)[-_MOST:]
        if not done:
            return []
        trust = Trust.THIRD_PARTY if any(one.call.is_influenced for one in done) else Trust.DEVICE
        return [Reading("heed.done", [_value(one, phone.now) for one in done], trust, origin="journal")]


def _value(done: CarriedOut, now: datetime) -> dict[str, JsonValue]:
    return {
        "time": iso(done.at, now),
        "function": done.call.name,
        "arguments": dict(done.call.shown),
        "outcome": done.outcome,
        "undone": done.undone,
    }
