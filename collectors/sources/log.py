"""The last lines of the long-term behaviour log."""

from collections.abc import Iterable, Mapping, Sequence

from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import Dimension, LogEntry
from collectors.limits import RECENT_LINES
from collectors.place import place_names
from collectors.source import PhoneValues, Reading, Source
from collectors.sources.owner import ProfileFile
from collectors.sources.times import iso
from heed.errors import PersonError
from heed.trust import Trust


class LogSource(Source):
    """What the owner did last. Actions quote what was on the screen, so a stranger may have written parts of them."""

    name = "log"
    dimension = Dimension.TRAJECTORY

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._log, self._profile = BehaviourLog(config.behaviour_log, newest=RECENT_LINES), ProfileFile(config)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        entries = self._log.entries()
        past = [entry for entry in entries[-RECENT_LINES:] if entry.time <= phone.now]
        latest = past[max(0, len(past) - self.config.recent_actions) :]
        if not latest:
            return []
        places = self._places(past)
        actions = [
            {
                "time": iso(entry.time, phone.now),
                "location": places.get(entry.location, entry.location),
                "action": entry.action,
                **({"package": entry.package} if entry.package else {}),
            }
            for entry in latest
        ]
        return [Reading("log.recent", actions, Trust.THIRD_PARTY, origin="behaviour log")]

    def _places(self, entries: Sequence[LogEntry]) -> Mapping[str, str]:
        try:
            profile = self._profile.load()
        except PersonError:  # the profile's own source says so
            profile = None
        return place_names(profile.places if profile else (), entries)
