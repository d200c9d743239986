"""Readers of numbers: durations, people, pages, limits, sums of money."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from models.values import amounts, numbers
from models.values.folding import fold
from models.values.readers.request import Reader, ValueRequest

_NUMBERED = re.compile(
    r"(?:episode|ep\.?|page|p\.|slides?|lesson|unit|chapter)\s{0,2}(?P<number>\d{1,4})|第\s?(?P<han>[一二两三四五六七八九十百\d]{1,4})\s?[集页讲课节章话]"
)
_LIMIT = re.compile(
    r"(?:under|below|less than|max(?:imum)?|up to|no more than|within|不超过|低于)"
    r"\s{0,2}[£$€¥₹]?\s?(?P<after>\d[\d,]{0,8})"
    r"|(?P<before>\d[\d,]{0,8}|[一二两三四五六七八九十百千]{1,6})\s?(?:元|块)?(?:钱)?\s?(?:以内|以下|之内|内|max\b|tops\b)"
)
_PERCENT = re.compile(r"(?P<number>\d{1,3})\s?(?:%|percent|per cent)|百分之(?P<han>\d{1,3})")


def seconds(given: ValueRequest) -> JsonValue:
    length = amounts.seconds(given.span) or (amounts.seconds(given.said) if given.parameter.required else None)
    return length if length and length > 0 else None


def minutes(given: ValueRequest) -> JsonValue:
    length = amounts.seconds(given.span) if given.span else None
    return length // 60 if length else None


def delay(given: ValueRequest) -> JsonValue:
    return amounts.seconds(given.span) if given.span else None


def whole(given: ValueRequest) -> JsonValue:
    return numbers.whole(given.span) if given.span else None


def people(given: ValueRequest) -> JsonValue:
    if not given.span:
        return amounts.people(given.said)
    return amounts.people(given.span) or numbers.whole(given.span)


def numbered(given: ValueRequest) -> JsonValue:
    match = _NUMBERED.search(fold(given.span or given.said))
    if match:
        return numbers.whole(match["number"] or match["han"])
    return numbers.whole(given.span) if given.span else None


def limit(given: ValueRequest) -> JsonValue:
    match = _LIMIT.search(fold(given.span or given.said))
    found = numbers.whole(match["after"] or match["before"]) if match else None
    return found or (numbers.whole(given.span) if given.span else None)


def percent(given: ValueRequest) -> JsonValue:
    match = _PERCENT.search(fold(given.span or given.said))
    found = numbers.whole(match["number"] or match["han"]) if match else None
    return found if found is not None else (numbers.whole(given.span) if given.span else None)


def amount(given: ValueRequest) -> JsonValue:
    return (amounts.amount(given.span) if given.span else None) or amounts.marked_amount(given.said)


READERS: Mapping[str, Reader] = {
    "duration_seconds": seconds,
    "duration_minutes": minutes,
    "delay_minutes": minutes,
    "reminder_minutes": minutes,
    "delay_seconds": delay,
    "quantity": whole,
    "party_size": people,
    "guest_num": people,
    "passenger_num": people,
    "ticket_num": people,
    "episode": numbered,
    "open_document.page": numbered,
    "price_max": limit,
    "level_percent": percent,
    "trigger_level": percent,
    "amount": amount,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
