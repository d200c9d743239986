"""Private values that are known by their shape, wherever they stand."""

import re
from collections.abc import Callable
from functools import partial
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple

from agent.recording.fields import DEVICE, PHONE
from agent.recording.stand_ins import StandIns
from heed.redaction import redact

_KEPT_ADDRESSES = re.compile(r"(?:0|127|255)\.[\d.]+|::1?|fe80::", re.ASCII)
_LIMITS = frozenset({str(sign * 2**bits - less) for bits in (31, 32, 63, 64) for sign in (1, -1) for less in (0, 1)})
"""Numbers that mean "none" or "no limit"."""
_BLUETOOTH_BASE = "-0000-1000-8000-00805f9b34fb"


class PrivateShape(NamedTuple):
    """One shape; the group ``value`` is replaced, or the whole match."""

    kind: str
    pattern: re.Pattern[str]
    replace: Callable[[StandIns, str, str], str] = StandIns.text
    holds: Callable[[str], bool] = lambda value: True


def _is_ipv4(value: str) -> bool:
    try:
        return IPv4Address(value) is not None and not _KEPT_ADDRESSES.match(value)
    except AddressValueError:
        return False


def _is_ipv6(value: str) -> bool:
    try:
        return IPv6Address(value) not in (IPv6Address("::"), IPv6Address("::1"))
    except AddressValueError:
        return False


_DEGREES = r"-?\d{1,3}[.,]\d{3,15}"
SHAPES: tuple[PrivateShape, ...] = (
    PrivateShape(
        "e-mail address", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[^\W\d_]{2,20}")
    ),
    PrivateShape("MAC address", re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:])")),
    PrivateShape(
        "MAC address",
        re.compile(r"(?<![\w:])(?:XX:){4}(?P<value>[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2})(?![\w:])", re.IGNORECASE),
    ),
    PrivateShape("IP address", re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])", re.ASCII), holds=_is_ipv4),
    PrivateShape(
        "IP address", re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{3,39}:[0-9A-Fa-f:]{0,35}(?![\w:])"), holds=_is_ipv6
    ),
    PrivateShape(
        "identifier",
        re.compile(r"(?<![\w-])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![\w-])"),
        holds=lambda value: not value.lower().endswith(_BLUETOOTH_BASE),
    ),
    PrivateShape("coordinate", re.compile(rf"(?<![\d.,])(?P<value>{_DEGREES})(?=, ?{_DEGREES})"), StandIns.coordinate),
    PrivateShape(
        "coordinate",
        re.compile(rf"(?<=[\U000F0000-\U000FFFFD])(?:, ?)(?P<value>{_DEGREES})(?![\d])"),
        StandIns.coordinate,
    ),
    PrivateShape(
        "coordinate",
        re.compile(rf"\b(?:lat|lng|lon|latitude|longitude)[\"']?[=: ]{{1,3}}(?P<value>{_DEGREES})", re.IGNORECASE),
        StandIns.coordinate,
    ),
    PrivateShape(
        PHONE,
        re.compile(r"(?<![\w+])\+\d(?:[ ()./-]{0,2}\d){6,14}(?![\w])", re.ASCII),
        lambda stand_ins, value, kind: stand_ins.phone(value, kind),
    ),
    PrivateShape(
        PHONE,
        re.compile(r"\b(?:tel|sms|smsto|callto|wa\.me|sip):/{0,2}(?P<value>[+\d%][\d()./%B -]{2,24}\d)", re.ASCII),
        lambda stand_ins, value, kind: stand_ins.phone(value, kind),
    ),
    PrivateShape(
        DEVICE,
        re.compile(r"(?<![\w.-])\d{14,22}(?![\w.])", re.ASCII),
        holds=lambda value: value not in _LIMITS,
    ),
)


def scrub_shapes(text: str, stand_ins: StandIns) -> str:
    """Returns the text with marks in place of the values that have a private shape."""
    for shape in SHAPES:
        text = shape.pattern.sub(partial(_marked, shape=shape, stand_ins=stand_ins), text)
    return text


def _marked(match: re.Match[str], shape: PrivateShape, stand_ins: StandIns) -> str:
    whole = match[0]
    value = match["value"] if "value" in match.re.groupindex else whole
    if not shape.holds(value):
        return whole
    begin = (match.start("value") if value is not whole else match.start()) - match.start()
    return whole[:begin] + shape.replace(stand_ins, value, shape.kind) + whole[begin + len(value) :]


def scrub_secrets(text: str, stand_ins: StandIns) -> str:
    """Returns the text without what ``heed.redaction`` takes for a secret: codes, cards, identity documents, keys."""
    return "\n".join(_without_secret(line, stand_ins) for line in text.split("\n"))


_LONGEST = 4_000
"""Characters of a line that are searched at once."""


def _without_secret(line: str, stand_ins: StandIns) -> str:
    parts = [line[at : at + _LONGEST] for at in range(0, len(line), _LONGEST)]
    return "".join(_masked(part, stand_ins) for part in parts)


_LABEL = re.compile(r"\[(?:code|card|id|key)\]")


def _masked(line: str, stand_ins: StandIns) -> str:
    """Replaces what stands in ``line`` where its redacted form has labels."""
    redacted = redact(line)
    if redacted == line:
        return line
    first, *kept = _LABEL.split(redacted)
    shown, at = first, len(first)
    for number, piece in enumerate(kept, start=1):
        found = line.rfind(piece) if number == len(kept) else line.find(piece, at)
        end = max(found, at) if piece else (len(line) if number == len(kept) else at)
        shown += stand_ins.text(line[at:end], "secret") + piece
        at = end + len(piece)
    return shown
