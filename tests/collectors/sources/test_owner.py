"""Profile and place."""

from pathlib import Path

import pytest

from android_bridge.facts.location import LOCATION, Location
from android_bridge.facts.network import WIFI, Wifi
from collectors.config import CollectorsConfig
from collectors.sources.owner import PlaceSource, ProfileSource
from heed.errors import UsageError
from heed.trust import Trust
from tests.collectors.sources.phone_values import readings

PROFILE = "identity: {full_name: Robin}\nlocations:\n  home: {wifi: Nest, latitude: 40.0, longitude: 116.0}\n"
OFFLINE = Wifi(enabled=True, ssid=None)


@pytest.fixture
def config(tmp_path: Path) -> CollectorsConfig:
    path = tmp_path / "profile.yaml"
    path.write_text(PROFILE)
    return CollectorsConfig(profile=path)


def at(latitude: float, *, accuracy: float = 20, age: float | None = 60) -> Location:
    return Location(latitude=latitude, longitude=116.0, accuracy=accuracy, provider="fused", age=age)


async def test_the_profile_is_the_owners_word(config: CollectorsConfig) -> None:
    found = await readings(ProfileSource(config), {})
    assert found["profile.identity.full_name"].value == "Robin"
    assert {reading.trust for reading in found.values()} == {Trust.OWNER}


async def test_an_edited_profile_is_read_again(config: CollectorsConfig) -> None:
    source = ProfileSource(config)
    await readings(source, {})
    config.profile.write_text(PROFILE.replace("Robin", "Robin Doe"))
    assert (await readings(source, {}))["profile.identity.full_name"].value == "Robin Doe"
    config.profile.write_text("nonsense: 1")
    with pytest.raises(UsageError, match="line 1"):
        await readings(source, {})


async def test_without_a_profile_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="heed init"):
        await readings(ProfileSource(CollectorsConfig(profile=tmp_path / "none")), {})


async def test_home_is_known_by_wifi_and_by_position(config: CollectorsConfig) -> None:
    by_wifi = await readings(PlaceSource(config), {WIFI: Wifi(enabled=True, ssid="Nest"), LOCATION: None})
    by_position = await readings(PlaceSource(config), {WIFI: OFFLINE, LOCATION: at(40.0001)})
    assert by_wifi["place"].value == by_position["place"].value == "home"


async def test_elsewhere_only_coarse_coordinates_are_told(config: CollectorsConfig) -> None:
    found = await readings(PlaceSource(config), {WIFI: OFFLINE, LOCATION: at(41.23456)})
    assert found["location"].value == {"latitude": 41.23, "longitude": 116.0, "minutes_old": 1}


async def test_a_position_of_unknown_age_names_nothing(config: CollectorsConfig) -> None:
    assert await readings(PlaceSource(config), {WIFI: OFFLINE, LOCATION: at(40.0, age=None)}) == {}
    assert await readings(PlaceSource(config), {WIFI: OFFLINE, LOCATION: None}) == {}


async def test_no_profile_leaves_the_place_open(tmp_path: Path) -> None:
    source = PlaceSource(CollectorsConfig(profile=tmp_path / "none"))
    assert set(await readings(source, {WIFI: OFFLINE, LOCATION: at(40.0)})) == {"location"}
