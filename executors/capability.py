"""What a phone can do at all: asked once, so that functions it cannot do are not suggested.

An executor names what it needs as readers and conditions (``Executor.needs``); all are asked in one round trip.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from android_bridge.commands import settings_delete, settings_get, settings_put
from android_bridge.device import Device
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import Text, msg


@dataclass(frozen=True)
class Need:
    """Something without which a function cannot be done on a phone."""

    reader: Reader[Any]
    absent: Text
    """What is told when it is not there, one sentence."""
    holds: Callable[[Any], bool] = lambda value: True
    """Whether what was read is enough; by default, that it could be read at all."""


async def incapable(needs: Mapping[str, Iterable[Need]], phone: Device) -> Mapping[str, Text]:
    """The functions that ``phone`` cannot do, each with the reason.

    Args:
        needs: by function.
    """
    asked = [need for each in needs.values() for need in each]
    values = await phone.read_many([need.reader for need in asked])
    lacking = {id(need): _lacks(need, value) for need, value in zip(asked, values, strict=True)}
    reasons = {name: [lacking[id(need)] for need in each] for name, each in needs.items()}
    return {name: next(reason for reason in each if reason) for name, each in reasons.items() if any(each)}


def _lacks(need: Need, value: Any) -> Text:
    if isinstance(value, Exception):
        return msg("{absent} ({error})", absent=need.absent, error=value)
    return "" if need.holds(value) else need.absent


_PROBE = "heed_probe"


@parser(msg("The write switch"))
def parse_write_probe(text: str) -> bool:
    """A key of our own, written, read and deleted: whether the phone lets USB debugging write settings."""
    if not text.strip():
        raise missing(msg("answer"))
    return text.splitlines()[0].strip() == "1"


WRITES_SETTINGS = Need(
    reader=Reader(
        "write_probe",
        f"{settings_put('system', _PROBE, 1)}; {settings_get('system', _PROBE)}; {settings_delete('system', _PROBE)}",
        parse_write_probe,
        verified=False,
    ),
    absent=msg(
        'Settings cannot be written: allow "USB debugging (Security settings)" or "Disable permission monitoring".'
    ),
    holds=bool,
)
"""Writes: for a check-up that the person asked for, never for a look in passing (notes: functions.md, D8)."""
