"""Rules of English time expressions, with the spellings of chats."""

import re
from re import Match

from models.values.times.pieces import (
    Bare,
    CalendarDay,
    ClockTime,
    DayOffset,
    DayPart,
    Half,
    Meaning,
    Shift,
    TimeRule,
    Until,
    Weekday,
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAYS = ("mo", "tu", "we", "th", "fr", "sa", "su")
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue?s?(?:day)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?)(?:'?s)?\b\.?"
)
_WORDS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
}
_WORD = "|".join(_WORDS)
_NUMBER = rf"(?P<number>\d{{1,3}}|an?|half an?|a couple of|a few|{_WORD})"
_COUNTS = {**_WORDS, "a": 1, "an": 1, "half a": 0.5, "half an": 0.5, "a couple of": 2, "a few": 3}
_MINUTES = {"min": 1, "hou": 60, "hr": 60, "hrs": 60, "h": 60, "m": 1}
_DAYS = {"day": 1, "wee": 7, "wk": 7, "wks": 7, "for": 14, "mon": 30}
_AMOUNTS = {"half": 30, "quarter": 15, "qtr": 15, "five": 5, "ten": 10, "twenty": 20}
_HALF = r"\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?|[ap]\b)"
_TODAY = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "day after tmrw": 2, "yesterday": -1, "yday": -1,
    "yest": -1, "today": 0, "2day": 0, "tday": 0, "aaj": 0,
    **dict.fromkeys(("tomorrow", "tomorow", "tommorow", "tommorrow", "tomoro", "tmrw", "tmrrw", "tmr", "tmw", "tmro",
                     "tomoz", "tomora", "tomo", "tom", "2moz", "2mro", "2moro", "2morrow", "2mrw", "2mw", "the morra",
                     "the morn"), 1),
}  # fmt: skip
_PARTS = {
    "first thing": "first thing", "breakfast": "breakfast", "brekkie": "breakfast", "brekky": "breakfast",
    **dict.fromkeys(("early morning", "in the morning", "morning", "morn", "mornin", "subah", "forenoon"), "morning"),
    **dict.fromkeys(("lunchtime", "lunch time", "lunch"), "noon"),
    **dict.fromkeys(("afternoon", "arvo", "avo", "aft"), "afternoon"),
    **dict.fromkeys(("end of the day", "end of day", "eod", "close of business", "cob", "close of play", "after work",
                     "after school", "home time"), "after work"),
    **dict.fromkeys(("evening", "evenin", "eve", "teatime", "dinnertime", "shaam", "sham"), "evening"),
    **dict.fromkeys(("at night", "night", "nite", "raat"), "night"),
}  # fmt: skip
_THE_DAY = {"tonight": "evening", "tonite": "evening", "2nite": "evening", "2night": "evening", "tnite": "evening"}


def _any(words: object) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


def _hour(text: str) -> int:
    return _WORDS.get(text) or int(text)


def _half(match: Match[str]) -> Half | None:
    mark = match.groupdict().get("half") or ""
    return ("am" if mark.startswith("a") else "pm") if mark else None


def clock(hour: int, minute: int, half: Half | None = None, *, exact: bool = False) -> ClockTime | None:
    """A clock time, if there is one."""
    if hour > 24 or minute > 59 or (half and hour > 12 and hour != 0 and half == "am"):
        return None
    return ClockTime(hour, minute, half, exact or hour > 12 or hour == 0)


def calendar_day(year: str | None, month: int, day: int) -> tuple[CalendarDay] | None:
    """A day, if the calendar can have it."""
    number = int(year) if year else None
    if number is not None and number < 100:
        number += 2000
    return (CalendarDay(day, month, number),) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _named_date(match: Match[str]) -> tuple[Meaning, ...] | None:
    fields = match.groupdict()
    year = fields.get("year") or fields.get("short")
    return calendar_day(year, _MONTHS.index(match["month"][:3]) + 1, int(match["day"]))


def _weekday(match: Match[str]) -> tuple[Meaning, ...] | None:
    name, before = match["weekday"], (match["which"] or "").strip()
    followed = match.string[match.end() : match.end() + 2].strip()
    if name in ("sat", "sun", "mon", "wed", "thu") and before == "the" and not followed.isdigit():
        return None
    weeks = {"this": 0, "next": 1, "nxt": 1, "last": -1}.get(before)
    later = match["later"] or before.endswith("week on")
    return (Weekday(_WEEKDAYS.index(name[:2]), weeks, 1 if later else 0),)


def _ordinal(match: Match[str]) -> tuple[Meaning, ...] | None:
    day = int(match["day"])
    return (CalendarDay(day, months=1 if match["next"] else 0),) if 1 <= day <= 31 else None


def _shift(match: Match[str]) -> tuple[Meaning, ...]:
    count = _COUNTS.get(match["number"]) or float(match["number"])
    unit = match["unit"]
    sign = -1 if (match.groupdict().get("ago") or "") == "ago" else 1
    per_minute = _MINUTES.get(unit) or _MINUTES.get(unit[:3])
    if per_minute and unit[:3] != "mon":
        half = 30 if match.groupdict().get("half") else 0
        return (Shift(minutes=sign * int(count * per_minute + half)),)
    return (Shift(days=sign * int(count * (_DAYS.get(unit) or _DAYS[unit[:3]]))),)


def _clock(match: Match[str]) -> tuple[Meaning, ...] | None:
    hour = match["hour"]
    found = clock(int(hour), int(match["minute"]), _half(match), exact=hour.startswith("0"))
    return (found,) if found else None


def _full_hour(match: Match[str]) -> tuple[Meaning, ...] | None:
    found = clock(_hour(match["hour"]), 0, _half(match))
    return (found,) if found else None


def _to_or_past(match: Match[str]) -> tuple[Meaning, ...] | None:
    hour, amount = _hour(match["hour"]), match["amount"]
    minutes = _AMOUNTS.get(amount) or int(amount)
    if match["way"] in ("to", "til", "till", "of"):
        hour, minutes = (hour - 1 or 12), 60 - minutes
    found = clock(hour, minutes, _half(match))
    return (found,) if found else None


def _clock_without_mark(match: Match[str]) -> tuple[Meaning, ...] | None:
    """``at 730``, ``Sat 930``, ``545 sharp``: three or four digits, only where the words beside them say so."""
    before, after = match.string[max(0, match.start() - 9) : match.start()], match.string[match.end() :]
    return _clock(match) if _LEADS_TO_CLOCK.search(before) or _FOLLOWS_CLOCK.match(after) else None


def _window(match: Match[str]) -> tuple[Meaning, ...] | None:
    start = clock(int(match["hour"]), int(match["minute"]), exact=True)
    end = clock(int(match["last"]), int(match["end"]), exact=True)
    return (start, Until(), end) if start and end else None


_LEADS_TO_CLOCK = re.compile(
    r"(?:\b(?:at|by|till?|until|from|up|dinner|lunch|supper|mon|tues?|wed|weds|thurs?|fri|sat|sun|tmrw|\d{1,2}(?:st|nd|rd|th))|day)\s$"
)
_FOLLOWS_CLOCK = re.compile(r"\s(?:ok|okay|sharp|latest)\b")
_UNIT = r"(?P<unit>minutes?|mins?|m(?=\b)|hours?|hrs?|h(?=\b)|days?|weeks?|wks?|fortnight|months?)\b"

RULES = (
    TimeRule(
        re.compile(r"(?<![\d-])(?P<year>20\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?![\d/-])t?"),
        lambda m: calendar_day(m["year"], int(m["month"]), int(m["day"])),
    ),
    TimeRule(
        re.compile(
            rf"(?<![\d.,£$€¥:])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]{{0,2}}(?:of )?{_MONTH}"
            r"(?:[\s,-]{1,2}(?P<year>20\d\d)\b|[-'](?P<short>\d\d)(?![\d:.]))?"
        ),
        _named_date,
    ),
    TimeRule(
        re.compile(
            rf"(?<![a-z]){_MONTH}[\s-](?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?!\.\d)(?!\s?[ap]\.?m\b)"
            r"(?:,?\s(?P<year>20\d\d)\b)?"
        ),
        _named_date,
    ),
    TimeRule(re.compile(r"\b(?:end of (?:the |this )?month|month end)\b"), lambda _: (CalendarDay(-1),)),
    TimeRule(
        re.compile(rf"\bend of {_MONTH}"),
        lambda m: (CalendarDay(-1, _MONTHS.index(m["month"][:3]) + 1),),
    ),
    TimeRule(
        re.compile(
            r"\b(?P<count>a|one|two|2|1) weeks? (?P<from>today|tomorrow|tmrw)\b"
            r"|\b(?P<day>tomorrow|tmrw) week\b"
        ),
        lambda m: (DayOffset((14 if m["count"] in ("two", "2") else 7) + (m["from"] != "today")),),
    ),
    TimeRule(re.compile(r"\b(?:end of (?:the |this )?week)\b"), lambda _: (Weekday(4),)),
    TimeRule(re.compile(r"\b(?:this|the|at the) (?:weekend|wknd|wkend|w/e)\b"), lambda _: (Weekday(5),)),
    TimeRule(
        re.compile(
            rf"\b(?:in (?:about |around |approx )?|within (?:the next )?){_NUMBER}\s?{_UNIT}"
            r"(?P<half> and a half)?"
        ),
        _shift,
    ),
    TimeRule(re.compile(rf"(?<![\d.]){_NUMBER}\s?{_UNIT} (?P<ago>from now|later|ago|frm now)\b"), _shift),
    TimeRule(
        re.compile(r"\bin (?P<number>5|10|15|20|30)(?=[\s]?(?:[.,!?x-]|$|about|re |and |so |ok))"),
        lambda m: (Shift(int(m["number"])),),
    ),
    TimeRule(
        re.compile(
            r"(?<!\bi )(?<!\bwe )(?<!he )(?<!'m )(?<!\bim )(?<!\bre )(?<!hey )(?<!was )(?<!just )"
            rf"\b(?:(?P<which>this|next|nxt|last|the|coming|every|each|a week on|week on|on)\s)?{_WEEKDAY}"
            r"(?P<later> week\b)?"
            r"(?!'?[st]?[a-z])"
        ),
        _weekday,
    ),
    TimeRule(
        re.compile(
            r"(?<![\w.,£$€¥/-])(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?!['’]s)(?![\s-](?:birthday|bday|b-day|floor|street|st\b|ave"
            r"|avenue|century|grade|anniversary|form|year|place|party|one|time|flr|road|rd\b|wedding))"
            r"(?P<next> of next month)?"
        ),
        _ordinal,
    ),
    TimeRule(re.compile(rf"\b(?P<day>{_any(_TODAY)})(?:'?s)?\b"), lambda m: (DayOffset(_TODAY[m["day"]]),)),
    TimeRule(
        re.compile(rf"\b(?P<day>{_any(_THE_DAY)})(?:'?s)?\b"), lambda m: (DayOffset(0), DayPart(_THE_DAY[m["day"]]))
    ),
    TimeRule(re.compile(r"\blast (?P<part>night|nite|evening)\b"), lambda _: (DayOffset(-1), DayPart("evening"))),
    TimeRule(
        re.compile(r"\bthis (?P<part>morning|morn|afternoon|arvo|avo|aft|evening|eve)\b"),
        lambda m: (DayOffset(0), DayPart(_PARTS[m["part"]])),
    ),
    TimeRule(
        re.compile(r"\b(?:12 ?(?:midnight|mn)|midnight|0?0:00 ?am)\b"), lambda _: (ClockTime(23, 59, None, True),)
    ),
    TimeRule(re.compile(r"\b(?:12 ?noon|noon|midday|mid day)\b"), lambda _: (ClockTime(12, 0, None, True),)),
    TimeRule(
        re.compile(
            rf"(?<![\d.,:£$€¥/#])(?P<hour>\d{{1,2}})[:.h](?P<minute>\d\d)(?::\d\d)?(?!\d|[.:]\d|,\d{{3}}|\s?(?:km|kg|%|miles|gb|each"
            rf"|quid|eur|usd|dollar|buck|元|块|rs|/-|/))(?:{_HALF})?(?:ish)?(?:\s?(?:hrs|uhr|h)\b)?"
        ),
        _clock,
    ),
    TimeRule(
        re.compile(r"(?<![\d.,£$€¥#+/:-])(?P<hour>1[0-2]|0?[1-9])(?P<minute>[0-5]\d)\s?(?P<half>[ap]\.?m\b\.?)"), _clock
    ),
    TimeRule(
        re.compile(
            r"\b(?:at|from|by|for) (?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)"
            r"(?<!20[12]\d)(?<!19\d\d)(?![\d:.,]|\s?[a-z])"
        ),
        _clock,
    ),
    TimeRule(re.compile(r"(?<![\d.,£$€¥#+])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)\s?(?:hrs|hours|h|z)\b"), _clock),
    TimeRule(
        re.compile(
            r"(?<![\w.,£$€¥#+/:-])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)\s?-\s?(?P<last>[01]\d|2[0-3])(?P<end>[0-5]\d)"
            r"(?![\w:/-])"
        ),
        _window,
    ),
    TimeRule(
        re.compile(
            r"(?<![\w.,£$€¥#+/:-])(?P<hour>[1-9]|1[0-2])(?P<minute>[0-5][05])(?![\w:/%-]|[.,]\d|\s?(?:people|ppl|quid|bucks))"
        ),
        _clock_without_mark,
    ),
    TimeRule(
        re.compile(
            rf"(?<![\w.])(?P<amount>half|quarter|qtr|five|ten|twenty|\d{{1,2}})"
            r"\s(?:mins? )?(?P<way>past|after|to|til|till|of)\s"
            rf"(?P<hour>\d{{1,2}}|{_WORD})\b"
            rf"(?:{_HALF})?(?![\w:])"
        ),
        lambda m: _to_or_past(m) if m["amount"] in _AMOUNTS or m["way"] == "past" else None,
    ),
    TimeRule(
        re.compile(rf"\bhalf\s(?P<hour>\d{{1,2}}|{_WORD})\b(?!\s?(?:price|hour|off|of))(?:{_HALF})?"),
        lambda m: (found,) if (found := clock(_hour(m["hour"]), 30, _half(m))) else None,
    ),
    TimeRule(re.compile(r"(?<![\d.,:£$€¥/#])(?P<hour>\d{1,2})(?:ish)?\s?(?P<half>[ap]\.?m\b\.?)"), _full_hour),
    TimeRule(
        re.compile(
            rf"(?<![\d.,:£$€¥/#])\b(?P<hour>\d{{1,2}}|{_WORD})"
            r"(?:\s?o\s?'?\s?clock|\s?-?ish|\s?hrs|\s?baje|\s?bje|\s?vajta)\b"
        ),
        _full_hour,
    ),
    TimeRule(re.compile(rf"(?<![a-z])(?P<part>{_any(_PARTS)})(?:'s)?\b"), lambda m: (DayPart(_PARTS[m["part"]]),)),
    TimeRule(re.compile(rf"(?<=\bat )(?P<hour>{_WORD})\b(?!\s(?:point|stage|of))"), _full_hour),
    TimeRule(
        re.compile(r"\s?(?:-|\bto\b|\btill?\b|\buntil\b|\bthru\b|&|\band\b|(?<=\d) n (?=\d))\s?"), lambda _: (Until(),)
    ),
    TimeRule(
        re.compile(r"(?<![\w.,:/£$€¥#+*])(?P<number>\d{1,2})(?![\w%:/]|[.,]\d)"), lambda m: (Bare(int(m["number"])),)
    ),
)
