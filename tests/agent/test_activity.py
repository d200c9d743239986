"""What the person is doing: for each sign the moments that show it, and moments that only look like it."""

from datetime import timedelta
from typing import Any

import pytest

from agent.policy.activity import Activity, activity, is_urgent
from agent.policy.handed_over import left_app
from collectors.context import Context
from tests.agent.make import NOON, context

YOUTUBE, SPOTIFY, MAPS, GAME = (
    "com.google.android.youtube",
    "com.spotify.music",
    "com.google.android.apps.maps",
    "com.mojang.minecraftpe",
)
FILM: dict[str, Any] = {
    "foreground__package": YOUTUBE,
    "foreground__app": "YouTube",
    "media__playing": True,
    "media__app": "YouTube",
}


@pytest.mark.parametrize(
    ("facts", "doing"),
    [
        ({"call__state": "off_hook"}, Activity.CALLING),
        ({"call__state": "idle", "call__has_sound": True}, Activity.CALLING),
        ({"call__state": "idle", "call__has_sound": False}, None),
        ({"bluetooth__kind": "car"}, Activity.DRIVING),
        ({"bluetooth__kind": "car", "screen__on": True, "screen__locked": True}, Activity.DRIVING),
        ({"bluetooth__kind": "car", "screen__on": True, "screen__locked": False}, None),
        ({"bluetooth__kind": "headphones"}, None),
        ({"navigation__guiding": True}, Activity.DRIVING),
        ({"foreground__package": MAPS, "foreground__app": "Maps"}, None),
        ({"motion__speed": 60}, Activity.DRIVING),
        ({"motion__speed": 12}, None),
        ({"keyboard__shown": True, "screen__on": True}, Activity.TYPING),
        ({"keyboard__shown": True, "screen__on": False}, None),
        ({"keyboard__shown": False}, None),
        (FILM, Activity.WATCHING),
        (FILM | {"media__playing": False}, None),
        (FILM | {"media__app": "Spotify"}, None),
        ({**FILM, "foreground__package": SPOTIFY, "foreground__app": "Spotify", "media__app": "Spotify"}, None),
        ({"foreground__package": GAME}, Activity.PLAYING),
        ({"foreground__package": GAME, "screen__on": False}, None),
        ({}, None),
    ],
)
def test_an_activity_is_told_by_its_signs_and_not_by_what_looks_like_them(
    facts: dict[str, Any], doing: Activity | None
) -> None:
    assert activity(context(**facts)) is doing


@pytest.mark.parametrize("trigger", ["app_foreground", "screen_time"])
def test_what_the_app_in_front_gives_rise_to_does_not_interrupt_it(trigger: str) -> None:
    assert activity(context(trigger=trigger, **FILM)) is None
    assert activity(context(trigger=trigger, foreground__package=GAME)) is None
    assert activity(context(trigger=trigger, keyboard__shown=True)) is Activity.TYPING


def happened(kind: str, data: dict[str, object], **facts: Any) -> Context:
    moment = context(**facts)
    return moment.model_copy(update={"trigger": moment.trigger.model_copy(update={"kind": kind, "data": data})})


def begins(minutes: float) -> dict[str, object]:
    return {"title": "Review", "start": (NOON + timedelta(minutes=minutes)).isoformat()}


@pytest.mark.parametrize(
    ("kind", "data", "urgent"),
    [
        ("battery_level", {"level": 8, "plugged": False}, True),
        ("battery_level", {"level": 8, "plugged": True}, False),
        ("battery_level", {"level": 8}, False),
        ("battery_level", {"level": 18, "plugged": False}, False),
        ("calendar_event", begins(10), True),
        ("calendar_event", begins(90), False),
        ("calendar_event", begins(-5), False),
        ("calendar_event", {"title": "Review", "start": "soon"}, False),
        ("calendar_event", {"title": "Review", "start": "2026-02-06T12:05:00"}, False),
        ("sms_received", {"text": "URGENT: reply now"}, False),
        ("clock", {}, False),
    ],
)
def test_only_what_was_measured_makes_something_urgent(kind: str, data: dict[str, object], urgent: bool) -> None:
    assert is_urgent(happened(kind, data)) is urgent


def handed_over(minutes_ago: float, *steps: tuple[float, str, str], app: str = "com.sms") -> Context:
    """A page of an app with the keyboard, which heed opened some minutes ago, and steps some minutes ago since."""
    done = {"time": (NOON - timedelta(minutes=minutes_ago)).isoformat(), "outcome": "handed_over", "app": app}
    trajectory = [
        {"time": (NOON - timedelta(minutes=ago)).isoformat(), "kind": kind, "target": target}
        for ago, kind, target in steps
    ]
    return context(foreground__package="com.sms", keyboard__shown=True, heed__done=[done], trajectory__steps=trajectory)


@pytest.mark.parametrize(
    ("page", "is_left"),
    [
        (handed_over(2), False),
        (handed_over(6), True),
        (handed_over(6, (1, "type", "")), False),
        (handed_over(9, (7, "tap", "")), True),
        (handed_over(2, (1, "screen", "off")), True),
        (handed_over(3, (2, "screen", "off"), (1, "tap", "")), False),
        (handed_over(60, app="com.other"), False),
    ],
    ids=["just opened", "untouched", "typed in", "touched a while ago", "screen off", "used again", "another app"],
)
def test_a_page_that_heed_opened_is_left_when_nobody_uses_it(page: Context, is_left: bool) -> None:
    assert left_app(page) == ("com.sms" if is_left else "")
    assert activity(page) is (None if is_left else Activity.TYPING)
