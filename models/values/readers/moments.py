"""Readers of times: moments, days, windows, clock times."""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta

from pydantic import JsonValue

from models.values import amounts, titles
from models.values.folding import fold
from models.values.readers.request import Reader, ValueRequest, stated
from models.values.times import TimeReading, read_span, read_text
from models.values.times.pieces import PARTS, Half

_HALVES: Mapping[str, Half] = {
    "set_alarm": "am",
    "cancel_alarm": "am",
    "reserve_restaurant": "pm",
    "order_food_delivery": "pm",
}
"""The half of the day of a clock time that states none, by function."""
_EVERY = re.compile(
    r"\b(?:every|each|weekdays|daily|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)\b|每|工作日"
)
_DAY_WORDS = (
    ("mon", r"\bmon|周一|星期一"),
    ("tue", r"\btue|周二|星期二"),
    ("wed", r"\bwed|周三|星期三"),
    ("thu", r"\bthu|周四|星期四"),
    ("fri", r"\bfri|周五|星期五"),
    ("sat", r"\bsat|周六|星期六"),
    ("sun", r"\bsun|周日|周天|星期天|星期日"),
)
_ALARM = re.compile(r"\b(?:alarm|wake|waking|get up|up by|be up|set an?)\b|闹钟|叫我|喊我|叫醒|起床|早起")
_RINGS_AT = re.compile(
    r"(?:\balarms? (?:(?:for|at|to) )?|\bup (?:(?:at|by|for) )?|\bset (?:\w{1,12},? ){0,3}(?:at|for|like) "
    r"|\bwake (?:(?:up|me|us|him|her|them) ){0,2}(?:(?:at|by|for) )?)"
    r"(?P<time>\d{1,2}[:.]\d\d(?:\s?[ap]m)?|\d{3,4}|\d{1,2}(?:\s?[ap]m)?|half (?:past )?\w{2,6})"
    r"(?P<part>\s(?:in the (?:morning|evening|afternoon)|at night|tonight))?"
    r"\b(?![-/%]|\s?(?:min|hour|h\b|day))"
)
_LATER_TODAY = re.compile(r"\b(?:nap|today|this (?:afternoon|arvo|evening)|tonight|pm)\b|午睡|眯|下午|晚上|今晚|今天")
_GETS_UP_AT = re.compile(
    r"(?P<time>\b\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]m)?) (?:must )?(?:up|wake)\b"
    r"|(?P<han>(?:早上|上午|中午|下午|傍晚|晚上|凌晨|早|晚)?[\d一二三四五六七八九十两]{1,3}[点點](?:半|[一二三四五]?十[一二三四五六七八九]?分?|\d\d分?)?)钟?"
    r"(?:就|要|得|你|您|妈|的|准时){0,2}(?:起|闹|铃|叫|喊)"
)
"""The time of an alarm, beside the time of what it is for."""
_EVERY_DAY = re.compile(r"\bevery ?day\b|\bdaily\b|\beach day\b|每天|每日")
_WORKDAYS = re.compile(r"\bweekdays?\b|\bmon(?:day)?s?\s?(?:-|to)\s?fri|工作日|周一到周五|周一至周五")


def reading(
    given: ValueRequest, *, dated: bool = False, deadline: bool = False, past: bool = False
) -> TimeReading | None:
    """The time that the span, or else the message, states."""
    half = _HALVES.get(given.spec.name)
    day_first = given.person.day_first
    if given.span:
        whole = given.name == "start_time"
        found = read_span(given.span, given.said, given.now, day_first=day_first, half=half, past=past, whole=whole)
        if found:
            return found
    return read_text(given.said, given.now, day_first=day_first, half=half, past=past, dated=dated, deadline=deadline)


def moment(given: ValueRequest) -> JsonValue:
    found = reading(given)
    return found.start.isoformat(timespec="seconds") if found else None


def departure(given: ValueRequest) -> JsonValue:
    """The stated time, or the beginning of the stated part of the day."""
    found = reading(given)
    if found and found.part and not found.has_time and found.start.hour == PARTS[found.part].usual:
        return found.start.replace(hour=PARTS[found.part].first).isoformat(timespec="seconds")
    return found.start.isoformat(timespec="seconds") if found else None


def due(given: ValueRequest) -> JsonValue:
    found = reading(given, deadline=True)
    return found.start.isoformat(timespec="seconds") if found else None


def end(given: ValueRequest) -> JsonValue:
    """The end of the stated range, or a stated duration after the start."""
    start = reading(given.for_("start_time"))
    until = _end(given, start) if start else None
    return until.isoformat(timespec="seconds") if start and until and until > start.start else None


def _end(given: ValueRequest, start: TimeReading) -> datetime | None:
    if start.end or not given.span:
        return start.end
    length = amounts.seconds(given.span)
    if length and start.has_time:
        return start.start + timedelta(seconds=length)
    own = reading(given)
    until = (own.end or own.start) if own else None
    return datetime.combine(start.start.date(), until.time()) if own and until and not own.has_date else until


def window(given: ValueRequest) -> tuple[datetime, datetime] | None:
    """From and to of the agenda that is asked about."""
    start = reading(given.for_("start_time"))
    if start is None:
        return None
    midnight = datetime.combine(start.start.date(), time(0))
    if start.has_time:
        until = _end(given.for_("end_time"), start)
        return start.start, until if until and until > start.start else start.start + timedelta(hours=1)
    if start.part:
        first, last, _ = PARTS[start.part]
        return midnight + timedelta(hours=first), midnight + timedelta(hours=min(last, 24), seconds=-(last >= 24))
    last_day = start.end.date() if start.end else start.start.date()
    return midnight, datetime.combine(last_day, time(23, 59, 59))


def window_start(given: ValueRequest) -> JsonValue:
    found = window(given)
    return found[0].isoformat(timespec="seconds") if found else None


def window_end(given: ValueRequest) -> JsonValue:
    found = window(given)
    return found[1].isoformat(timespec="seconds") if found else None


def day(given: ValueRequest) -> JsonValue:
    found = reading(given, dated=True, deadline=given.name == "due_date")
    return found.start.date().isoformat() if found and (found.has_date or given.span) else None


def past_day(given: ValueRequest) -> JsonValue:
    """The stated day; money is spent today where none is stated."""
    found = reading(given, dated=True, past=True) if given.span else None
    return (found.start if found and found.has_date else given.now).date().isoformat()


def check_out(given: ValueRequest) -> JsonValue:
    """The end of the stated range of days, or the stated day after the first one."""
    start = reading(given.for_("check_in_date"), dated=True)
    if start and start.end:
        return start.end.date().isoformat()
    if not given.span or start is None:
        return None
    found = read_span(given.span, given.span, start.start, day_first=given.person.day_first)
    return (found.end or found.start).date().isoformat() if found else None


def clock(given: ValueRequest) -> JsonValue:
    found = reading(given)
    return f"{found.start:%H:%M}" if found and found.has_time else None


def alarm(given: ValueRequest) -> JsonValue:
    """A clock time that the message has an alarm for; the start of something is none."""
    own = _alarm_time(given)
    if own:
        return own
    return clock(given) if given.span or _ALARM.search(fold(given.said)) else None


def _alarm_time(given: ValueRequest) -> str | None:
    """The one clock time that the words say an alarm is for; None where they say none, or several."""
    folded = fold(given.said)
    found = [match["time"] + (match["part"] or "") for match in _RINGS_AT.finditer(folded)]
    found += [match["time"] or match["han"] for match in _GETS_UP_AT.finditer(folded)]
    # An alarm without a half of the day is one of the morning, also when it is set in the afternoon.
    now = given.now if _LATER_TODAY.search(folded) else given.now.replace(hour=0, minute=0)
    read = [read_text(f"at {words}", now, half=_HALVES.get(given.spec.name)) for words in found]
    times = {f"{one.start:%H:%M}" for one in read if one and one.has_time}
    return times.pop() if len(times) == 1 else None


def free_time(given: ValueRequest) -> JsonValue:
    """A time where the pool takes any words."""
    if not given.span:
        return None
    found = read_span(given.span, given.said, given.now, day_first=given.person.day_first)
    return found.start.isoformat(timespec="minutes") if found and found.has_time else titles.cleaned(given.span)


def period(given: ValueRequest) -> JsonValue:
    found = read_span(given.span, given.span, given.now, past=True) if given.span else None
    return found.start.date().isoformat() if found and found.has_date else stated(given)


def repeat_days(given: ValueRequest) -> JsonValue:
    folded = fold(given.span or given.said)
    if _EVERY_DAY.search(folded):
        return [name for name, _ in _DAY_WORDS]
    if _WORKDAYS.search(folded):
        return [name for name, _ in _DAY_WORDS[:5]]
    named: list[JsonValue] = [name for name, words in _DAY_WORDS if re.search(words, folded)]
    return named if named and _EVERY.search(folded) else None


READERS: Mapping[str, Reader] = {
    "start_time": moment,
    "end_time": end,
    "query_calendar_events.start_time": window_start,
    "query_calendar_events.end_time": window_end,
    "due_time": due,
    "reserve_time": moment,
    "departure_time": departure,
    "expected_time": free_time,
    "pickup_time": free_time,
    "check_in_date": day,
    "check_out_date": check_out,
    "date": day,
    "due_date": day,
    "before_date": day,
    "record_expense.date": past_day,
    "set_alarm.time": alarm,
    "cancel_alarm.time": alarm,
    "date_range": period,
    "repeat_days": repeat_days,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
