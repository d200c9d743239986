"""Sums of money, quantities and durations."""

import re
from re import Match

from models.values.folding import fold
from models.values.numbers import CHINESE_NUMBER, chinese_number, numbers

_SUM = r"\d{1,3}(?:,\d{2,3}){1,4}(?:\.\d{1,2})?(?!\d)|\d{1,9}(?:\.\d{1,2})?(?!\d)"
_MARKED = re.compile(
    rf"(?:(?:[£$€¥₹₱₦₩]|(?<![a-z])(?:rs|inr|gbp|usd|eur|aud|cad|sgd|nzd|kes|ksh|php|rmb|cny|zar)\b\.?|a\$|c\$|s\$|nz\$)\s?(?P<after>{_SUM}))"
    rf"|(?<![\d.,])(?P<before>{_SUM})\s?(?:元|块|圆|刀|欧|磅|(?:quid|bucks|dollars?|euros?|pounds?|pesos?|bob|shillings?|rupees|rs|yuan"
    r"|gbp|usd|eur|aud|cad|sgd|nzd|kes|ksh|php|rmb|cny|/-)(?![a-z]))"
)
_HAN_SUM = re.compile(r"(?P<han>[一二两三四五六七八九十百千万]{1,9})(?:元|块)")
_STATED = re.compile(
    rf"(?<![A-Za-z0-9.,:])(?:[£$€¥￥₹₱₦₩]\s?|[A-Z]{{2,3}}\$?\s)?(?P<sum>\d{{1,3}}(?: \d{{3}})+(?!\d)|{_SUM})(?![:%\d])"
    r"(?:\s?(?:元|块|圆|欧|磅|€|\$|zł|kr\b|Ft\b|[A-Z]{3}\b|(?:dollars?|euros?|pounds?|francs?|kron[ae]r?|zloty|rupees|pesos?|yuan)\b))?"
)
"""A sum with its currency as people write it."""
_REMAINS = re.compile(
    r"(?:余额|剩余|可用|剩|优惠|返还|立减|最低还款|balance|left|remaining"
    r"|minimum payment|save|off|limit|fee|late charge)\W{0,6}$"
)
_JIAO = re.compile(r"(?<![\d.])(?P<yuan>\d{1,6})块(?P<jiao>\d)(?!\d)")
_NUMBER = re.compile(rf"(?<![\d.])(?:{_SUM})")
_PEOPLE = re.compile(
    r"\b(?:table |booking |seat |res |reservation )?for "
    r"(?P<for>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve)\b"
    r"(?! ?(?:am|pm|:|min|day|night|week|hour|yr|year|o'?clock|quid|£))"
    r"|\b(?P<count>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve) "
    r"(?:of us|people|ppl|pax|persons?|guests?|adults"
    r"|tickets?|tix|seats?|passengers?)\b"
    r"|\b(?:us|we are|we're|party of|total|get) (?P<us>\d{1,2}|two|three|four|five|six)\b"
    rf"|(?P<han>{CHINESE_NUMBER})\s?(?:个人|位|人|张|份|名|个成人|大人)"
)
_DURATION = re.compile(
    r"(?<![a-z0-9.])(?:"
    rf"(?:(?P<hours>\d{{1,2}}(?:\.5)?|an?|one|two|three|half an?|{CHINESE_NUMBER}|半)\s?(?:个)?(?P<halfhan>半)?"
    r"(?:hours?|hrs?|hr|h(?![a-z])"
    r"|小时|钟头)(?P<half> and a half|半)?(?:\s?(?:and\s)?(?P<extra>\d{1,2})\s?(?:minutes?|mins?|m|分钟?))?)"
    rf"|(?:(?P<minutes>\d{{1,3}}|{CHINESE_NUMBER}|five|ten|fifteen|twenty|thirty|forty|a couple of|a)"
    r"\s?(?:-\s?)?(?:minutes?|mins?|m(?![a-z])|分钟|分))"
    rf"|(?:(?P<seconds>\d{{1,3}}|{CHINESE_NUMBER})\s?(?:seconds?|secs?|s(?![a-z])|秒))"
    rf"|(?:(?P<quarters>{CHINESE_NUMBER})刻钟)|(?P<days>\d{{1,2}}|a|one|two|three)\s?days?"
    r")"
)
_COUNTS = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5, "半": 0.5, "a couple of": 2.0}


def amount(span: str) -> str | None:
    """The sum in ``span`` as digits: ``£1,250.50`` is ``1250.50``."""
    folded = _JIAO.sub(r"\g<yuan>.\g<jiao>元", fold(span))
    match = _MARKED.search(folded) or _NUMBER.search(folded)
    if match:
        groups = match.groupdict()
        return _plain(groups.get("after") or groups.get("before") or match[0].lstrip("£$€¥₹ "))
    number = next(numbers(span), None)
    return f"{number:g}" if number else None


def as_stated(span: str, text: str) -> str | None:
    """The sum in ``span``, a part of ``text``, with its currency; of several the last, which is what counts."""
    at = max(text.rfind(span), 0) if span in text else 0
    whole = text if span in text else span
    found = [
        match for match in _STATED.finditer(whole) if at < match.end("sum") and match.start("sum") < at + len(span)
    ]
    return found[-1][0].strip() if found else None


def marked_amount(text: str) -> str | None:
    """The first sum of a text that carries a currency and is not what is left of something."""
    folded = _JIAO.sub(r"\g<yuan>.\g<jiao>元", fold(text))
    found = [match for match in _MARKED.finditer(folded) if not _is_rest(match, folded)]
    if found:
        return _plain(found[0]["after"] or found[0]["before"])
    han = _HAN_SUM.search(folded)
    number = chinese_number(han["han"]) if han else None
    return f"{number:g}" if number else None


def _is_rest(match: Match[str], folded: str) -> bool:
    return _REMAINS.search(folded[max(0, match.start() - 24) : match.start()]) is not None


def _plain(text: str) -> str:
    return text.replace(",", "").strip()


def people(text: str) -> int | None:
    """The number of people, seats or tickets that a text names."""
    match = _PEOPLE.search(fold(text))
    found = next((value for value in match.groupdict().values() if value), None) if match else None
    number = next(numbers(found), None) if found else None
    return int(number) if number else None


def seconds(text: str) -> int | None:
    """The first duration that a text states, in seconds."""
    match = _DURATION.search(fold(text))
    if match is None:
        return None
    if match["hours"]:
        half = 0.5 if match["half"] or match["halfhan"] else 0.0
        return int((_count(match["hours"]) + half) * 3600 + _count(match["extra"] or "0") * 60)
    if match["minutes"]:
        return int(_count(match["minutes"]) * 60)
    if match["quarters"]:
        return int(_count(match["quarters"]) * 900)
    return int(_count(match["days"]) * 86400) if match["days"] else int(_count(match["seconds"]))


def _count(text: str) -> float:
    return _COUNTS.get(text) or next(numbers(text), 0.0)
