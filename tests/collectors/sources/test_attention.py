"""What holds the person's attention: positive cases, and the moments that only look like them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from android_bridge.facts.input_method import INPUT_METHOD, InputMethod
from android_bridge.facts.location import LOCATION, Location, parse_location
from android_bridge.facts.notifications import NOTIFICATIONS, Notification, Notifications
from collectors.config import CollectorsConfig
from collectors.fact_names import FACTS
from collectors.sources.attention import GuidanceSource, KeyboardSource, MotionSource
from tests.collectors.sources.phone_values import readings

CONFIG = CollectorsConfig()


def posted(category: str, *, ongoing: bool) -> Notifications:
    flags = frozenset({"ONGOING_EVENT"}) if ongoing else frozenset[str]()
    plain: dict[str, Any] = dict.fromkeys(("tag", "when", "big_text", "sub_text", "conversation"))
    lists: dict[str, Any] = {"lines": (), "messages": (), "redacted": False, "flags": flags}
    one = Notification(
        key="k", package="com.google.android.apps.maps", user=0, id=1, channel="c", category=category, importance=3,
        posted=datetime(2026, 2, 6, tzinfo=UTC), title="300 m", text="Turn left", **plain, **lists,
    )  # fmt: skip
    return Notifications(items=(one,))


def moving(speed: float | None, age: float | None = 5.0) -> Location:
    return Location(latitude=1.0, longitude=2.0, accuracy=5.0, provider="gps", age=age, speed=speed)


@pytest.mark.parametrize("shown", [True, False])
async def test_the_keyboard_shows_or_does_not(shown: bool) -> None:
    found = await readings(KeyboardSource(CONFIG), {INPUT_METHOD: InputMethod(shown=shown, password=False)})
    assert found["keyboard.shown"].value is shown


@pytest.mark.parametrize(
    ("category", "ongoing", "guiding"),
    [("navigation", True, True), ("navigation", False, False), ("msg", True, False), ("", True, False)],
)
async def test_an_app_guides_while_its_notification_stays(category: str, ongoing: bool, guiding: bool) -> None:
    found = await readings(GuidanceSource(CONFIG), {NOTIFICATIONS: posted(category, ongoing=ongoing)})
    assert ("navigation.guiding" in found) is guiding
    for name, reading in found.items():
        assert FACTS[name].trust is reading.trust


@pytest.mark.parametrize(
    ("place", "kmh"),
    [
        (moving(20.0), 72),
        (moving(0.0), 0),
        (moving(20.0, age=300.0), None),
        (moving(20.0, age=None), None),
        (moving(None), None),
        (None, None),
    ],
)
async def test_only_a_fresh_place_tells_a_speed(place: Location | None, kmh: int | None) -> None:
    found = await readings(MotionSource(CONFIG), {LOCATION: place})
    assert (found["motion.speed"].value if found else None) == kmh


@pytest.mark.parametrize(
    ("printed", "speed"),
    [
        ("hAcc=5.0 et=+1h0m2s0ms alt=12.0 vAcc=3.0 vel=13.9 sAcc=1.0", 13.9),
        ("acc=5 et=+1h0m2s0ms alt=0.0 vel=2,5 bear=0.0 {Bundle[mParcelledData]}", 2.5),
        ("hAcc=5.0 et=+1h0m2s0ms alt=12.0 {Bundle[{x=Location[gps 1,2 acc=1 et=+1s vel=9.0]}]}", None),
    ],
)
def test_the_speed_is_that_of_the_place_itself(printed: str, speed: float | None) -> None:
    place = parse_location(f"3610.00 100.00\n    last location=Location[gps 31.230000,121.470000 {printed}]\n")
    assert place is not None
    assert (place.speed, place.age) == (speed, 8.0)
