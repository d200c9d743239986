"""Words on the screens, in the phone's language."""

import functools
from collections.abc import Iterable
from datetime import datetime
from importlib import resources

import yaml

from virtual_phone.state import PhoneState

_DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
_SHORT_DAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "zh": ("一", "二", "三", "四", "五", "六", "日"),
}


@functools.cache
def table() -> dict[str, list[str]]:
    """Each word's English and Chinese form."""
    text = resources.files("virtual_phone.ui").joinpath("words.yaml").read_text("utf-8")
    loaded: dict[str, list[str]] = yaml.safe_load(text)
    return loaded


def word(state: PhoneState, key: str, *values: object) -> str:
    """The word for ``key``, its ``{0}`` … filled with ``values``."""
    return table()[key][0 if state.identity.language == "en" else 1].format(*values)


def long_date(state: PhoneState, moment: datetime) -> str:
    """``Friday, Feb 6`` or ``2月6日 星期五``."""
    day = _DAYS[state.identity.language][moment.weekday()]
    if state.identity.language == "zh":
        return f"{moment.month}月{moment.day}日 {day}"
    return f"{day}, {moment:%b} {moment.day}"


def month(state: PhoneState, moment: datetime) -> str:
    """``February 2026`` or ``2026年2月``."""
    return f"{moment:%Y}年{moment.month}月" if state.identity.language == "zh" else f"{moment:%B %Y}"


def listed(state: PhoneState, things: Iterable[str]) -> str:
    """A list of words, separated as in the phone's language."""
    return ("、" if state.identity.language == "zh" else ", ").join(things)


def short_day(state: PhoneState, weekday: int) -> str:
    """``Mon`` or ``一``."""
    return _SHORT_DAYS[state.identity.language][weekday]


def ago(state: PhoneState, milliseconds: int) -> str:
    """A time in the past: the time of day if today, else the date."""
    now = state.clock.wall()
    moment = datetime.fromtimestamp(milliseconds / 1000, now.tzinfo)
    if moment.date() == now.date():
        return state.identity.clock_text(moment)
    if state.identity.language == "zh":
        return f"{moment.month}月{moment.day}日"
    return f"{moment:%b} {moment.day}"
