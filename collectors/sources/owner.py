"""What the owner wrote about themselves, and where they are in those words."""

from collections.abc import Iterable

from android_bridge.facts.network import WIFI
from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.place import NOWHERE, infer
from collectors.profile import Profile, load_profile
from collectors.source import Need, Reading, Seen, Source
from heed.errors import UsageError
from heed.trust import Trust


class ProfileFile:
    """The profile at ``path``, read again when the file changes."""

    def __init__(self, config: CollectorsConfig) -> None:
        self._path = config.profile
        self._version: tuple[int, int] | None = None
        self._profile = Profile()

    def load(self) -> Profile:
        """The profile; ``UsageError`` when there is none or it has a fault."""
        try:
            status = self._path.stat()
        except OSError as error:
            raise UsageError(f"There is no profile at {self._path}.", "Write one with `heed init`.") from error
        version = (status.st_mtime_ns, status.st_size)
        if version != self._version:
            self._profile, self._version = load_profile(self._path), version
        return self._profile


class ProfileSource(Source):
    """The owner's profile, leaf by leaf."""

    name = "profile"
    dimension = Dimension.PROFILE

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._file = ProfileFile(config)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        leaves = self._file.load().leaves
        return [Reading(f"profile.{leaf.path}", leaf.value, Trust.OWNER, origin="profile") for leaf in leaves]


class PlaceSource(Source):
    """Home, work or another place of the profile."""

    name = "place"
    dimension = Dimension.DEVICE
    needs = (Need(WIFI),)

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._file = ProfileFile(config)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        placed = infer(self._file.load().places, wifi=seen[WIFI].ssid)
        if placed == NOWHERE:
            return []
        return [Reading("place", placed.name, confidence=placed.confidence)]
