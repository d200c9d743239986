"""The parameters that the owner may widen when a call is always allowed, and the words for it.

Only times, durations, labels and what is played or looked at. Never a recipient, a number, an address, an amount, a
file, a secret or what is acted upon (an app, a device): a grant covers these exactly as they were shown.
"""

from collections.abc import Mapping
from typing import NamedTuple

from heed.language import Language


class Widening(NamedTuple):
    """How one parameter may be widened."""

    english: str
    """For example "any time"."""
    chinese: str
    details: tuple[str, ...]
    """The details of the step's effects that follow from the parameter."""

    def text(self, language: Language) -> str:
        """Returns the words that replace the parameter's value."""
        return self.english if language is Language.EN else self.chinese


_WIDENINGS: Mapping[tuple[str, str], Widening] = {
    ("set_alarm", "time"): Widening("any time", "任何时间", ("at", "time")),
    ("set_alarm", "label"): Widening("any label", "任何标签", ("label",)),
    ("cancel_alarm", "time"): Widening("any of my alarms", "我的任何闹钟", ("at", "time")),
    ("create_calendar_event", "start_time"): Widening("any start", "任何开始时间", ("at", "until")),
    ("create_calendar_event", "end_time"): Widening("any end", "任何结束时间", ("until",)),
    ("create_reminder", "due_time"): Widening("any time", "任何时间", ("at",)),
    ("set_volume_and_ringer", "level_percent"): Widening("any volume", "任何音量", ("percent",)),
    ("set_do_not_disturb", "duration_minutes"): Widening("any duration", "任何时长", ("minutes",)),
    ("manage_app", "duration_minutes"): Widening("any duration", "任何时长", ("minutes",)),
    ("play_music", "query"): Widening("any music", "任何音乐", ("query", "title")),
    ("query_calendar_events", "start_time"): Widening("any start", "任何开始时间", ("at",)),
    ("query_calendar_events", "end_time"): Widening("any end", "任何结束时间", ("until",)),
    ("query_weather", "date"): Widening("any day", "任何日期", ("date", "shows")),
}


def widening(function: str, parameter: str) -> Widening | None:
    """Returns how a parameter may be widened; None where a grant covers its exact value only."""
    return _WIDENINGS.get((function, parameter))


def widenable() -> tuple[tuple[str, str], ...]:
    """Returns every function and parameter that may be widened."""
    return tuple(_WIDENINGS)
