"""Canonical forms of texts, one function per meaning."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime
from urllib.parse import urlsplit

from function_pool import times
from function_pool.spec import Meaning
from heed.messages import msg

_NUMBER_MARKS = re.compile(r"[\s\-().·]")
_PHONE = re.compile(r"\+?\d{3,20}")
_PHONE_LIKE = re.compile(r"\+?[\d\s().-]{3,}")
_EMAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]+@[\w-]+(?:\.[\w-]+)+")
_AMOUNT = re.compile(r"(?P<before>[^\d\s.,-]{0,4})\s*(?P<number>\d{1,12}(?:\.\d{1,4})?)\s*(?P<after>[^\d\s.,-]{0,12})")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DOMAIN = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]\S*)?", re.IGNORECASE)


def normalise(meaning: Meaning, text: str, now: datetime | None) -> str:
    """Returns ``text`` in the canonical form of ``meaning``.

    Args:
        meaning: the kind of text.
        text: the text as given.
        now: the phone's clock, which resolves relative times; None: they are errors.

    Raises ``ValueError`` with the fault; its message continues "<parameter> …".
    """
    return _NORMALISERS[meaning](text, now)


def _as_is(text: str, now: datetime | None) -> str:
    return text


def _clock_time(text: str, now: datetime | None) -> str:
    clock = times.clock_time(text)
    if clock is None:
        raise ValueError(msg("must be a 24-hour clock time like 07:30, not {text!r}", text=text))
    return f"{clock:%H:%M}"


def _date(text: str, now: datetime | None) -> str:
    day = times.day(text, now)
    if day is None:
        raise ValueError(msg("must be a day like 2026-02-06, not {text!r}", text=text))
    return day.isoformat()


def _date_time(text: str, now: datetime | None) -> str:
    moment = times.moment(text, now)
    if moment is None:
        raise ValueError(msg("must be a moment like 2026-02-06T19:30:00, not {text!r}", text=text))
    return moment.isoformat(timespec="seconds")


def _phone_number(text: str, now: datetime | None) -> str:
    plain = unicodedata.normalize("NFKC", text).strip()
    # The national 0 in brackets is not dialled after a country code.
    number = _NUMBER_MARKS.sub("", plain.replace("(0)", "") if plain.startswith("+") else plain)
    if "*" in number or "#" in number:
        raise ValueError(msg("holds a code for the network (* or #), which is never dialled: {text!r}", text=text))
    if not _PHONE.fullmatch(number) or not number.isascii():
        raise ValueError(msg("must be a phone number like +44 7700 900461, not {text!r}", text=text))
    return number


def _email(text: str, now: datetime | None) -> str:
    address = text.strip()
    if not _EMAIL.fullmatch(address):
        raise ValueError(msg("must be an e-mail address, not {text!r}", text=text))
    return address


def _recipient(text: str, now: datetime | None) -> str:
    name = _one_line(text)
    return _phone_number(name, now) if _PHONE_LIKE.fullmatch(unicodedata.normalize("NFKC", name)) else name


def _url(text: str, now: datetime | None) -> str:
    address = _one_line(text)
    if _DOMAIN.fullmatch(address):
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        host, user = parts.hostname, parts.username
    except ValueError as error:
        raise ValueError(msg("is not a web address: {text!r}", text=text)) from error
    if parts.scheme.lower() not in ("http", "https") or not host or " " in address:
        raise ValueError(msg("must be a web address that begins with https://, not {text!r}", text=text))
    if user is not None:
        raise ValueError(msg("hides its host behind a user name: {text!r}", text=text))
    return parts._replace(scheme=parts.scheme.lower()).geturl()


def _file(text: str, now: datetime | None) -> str:
    path = _one_line(text)
    scheme, separator, _ = path.partition("://")
    if separator and scheme.lower() != "content":
        raise ValueError(msg("must be a path or content URI of a file on the phone, not {text!r}", text=text))
    if ".." in path.split("/"):
        raise ValueError(msg("must not climb up with '..': {text!r}", text=text))
    return path


def _amount(text: str, now: datetime | None) -> str:
    plain = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).strip())
    match = _AMOUNT.fullmatch(plain)
    if match is None or float(match["number"]) <= 0 or (match["before"] and match["after"]):
        raise ValueError(msg("must be a sum of money like 206 or 31.60 EUR, not {text!r}", text=text))
    return plain


def _one_line(text: str) -> str:
    line = text.strip()
    if any(unicodedata.category(character) == "Cc" for character in line):
        raise ValueError(msg("must be one line without control characters, not {text!r}", text=text))
    return line


_NORMALISERS: Mapping[Meaning, Callable[[str, datetime | None], str]] = {
    Meaning.TEXT: _as_is,
    Meaning.CLOCK_TIME: _clock_time,
    Meaning.DATE: _date,
    Meaning.DATE_TIME: _date_time,
    Meaning.PHONE_NUMBER: _phone_number,
    Meaning.EMAIL: _email,
    Meaning.RECIPIENT: _recipient,
    Meaning.URL: _url,
    Meaning.FILE: _file,
    Meaning.AMOUNT: _amount,
    Meaning.SECRET: _as_is,
}
