"""Phone numbers, e-mail addresses, links, files and names of people."""

import re
from datetime import date

from models.routines.language import entities
from models.values.folding import LONGEST
from models.values.incoming import IncomingText

_PHONE = re.compile(r"(?<![A-Za-z0-9_.])[+(]{0,2}\d(?:[\s().-]{0,2}\d){2,16}(?![A-Za-z0-9_]|[.,]\d)")
_LONG_PHONE = 7
_ANY_DAY = date(2000, 1, 1)
_SPEAKER = re.compile(r"^\s?(?P<name>[^\W\d_][^\n:：@]{0,24}?)\s?[:：](?!\d)")
_GROUP = re.compile(
    r"群|group|\bparents\b|club|team|girls|boys|lads|family|crew|squad|mums|neighbou?rs|class|\bU\d+\b", re.IGNORECASE
)
_TAIL = re.compile(r"(?<!\s)\s{0,3}(?:['’]s|\(.{1,30}\)|（.{1,30}）)$")
_LEAD = re.compile(
    r"^(?:(?:it'?s|this is|im|i'?m|call|ring|text|tell|ask|my|our|your|the|with|from|to|for)\s{1,2}"
    r"|(?:给|叫|找|我是|这是|我叫|让|请|联系)(?=\S))+",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r"\s(?:from|at|here|is|in|on|and|about|re|speaking)$", re.IGNORECASE)


def find(kind: str, text: str) -> str | None:
    """The first value of a kind (``email``, ``url``, ``file``, ``introduction``) in a text."""
    found = next((one for one in entities.find(text[:LONGEST], _ANY_DAY) if one.kind == kind), None)
    return found.value.rstrip(".,;!?") if found else None


def emails(text: str) -> tuple[str, ...]:
    """All e-mail addresses of a text."""
    found = (one.value for one in entities.find(text[:LONGEST], _ANY_DAY) if one.kind == "email")
    return tuple(dict.fromkeys(found))


def phone(text: str, *, shortest: int = _LONG_PHONE) -> str | None:
    """The first phone number in a text, as it is written there; a short one only where there is no long one."""
    found = [match[0].strip(" .-") for match in _PHONE.finditer(text[:LONGEST])]
    for least in dict.fromkeys((_LONG_PHONE, shortest)):
        number = next((one for one in found if least <= len(re.sub(r"\D", "", one)) <= 15), None)
        if number:
            return number if number.count("(") == number.count(")") else number.strip("()")
    return None


def is_number(sender: str) -> bool:
    """Whether a message comes from a bare phone number."""
    return re.fullmatch(r"\+?\d[\d\s().-]{2,20}", sender.strip()) is not None


def sender_number(text: IncomingText) -> str | None:
    """The number that the message came from."""
    return text.sender.strip() if is_number(text.sender) else None


def sender_name(text: IncomingText) -> str | None:
    """The person who wrote the message: its sender's name, or who introduces themselves, or the one of a group."""
    if is_number(text.sender) or not text.sender.strip():
        return find("introduction", text.text)
    speaker = _SPEAKER.match(text.text[:60])
    if _GROUP.search(text.sender):
        return speaker["name"].strip() if speaker else None
    return text.sender.strip()


def person(span: str) -> str | None:
    """The name in a span: ``its Dave`` and ``my sister's`` are ``Dave`` and ``sister``."""
    name = _FOLLOWS.sub("", _LEAD.sub("", span.strip(" \t\n,.;:!?，。；：！？\"“”'0123456789")))
    name = _TAIL.sub("", name).strip(" ,.")
    return name or None
