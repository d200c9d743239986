"""The sun, computed for the phone's place."""

from datetime import datetime
from pathlib import Path
from typing import Any

from android_bridge.facts.location import LOCATION, Location
from android_bridge.facts.reader import UnreadableError
from collectors.config import CollectorsConfig
from collectors.sources.sky import SunSource
from tests.collectors.sources.phone_values import readings

SHANGHAI = Location(latitude=31.23, longitude=121.47, accuracy=20, provider="gps", age=10)
TROMSO = Location(latitude=69.65, longitude=18.96, accuracy=20, provider="gps", age=10)


async def sun(now: str, place: Any, profile: Path = Path("/none")) -> dict[str, Any]:
    source = SunSource(CollectorsConfig(profile=profile))
    found = await readings(source, {LOCATION: place}, datetime.fromisoformat(now))
    return {name: reading.value for name, reading in found.items()}


async def test_a_winter_day_in_shanghai() -> None:
    assert await sun("2026-02-06T14:00:00+08:00", SHANGHAI) == {
        "sun.up": True,
        "sun.rises": "06:43",
        "sun.sets": "17:33",
    }
    assert (await sun("2026-02-06T18:00:00+08:00", SHANGHAI))["sun.up"] is False


async def test_where_the_sun_does_not_rise_nothing_is_said() -> None:
    assert await sun("2026-12-21T12:00:00+01:00", TROMSO) == {}


async def test_without_a_position_home_counts(tmp_path: Path) -> None:
    profile = tmp_path / "profile.yaml"
    profile.write_text("locations: {home: {latitude: 31.23, longitude: 121.47}}")
    assert (await sun("2026-02-06T14:00:00+08:00", None, profile))["sun.rises"] == "06:43"
    assert (await sun("2026-02-06T14:00:00+08:00", UnreadableError("no"), profile))["sun.up"] is True
    assert await sun("2026-02-06T14:00:00+08:00", None) == {}
