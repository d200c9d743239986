"""Finds values in a text: clock times, dates, percentages, addresses, files, numbers and introduced names."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from models.routines.language.patterns import Reads, patterns

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_AFTER_NOON = frozenset({"下午", "傍晚", "晚上", "夜里", "今晚"})
_DAYS = {"day": 1, "天": 1, "week": 7, "周": 7, "星期": 7, "个星期": 7, "month": 30, "个月": 30}
_COUNTS = {"a": 1.0, "one": 1.0, "一": 1.0, "半": 0.5}
_NUMBER_WORDS = re.compile(r"\b(?:number|phone|sim|mobile)\b", re.IGNORECASE)


class TextEntity(NamedTuple):
    """A value found in a text; dates are ISO 8601, clock times ``HH:MM``."""

    kind: str
    value: str
    start: int
    end: int


def find(text: str, today: date) -> tuple[TextEntity, ...]:
    """All values in ``text`` by offset; a date without a year gets the year that puts it nearest to ``today``."""
    return tuple(sorted(_found(text, today), key=lambda entity: (entity.start, -entity.end)))


def _found(text: str, today: date) -> Iterator[TextEntity]:
    for entity in patterns().entities:
        for match in entity.pattern.finditer(text):
            value = _READERS[entity.reads](match, today)
            if value:
                yield TextEntity(entity.kind, value, match.start(), match.end())


_Reader = Callable[[re.Match[str], date], str | None]


def _plain(match: re.Match[str], _today: date) -> str | None:
    return str(match.groupdict().get("value") or match[0]).strip()


def _clock(match: re.Match[str], _today: date) -> str | None:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower().replace(".", "")
    if half == "pm" and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _chinese_clock(match: re.Match[str], _today: date) -> str | None:
    hour = int(match["hour"])
    minute = 30 if match["minute"] == "半" else int(match["digits"] or 0)
    if match["part"] in _AFTER_NOON and hour < 12:
        hour += 12
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _date(match: re.Match[str], today: date) -> str | None:
    name, day = match["month"], int(match["day"])
    month = int(name) if name.isdigit() else _MONTHS.index(name[:3].lower()) + 1
    years = [int(match["year"])] if match["year"] else [today.year - 1, today.year, today.year + 1]
    try:
        found = min((date(year, month, day) for year in years), key=lambda each: abs((each - today).days))
    except ValueError:
        return None
    return found.isoformat()


def _days_ago(match: re.Match[str], today: date) -> str | None:
    count = _COUNTS[match["count"]] if match["count"] in _COUNTS else float(match["count"])
    return (today - timedelta(days=count * _DAYS[match["unit"].lower()])).isoformat()


def _file(match: re.Match[str], _today: date) -> str | None:
    # Chinese has no spaces: in "用邮箱把周报.pdf发给" the name begins after the particle.
    return re.split(r"[把将了给送开阅看]", match[0])[-1]


def _phone(match: re.Match[str], _today: date) -> str | None:
    digits = re.sub(r"\D", "", match[0])
    return match[0].strip() if 7 <= len(digits) <= 15 else None


def _introduced(match: re.Match[str], _today: date) -> str | None:
    name = str(match["name"]).strip().rstrip(".")
    belongs = re.search(r"['’]s?$", name)
    # "this is amazing": a lower-case name counts only in a text that speaks of numbers or phones.
    doubtful = name[0].islower() and not _NUMBER_WORDS.search(match.string)
    return None if belongs or doubtful or len(name) < 2 else name[0].upper() + name[1:]


_READERS: Mapping[Reads, _Reader] = {
    "plain": _plain,
    "clock": _clock,
    "chinese_clock": _chinese_clock,
    "date": _date,
    "days_ago": _days_ago,
    "file": _file,
    "introduced": _introduced,
    "phone": _phone,
}
