"""The two days of a stay, where a request states the month once: "from 3 to 6 April", "5月1号到4号"."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from models.values.folding import fold
from models.values.readers import ValueRequest, reader

_DAY = r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_TO = r"\s?(?:to|till|until|through|and|-)\s?(?:the\s)?"
_MONTH = r"(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})"
_FIRST, _LAST = _DAY.format("first"), _DAY.format("last")
_RANGES = (
    (re.compile(rf"\b{_FIRST}{_TO}{_LAST}\s(?:of\s)?{_MONTH}\b"), "{day} {month}"),
    (re.compile(rf"\b{_MONTH}\s{_FIRST}{_TO}{_LAST}\b"), "{day} {month}"),
    (re.compile(r"(?P<month>\d{1,2}月)(?P<first>\d{1,2})[号日]?(?:到|至|-)(?P<last>\d{1,2})[号日]"), "{month}{day}号"),
)
"""Patterns of a range, and how one of its days is written with the month."""


def day_of_stay(given: ValueRequest) -> JsonValue:
    """The first or the last day of a stay."""
    return reader(given.spec, given.name)(given._replace(spans=_with_months(given)))


def _with_months(given: ValueRequest) -> Mapping[str, str]:
    """The spans, with a month at both days of a range."""
    for pattern, day in _RANGES:
        match = pattern.search(fold(given.said))
        if match:
            first, last = (day.format(day=match[one], month=match["month"]) for one in ("first", "last"))
            return {**given.spans, "check_in_date": first, "check_out_date": last}
    return given.spans
