"""Phone numbers, e-mail addresses, links, files and names of people."""

import re
from datetime import date

from models.routines.language import entities
from models.values.folding import LONGEST
from models.values.incoming import IncomingText

_PHONE = re.compile(r"(?<![A-Za-z0-9_.])[+(]{0,2}\d(?:[\s().-]{0,2}\d){2,16}(?![A-Za-z0-9_]|[.,]\d)")
_LONG_PHONE = 7
_MOST_OF_NAME = 3
"""Words."""
_ANY_DAY = date(2000, 1, 1)
_SPEAKER = re.compile(r"^\s?(?P<name>[^\W\d_][^\n:：@]{0,24}?)\s?[:：](?!\d)")
_GROUP = re.compile(
    r"群|group|\bparents\b|club|team|girls|boys|lads|family|crew|squad|mums|neighbou?rs|class|\bU\d+\b", re.IGNORECASE
)
_NO_SPEAKER = re.compile(
    r"(?i)^(?:reminder|note|ps|p\.s\.|fyi|update|re|subject|from|to|date|time|where|when|hi|hello|hey|urgent|notice|menu|order|ref"
    r"|code|address|meeting|tip|warning|alert|plan|breaking|important|提醒|通知|注意|温馨提示|时间|地点|主题|地址|备注|公告|紧急)$"
)
"""What stands before a colon and is no writer."""
_TAIL = re.compile(r"(?<!\s)\s{0,3}(?:['’]s|\(.{1,30}\)|（.{1,30}）)$")
_LEAD = re.compile(
    r"^(?:(?:it'?s|this is|im|i'?m|call|ring|text|tell|ask|my|our|your|the|with|from|to|for)\s{1,2}"
    r"|(?:给|叫|找|我是|这是|我叫|让|请|联系)(?=\S))+",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\s*(?:(?:hi|hiya|hey|hello|yo|oi|ok|right|so|dear|morning|good (?:morning|evening|afternoon)|evening)\b[\s,!]*"
    r"|您好[，,！!]?|你好[，,！!]?)?",
    re.IGNORECASE,
)
_GREETED = re.compile(r"(?i)^\s*(?:hi|hiya|hey|hello|yo|dear|morning|good (?:morning|evening|afternoon)|evening)\b")
_I_AM = re.compile(r"我是(?:[^，,。]{0,16}的)?(?P<name>[\u4e00-\u9fff]{1,8})$")
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
    writer = speaker["name"].strip() if speaker else ""
    if _GROUP.search(text.sender):
        return writer or None
    own = text.sender.strip()
    # In a group, the phone shows the writer before the text.
    is_other = writer and not _NO_SPEAKER.match(writer) and writer.casefold() not in own.casefold()
    return writer if is_other and len(writer.split()) <= _MOST_OF_NAME else own


def is_addressed(span: str, text: str) -> bool:
    """Whether a name only calls on the reader: it begins the text, after a greeting and the writer of a group."""
    speaker = _SPEAKER.match(text[:60])
    begun = text[speaker.end() :] if speaker else text
    words = _GREETING.sub("", begun).lstrip("@ ")
    return bool(span.strip()) and words.casefold().startswith(span.strip().casefold())


def introduced(span: str, text: str) -> str:
    """Of a span that runs on, the name: before a comma or bracket, but behind the one who is greeted."""
    first, *others = [part.strip() for part in re.split(r"[,，;；（(]|(?<=[A-Za-z])\s(?:from|here)\b", span)] or [""]
    if others and _GREETED.match(text) and is_addressed(first, text):
        return next((part for part in others if part), first)
    own = _I_AM.search(span)
    return own["name"] if own else first


def person(span: str) -> str | None:
    """The name in a span: ``its Dave`` and ``my sister's`` are ``Dave`` and ``sister``."""
    name = _FOLLOWS.sub("", _LEAD.sub("", span.strip(" \t\n,.;:!?，。；：！？\"“”'0123456789")))
    name = _TAIL.sub("", name).strip(" ,.")
    return name or None
