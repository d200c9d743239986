"""The functions that a phone cannot carry out: determined once, so that they are not suggested.

An executor declares its requirements as readers and conditions (``Executor.requirements``); all are read in one round
trip.
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
class Requirement:
    """A condition on the phone without which a function cannot be carried out."""

    reader: Reader[Any]
    """Reads the fact that the condition is about; a read that fails means that the condition does not hold."""
    absent: Text
    """One sentence for the owner when the condition does not hold."""
    holds: Callable[[Any], bool] = lambda value: True
    """Returns True when the value suffices; by default any value does."""


async def incapable(requirements: Mapping[str, Iterable[Requirement]], phone: Device) -> Mapping[str, Text]:
    """Returns the functions that ``phone`` cannot carry out, each with the first requirement that does not hold.

    Args:
        requirements: the requirements by function name.

    Raises ``DeviceError`` when the phone does not answer.
    """
    asked = [requirement for each in requirements.values() for requirement in each]
    values = await phone.read_many([requirement.reader for requirement in asked])
    lacking = {id(requirement): _lacks(requirement, value) for requirement, value in zip(asked, values, strict=True)}
    reasons = {name: [lacking[id(requirement)] for requirement in each] for name, each in requirements.items()}
    return {name: next(reason for reason in each if reason) for name, each in reasons.items() if any(each)}


def _lacks(requirement: Requirement, value: Any) -> Text:
    if isinstance(value, Exception):
        return msg("{absent} ({error})", absent=requirement.absent, error=value)
    return "" if requirement.holds(value) else requirement.absent


_PROBE = "heed_probe"


@parser(msg("The write switch"))
def parse_write_probe(text: str) -> bool:
    """Parses the output of writing, reading and deleting a key of heed: True when settings can be written."""
    if not text.strip():
        raise missing(msg("answer"))
    return text.splitlines()[0].strip() == "1"


WRITES_SETTINGS = Requirement(
    reader=Reader(
        "write_probe",
        f"{settings_put('system', _PROBE, 1)}; {settings_get('system', _PROBE)}; {settings_delete('system', _PROBE)}",
        parse_write_probe,
        verified=False,
        writes=True,
    ),
    absent=msg(
        'Settings cannot be written: allow "USB debugging (Security settings)" or "Disable permission monitoring".'
    ),
    holds=bool,
)
"""Writes to the phone, so it is only for a check that the owner asked for.

Source: docs/android-notes.md, "Vendor switches".
"""
