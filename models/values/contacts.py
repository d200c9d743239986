"""Phone numbers, e-mail addresses, links, files and names of people."""

import re
from datetime import date

from models.routines.language import entities
from models.values.folding import LONGEST
from models.values.incoming import IncomingText

_PHONE = re.compile(r"(?<![\w.])[+(]{0,2}\d(?:[\s().-]{0,2}\d){2,16}(?![\w]|[.,]\d)")
_LONG_PHONE = 7
_ANY_DAY = date(2000, 1, 1)
_SPEAKER = re.compile(r"^\s?(?P<name>[^\W\d_][^\n:：@]{0,24}?)\s?[:：]\s")
_GROUP = re.compile(
    r"群|group|\bparents\b|club|team|girls|boys|lads|family|crew|squad|mums|neighbou?rs|class|\bU\d+\b", re.IGNORECASE
)
_TAIL = re.compile(r"\s*(?:['’]s|\(.{1,30}\)|（.{1,30}）)$")
_LEAD = re.compile(
    r"^(?:(?:it'?s|its|this is|im|i'?m|call|ring|text|tell|ask|my|our|your|the|with|from|to|for|给|叫|找|我是|这是|我叫|让|请|联系)\s{0,2}(?=\S))+",
    re.IGNORECASE,
)
_KIN = frozenset(
    {"mum", "mom", "dad", "sister", "brother", "wife", "husband", "boss", "nan", "gran", "aunt", "uncle", "son"}
)


def find(kind: str, text: str) -> str | None:
    """The first value of a kind (``email``, ``url``, ``file``, ``introduction``) in a text."""
    found = next((one for one in entities.find(text[:LONGEST], _ANY_DAY) if one.kind == kind), None)
    return found.value.rstrip(".,;!?") if found else None


def emails(text: str) -> tuple[str, ...]:
    """All e-mail addresses of a text."""
    found = (one.value for one in entities.find(text[:LONGEST], _ANY_DAY) if one.kind == "email")
    return tuple(dict.fromkeys(found))


def phone(text: str, *, shortest: int = _LONG_PHONE) -> str | None:
    """The first phone number in a text, as it is written there."""
    for match in _PHONE.finditer(text[:LONGEST]):
        digits = re.sub(r"\D", "", match[0])
        if shortest <= len(digits) <= 15:
            number = match[0].strip(" .-")
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
    if speaker and _GROUP.search(text.sender):
        return speaker["name"].strip()
    return text.sender.strip()


def person(span: str) -> str | None:
    """The name in a span: ``its Dave`` and ``my sister's`` are ``Dave`` and ``sister``."""
    name = _TAIL.sub("", _LEAD.sub("", span.strip(" \t\n,.;:!?，。；：！？\"“”'"))).strip(" ,.")
    return name or None
