"""The last lines of the long-term behaviour log."""

from collections.abc import Iterable

from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.source import Reading, Seen, Source
from collectors.sources.times import iso
from heed.trust import Trust


class LogSource(Source):
    """What the owner did last. Actions quote what was on the screen, so a stranger may have written parts of them."""

    name = "log"
    dimension = Dimension.TRAJECTORY

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._log = BehaviourLog(config.behaviour_log)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        past = [entry for entry in self._log.entries() if entry.time <= seen.now]
        latest = past[max(0, len(past) - self.config.recent_actions) :]
        if not latest:
            return []
        actions = [
            {"time": iso(entry.time, seen.now), "location": entry.location, "action": entry.action} for entry in latest
        ]
        return [Reading("log.recent", actions, Trust.THIRD_PARTY, origin="behaviour log")]
