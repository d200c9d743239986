"""Rules of Chinese time expressions."""

import re
from re import Match

from models.values.numbers import CHINESE_NUMBER, chinese_number
from models.values.times.english import calendar_day, clock
from models.values.times.pieces import (
    CalendarDay,
    DayOffset,
    DayPart,
    Meaning,
    Shift,
    TimeRule,
    Until,
    Weekday,
)

_N = CHINESE_NUMBER
_WEEKDAYS = {**{name: number for number, name in enumerate("一二三四五六日")}, "天": 6, "末": 5}
_WEEKS = {"下下": 2, "下": 1, "这": 0, "本": 0, "上": -1, "": None}
_OFFSETS = {
    "大后天": 3, "大後天": 3, "后天": 2, "後天": 2, "后日": 2, "前天": -2, "昨天": -1, "昨日": -1, "昨儿": -1,
    **dict.fromkeys(("今天", "今日", "今儿", "当天", "当日"), 0),
    **dict.fromkeys(("明天", "明日", "明儿", "隔天", "第二天", "听日"), 1),
}  # fmt: skip
_SHORT_DAYS = {"今": 0, "明": 1, "昨": -1, "后": 2}
_PARTS = {
    **dict.fromkeys(("凌晨",), "dawn"),
    **dict.fromkeys(("一大早", "大清早", "一早", "大早", "清早"), "first thing"),
    **dict.fromkeys(("清晨", "早上", "早晨", "早间", "朝早", "上午", "午前"), "morning"),
    **dict.fromkeys(("中午", "正午", "晌午", "午饭", "午餐", "午休"), "noon"),
    **dict.fromkeys(("早饭", "早餐"), "breakfast"),
    **dict.fromkeys(("下午", "午后", "下昼"), "afternoon"),
    **dict.fromkeys(("下班", "放学"), "after work"),
    **dict.fromkeys(("傍晚", "晚上", "晚间", "今夜", "晚饭", "晚餐", "夜晚", "晚黑"), "evening"),
    **dict.fromkeys(("夜里", "夜间", "睡前"), "night"),
    **dict.fromkeys(("深夜", "半夜", "午夜"), "late"),
}
_SHORT_PARTS = {"早": "morning", "晚": "evening", "夜": "evening"}
_NO_DAY = "(?![楼线院店门柜机厅馆口床车库位台桌房窗地铁码])"
"""What stands after a number of a thing: ``8号楼``."""
_UNITS = {"分": 1, "小": 60, "钟": 60, "刻": 15}
_DAYS = {"天": 1, "日": 1, "周": 7, "星": 7, "礼": 7, "月": 30}


def _any(words: object) -> str:
    return "|".join(sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


def _date(match: Match[str]) -> tuple[Meaning, ...] | None:
    month, day = chinese_number(match["month"]), chinese_number(match["day"])
    return calendar_day(match["year"], int(month), int(day)) if month and day else None


def _month_end(match: Match[str]) -> tuple[Meaning, ...] | None:
    month = chinese_number(match["month"]) if match["month"] else None
    if month is not None and not 1 <= month <= 12:
        return None
    return (CalendarDay(-1, int(month) if month else None, None, 1 if match["next"] else 0),)


def _day_of_month(match: Match[str]) -> tuple[Meaning, ...] | None:
    day = chinese_number(match["day"])
    months = 1 if match["month"] and match["month"].startswith("下") else 0
    return (CalendarDay(int(day), None, None, months),) if day and 1 <= day <= 31 else None


def _weekday(match: Match[str]) -> tuple[Meaning, ...] | None:
    name = match["name"]
    number = int(name) - 1 if name.isdigit() else _WEEKDAYS[name]
    return (Weekday(number, _WEEKS.get(match["which"] or "")),)


def _shift(match: Match[str]) -> tuple[Meaning, ...] | None:
    number = 0.5 if match["count"] == "半" else chinese_number(match["count"])
    if number is None:
        return None
    if match["half"]:
        number += 0.5
    unit, sign = match["unit"][:1], -1 if match["way"].endswith("前") and match["way"] != "内" else 1
    if unit in _UNITS:
        return (Shift(minutes=sign * int(number * _UNITS[unit])),)
    return (Shift(days=sign * int(number * _DAYS[unit])),)


def _clock(match: Match[str]) -> tuple[Meaning, ...] | None:
    hour = chinese_number(match["hour"])
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(match["word"] or "")
    if minute is None:
        minute = int(chinese_number(match["minute"]) or 0) if match["minute"] else 0
        if 0 < minute < 10 and match["minute"][0] not in "0零〇" and not match[0].rstrip("整钟左右").endswith("分"):
            # "八点五台山": 8:05 is said with a nought, or in minutes.
            minute = 0
    if hour is None:
        return None
    found = clock(int(hour), minute, exact=match["hour"].startswith("0"))
    return (found,) if found else None


def _minutes_to(match: Match[str]) -> tuple[Meaning, ...] | None:
    hour, before = chinese_number(match["hour"]), match["before"]
    minutes = 15 if before == "一刻" else chinese_number(before.rstrip("分"))
    if not hour or not minutes or minutes >= 60:
        return None
    found = clock(int(hour) - 1 or 12, 60 - int(minutes))
    return (found,) if found else None


def _part(match: Match[str]) -> tuple[Meaning, ...]:
    return (DayPart(_PARTS[match["part"]]),)


def _short_day(match: Match[str]) -> tuple[Meaning, ...]:
    return (DayOffset(_SHORT_DAYS[match["day"]]), DayPart(_SHORT_PARTS[match["part"]]))


RULES = (
    TimeRule(
        re.compile(
            rf"(?:(?P<year>20\d\d)\s?年\s?)?(?<![\d.])(?P<month>{_N})\s?月\s?(?P<day>{_N})(?![\d个天点:])\s?[日号號]?"
        ),
        _date,
    ),
    TimeRule(re.compile(rf"(?:(?P<next>下个?)|(?P<month>{_N})|这个?|本)?月底前?"), _month_end),
    TimeRule(re.compile(r"(?:年底|年末)前?"), lambda _: (CalendarDay(31, 12),)),
    TimeRule(
        re.compile(rf"(?P<month>下个?月|这个?月|本月)?(?<![\d\w第])(?P<day>{_N})\s?[号號]{_NO_DAY}"),
        _day_of_month,
    ),
    TimeRule(re.compile(rf"(?P<month>下个?月|这个?月|本月)(?P<day>{_N})\s?[号號日]"), _day_of_month),
    TimeRule(
        re.compile(rf"(?<!\d)(?P<month>(?!))?(?P<day>\d{{1,2}})\s?(?:[号號]{_NO_DAY}|日(?![内元语本期志常游后]))"),
        _day_of_month,
    ),
    TimeRule(
        re.compile(
            r"(?P<which>下下|下|这|本|上)?个?(?:周|星期|礼拜|週|拜)(?P<name>[一二三四五六日天末1-6])(?![个年次期])"
        ),
        _weekday,
    ),
    TimeRule(
        re.compile(
            rf"(?P<count>半|{_N})\s?(?:个)?(?P<half>半)?\s?(?:个)?(?P<unit>分钟|分|小时|钟头|钟|刻钟|天|周|星期|礼拜|月)"
            r"(?:半)?\s?(?P<way>之后|以后|过后|后|之内|以内|内|之前|以前)"
        ),
        _shift,
    ),
    TimeRule(
        re.compile(rf"(?:再过|过)(?P<count>半|{_N})\s?(?:个)?(?P<half>半)?(?P<unit>分钟|小时|钟头|刻钟|天)(?P<way>)"),
        _shift,
    ),
    TimeRule(re.compile(r"大年初一"), lambda _: None),
    TimeRule(re.compile(rf"(?P<day>{_any(_OFFSETS)})"), lambda m: (DayOffset(_OFFSETS[m["day"]]),)),
    TimeRule(re.compile(r"(?P<day>[今明昨后])(?P<part>[早晚夜])(?:上|饭)?"), _short_day),
    TimeRule(re.compile(rf"差(?P<before>一刻|{_N}分)(?:钟)?(?:到)?(?P<hour>{_N})[点時时]"), _minutes_to),
    TimeRule(
        re.compile(
            rf"(?<![\d.:第周期拜])(?P<hour>{_N})\s?(?:点钟|点|點|時|时(?![间候装尚代]))(?!\w{{0,6}}内)\s?"
            rf"(?P<word>半|一刻|三刻)?(?P<minute>{_N}(?=分|(?![0-9个人块元点号位])))?分?(?:整|钟|左右)?"
        ),
        _clock,
    ),
    TimeRule(re.compile(rf"(?P<part>{_any(_PARTS)})"), _part),
    TimeRule(
        re.compile(r"(?<=[周期拜][一二三四五六日天末1-6])(?P<part>[早晚])(?![饭餐点])"),
        lambda m: (DayPart(_SHORT_PARTS[m["part"]]),),
    ),
    TimeRule(
        re.compile(rf"(?P<part>[早晚])(?={_N}\s?[点點時])"),
        lambda m: (DayPart(_SHORT_PARTS[m["part"]]),),
    ),
    TimeRule(re.compile(r"\s?[到至~]\s?"), lambda _: (Until(),)),
)
