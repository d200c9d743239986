"""Parses clock times, dates and date-times in English and Chinese.

Only unambiguous texts are accepted; for all others the functions return None. Relative
words ("tomorrow", "半小时后") are resolved against the phone's clock.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

Hours = tuple[int, int]
"""First and last hour of a part of the day, 0 to 23."""

_ANY: Hours = (0, 23)
_EVENING: Hours = (17, 23)
_PARTS: dict[str, Hours] = {
    **dict.fromkeys(("am", "a.m.", "in the morning", "上午", "早上", "早晨", "清晨", "早"), (0, 11)),
    **dict.fromkeys(("pm", "p.m.", "in the afternoon", "下午"), (12, 23)),
    **dict.fromkeys(("in the evening", "at night", "傍晚", "晚上", "晚", "夜里"), _EVENING),
    "中午": (11, 13),
    "凌晨": (0, 5),
}

_DAYS: dict[str, tuple[int, Hours]] = {
    "the day after tomorrow": (2, _ANY),
    "day after tomorrow": (2, _ANY),
    "yesterday": (-1, _ANY),
    "tomorrow": (1, _ANY),
    "tonight": (0, _EVENING),
    "today": (0, _ANY),
    "大后天": (3, _ANY),
    "前天": (-2, _ANY),
    "昨天": (-1, _ANY),
    "今天": (0, _ANY),
    "今日": (0, _ANY),
    "今早": (0, (0, 11)),
    "今晚": (0, _EVENING),
    "明天": (1, _ANY),
    "明日": (1, _ANY),
    "明早": (1, (0, 11)),
    "明晚": (1, _EVENING),
    "后天": (2, _ANY),
}

_UNITS = {
    **dict.fromkeys(("minute", "minutes", "min", "mins", "分钟", "分"), timedelta(minutes=1)),
    **dict.fromkeys(("hour", "hours", "h", "小时", "个小时", "钟头"), timedelta(hours=1)),
    **dict.fromkeys(("day", "days", "天", "日"), timedelta(days=1)),
    **dict.fromkeys(("week", "weeks", "周", "个星期", "星期"), timedelta(weeks=1)),
}

_DIGITS = {**{digit: value for value, digit in enumerate("零一二三四五六七八九")}, "两": 2, "〇": 0}
_NUMBER = r"(?:\d{1,4}|[零〇一二两三四五六七八九十]{1,3})"
_QUARTERS = {"一刻": 15, "半": 30, "三刻": 45}
_COUNTS = {"a": 1.0, "an": 1.0, "half an": 0.5, "半": 0.5, "半个": 0.5}


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CLOCK = re.compile(
    rf"(?:(?P<before>{_any(_PARTS)})\s*)?"
    rf"(?P<hour>{_NUMBER})"
    rf"(?P<form>[:.](?P<minute>\d\d)(?::\d\d)?|(?:点钟|点|时)(?P<minute_word>{_any(_QUARTERS)}|{_NUMBER}(?=分|$))?分?)?"
    rf"(?:\s*(?P<after>{_any(_PARTS)}))?"
)
_DAY = re.compile(_any(_DAYS))
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_SPAN = rf"(?P<count>{_any(_COUNTS)}|{_NUMBER})\s*(?P<unit>{_any(_UNITS)})"
_SHIFTS = (
    (re.compile(rf"in {_SPAN}"), 1),
    (re.compile(rf"{_SPAN}\s*(?:from now|later|之?后|以后)"), 1),
    (re.compile(rf"{_SPAN}\s*(?:ago|earlier|之?前|以前)"), -1),
)


def clock_time(text: str) -> time | None:
    """``7:30``, ``7:30 pm``, ``19：30``, ``早上七点半`` as a time; None for anything with two readings."""
    return _clock(_clean(text), _ANY)


def day(text: str, now: datetime | None) -> date | None:
    """``2026-02-06``, ``2026年2月6日``, ``tomorrow``, ``30天前`` as a day."""
    clean = _clean(text)
    match = _DATE.fullmatch(clean)
    if match:
        return _date(match)
    exact = _iso(text, now)
    if exact is not None or now is None:
        return exact.date() if exact is not None else None
    if clean in _DAYS:
        return now.date() + timedelta(days=_DAYS[clean][0])
    shifted = _shifted(clean, now)
    return shifted.date() if shifted is not None else None


def moment(text: str, now: datetime | None) -> datetime | None:
    """A day and a time as one moment of the phone's local time, without an offset.

    A bare clock time is the next one to come; a bare day is no moment.
    """
    exact = _iso(text, now)
    if exact is not None:
        return exact
    clean = _clean(text)
    match = _DATE.match(clean)
    if match:
        return _at(_date(match), clean[match.end() :], _ANY)
    if now is None:
        return None
    return _shifted(clean, now) or _named(clean, now) or _next(clock_time(clean), now)


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _iso(text: str, now: datetime | None) -> datetime | None:
    clean = unicodedata.normalize("NFKC", text).strip().replace("/", "-")
    if not re.match(r"\d{4}-\d\d-\d\d[T ]\d", clean):
        return None
    try:
        parsed = datetime.fromisoformat(clean)
    except ValueError:
        return None
    if parsed.tzinfo is not None and now is not None:
        parsed = parsed.astimezone(now.tzinfo)
    return parsed.replace(tzinfo=None, microsecond=0)


def _shifted(clean: str, now: datetime) -> datetime | None:
    for pattern, sign in _SHIFTS:
        match = pattern.fullmatch(clean)
        count = _COUNTS.get(match["count"], _number(match["count"])) if match else None
        if match and count is not None:
            return (now + sign * count * _UNITS[match["unit"]]).replace(tzinfo=None, microsecond=0)
    return None


def _named(clean: str, now: datetime) -> datetime | None:
    match = _DAY.search(clean)
    if match is None:
        return None
    days, hours = _DAYS[match[0]]
    return _at(now.date() + timedelta(days=days), clean[: match.start()] + clean[match.end() :], hours)


def _number(text: str) -> int | None:
    """``15``, ``十五`` or ``二十五``."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if tens not in ("", *_DIGITS) or ones not in ("", *_DIGITS):
        return None
    return (10 * _DIGITS.get(tens, 1) if ten else 0) + _DIGITS.get(ones, 0)


def _date(match: re.Match[str]) -> date | None:
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def _clock(clean: str, hours: Hours) -> time | None:
    match = _CLOCK.fullmatch(clean)
    if match is None:
        return None
    part = match["after"] or match["before"]
    minute = _minute(match["minute"] or match["minute_word"])
    hour = _hour(_number(match["hour"]), _PARTS[part] if part else hours)
    if hour is None or minute is None or not (part or match["form"]):
        return None
    return time(hour, minute)


def _hour(number: int | None, hours: Hours) -> int | None:
    """The one hour of the day that ``number`` can mean in that part of the day."""
    if number is None or number > 23:
        return None
    if hours == _ANY:
        return number
    candidates = {number, (number + 12) % 24} if number <= 12 else {number}
    fitting = [hour for hour in candidates if hours[0] <= hour <= hours[1]]
    return fitting[0] if len(fitting) == 1 else None


def _minute(text: str | None) -> int | None:
    minute = _QUARTERS.get(text, _number(text)) if text else 0
    return minute if minute is not None and minute < 60 else None


def _at(on: date | None, rest: str, hours: Hours) -> datetime | None:
    clock = _clock(re.sub(r"^(?:at |t|,|的)|(?:,| at)$", "", rest.strip()).strip(), hours)
    return datetime.combine(on, clock) if on is not None and clock is not None else None


def _next(clock: time | None, now: datetime) -> datetime | None:
    if clock is None:
        return None
    today = datetime.combine(now.date(), clock)
    return today if today > now.replace(tzinfo=None) else today + timedelta(days=1)
