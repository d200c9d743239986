"""Dates, times and lengths of time as sentences show them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from heed.language import Language

_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_WEEKDAYS: Mapping[Language, Sequence[str]] = {
    Language.EN: ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    Language.ZH: ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")
_UNITS: Mapping[Language, Sequence[tuple[int, str, str]]] = {
    Language.EN: ((3600, "{} hour", "{} hours"), (60, "{} minute", "{} minutes"), (1, "{} second", "{} seconds")),
    Language.ZH: ((3600, "{}小时", "{}小时"), (60, "{}分钟", "{}分钟"), (1, "{}秒", "{}秒")),
}
"""Seconds of a unit, one of it and several."""


def day_text(day: date, language: Language, *, with_year: bool = False) -> str:
    """``Wed 11 Mar``; ``3月11日周三``."""
    weekday = _WEEKDAYS[language][day.weekday()]
    if language is Language.ZH:
        return f"{f'{day.year}年' if with_year else ''}{day.month}月{day.day}日{weekday}"
    return f"{weekday} {day.day} {_MONTHS[day.month - 1]}{f' {day.year}' if with_year else ''}"


def moment_text(moment: datetime, language: Language, *, with_year: bool = False) -> str:
    """``Wed 11 Mar, 08:00``; ``3月11日周三08:00``."""
    comma = "" if language is Language.ZH else ", "
    return f"{day_text(moment, language, with_year=with_year)}{comma}{moment:%H:%M}"


def time_text(value: str, language: Language, *, with_year: bool = False) -> str:
    """The date or the date and time that ``value`` is in ISO 8601; any other text as it is."""
    if not _ISO_TIME.fullmatch(value):
        return value
    try:
        if "T" in value:
            return moment_text(datetime.fromisoformat(value), language, with_year=with_year)
        return day_text(date.fromisoformat(value), language, with_year=with_year)
    except ValueError:  # no day of the calendar
        return value


def length_text(seconds: int, language: Language) -> str:
    """``1 hour 30 minutes``; ``1小时30分钟``."""
    parts, left = [], seconds
    for size, one, several in _UNITS[language]:
        count, left = divmod(left, size)
        if count:
            parts.append((one if count == 1 else several).format(count))
    return ("" if language is Language.ZH else " ").join(parts) or _UNITS[language][-1][2].format(0)
