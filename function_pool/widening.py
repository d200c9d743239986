"""The parameters that the owner may widen when a call is always allowed, and the words for it.

Only times, durations, labels and what is played or looked at. Never a recipient, a number, an address, an amount, a
file, a secret or what is acted upon (an app, a device): a grant covers these exactly as they were shown.
"""

from collections.abc import Mapping
from typing import NamedTuple

from heed.messages import Message, msg


class Widening(NamedTuple):
    """The widening of one parameter."""

    text: Message
    """For example "any time"."""
    details: tuple[str, ...]
    """The details of the step's effects that follow from the parameter."""


_WIDENINGS: Mapping[tuple[str, str], Widening] = {
    ("set_alarm", "time"): Widening(msg("any time"), ("at", "time")),
    ("set_alarm", "label"): Widening(msg("any label"), ("label",)),
    ("cancel_alarm", "time"): Widening(msg("any of my alarms"), ("at", "time")),
    ("create_calendar_event", "start_time"): Widening(msg("any start"), ("at", "until")),
    ("create_calendar_event", "end_time"): Widening(msg("any end"), ("until",)),
    ("create_reminder", "due_time"): Widening(msg("any time"), ("at",)),
    ("set_volume_and_ringer", "level_percent"): Widening(msg("any volume"), ("percent",)),
    ("set_do_not_disturb", "duration_minutes"): Widening(msg("any duration"), ("minutes",)),
    ("manage_app", "duration_minutes"): Widening(msg("any duration"), ("minutes",)),
    ("play_music", "query"): Widening(msg("any music"), ("query", "title")),
    ("query_calendar_events", "start_time"): Widening(msg("any start"), ("at",)),
    ("query_calendar_events", "end_time"): Widening(msg("any end"), ("until",)),
    ("query_weather", "date"): Widening(msg("any day"), ("date", "shows")),
}


def widening(function: str, parameter: str) -> Widening | None:
    """Returns how a parameter may be widened; None where a grant covers its exact value only."""
    return _WIDENINGS.get((function, parameter))


def widenable() -> tuple[tuple[str, str], ...]:
    """Returns every function and parameter that may be widened."""
    return tuple(_WIDENINGS)
