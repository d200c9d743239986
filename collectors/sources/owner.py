"""The owner's profile, and the place in the profile's words."""

from collections.abc import Iterable

from android_bridge.facts.location import LOCATION, Location
from android_bridge.facts.network import WIFI
from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.place import NOWHERE, WORST_ACCURACY_M, Position, infer
from collectors.profile import Profile, load_profile
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from heed.errors import UsageError
from heed.messages import msg
from heed.trust import Trust


class ProfileFile:
    """The profile at ``path``, read again when the file changes."""

    def __init__(self, config: CollectorsConfig) -> None:
        self._path = config.profile
        self._version: tuple[int, int] | None = None
        self._profile = Profile()

    def load(self) -> Profile | None:
        """The profile, None when there is no file; ``UsageError`` when it has a fault."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return None
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

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        profile = self._file.load()
        if profile is None:
            raise UsageError(msg("There is no profile yet."), msg("Write one with `heed init`."))
        return [Reading(f"profile.{leaf.path}", leaf.value, Trust.OWNER, origin="profile") for leaf in profile.leaves]


class PlaceSource(Source):
    """Home, work or another place of the profile; otherwise coordinates, to about a kilometre."""

    name = "place"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(WIFI), ReaderNeed(LOCATION, fresh=60.0))

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._file = ProfileFile(config)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        profile = self._file.load() or Profile()
        by_wifi = infer(profile.places, wifi=phone[WIFI].ssid)
        if by_wifi != NOWHERE:
            return [Reading("place", by_wifi.name, confidence=by_wifi.confidence)]
        location = phone[LOCATION]
        if location is None or location.age is None:
            return []
        placed = infer(profile.places, position=position_of(location))
        if placed != NOWHERE:
            return [Reading("place", placed.name, confidence=placed.confidence)]
        coarse: dict[str, float] = {
            "latitude": round(location.latitude, 2),
            "longitude": round(location.longitude, 2),
            "minutes_old": round(location.age / 60),
        }
        return [Reading("location", coarse)]


def position_of(location: Location) -> Position:
    """A measured position; one without an accuracy counts as a bad one."""
    accuracy = WORST_ACCURACY_M if location.accuracy is None else location.accuracy
    return Position(location.latitude, location.longitude, accuracy, location.age or 0.0)
