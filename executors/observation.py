"""Reading the phone, and recording what was asked and answered as proof."""

from typing import Any

from android_bridge.device import Device
from android_bridge.facts.reader import Reader
from executors.plan import Proof
from heed.model import Frozen

_MAX_ANSWER = 300
"""Characters of an answer that a proof keeps."""


async def observe(phone: Device, *readers: Reader[Any]) -> list[Any]:
    """Returns the value of each reader, in order; all are read in one round trip.

    Raises ``UnreadableError`` when one of the outputs cannot be parsed, and the errors of ``Device.batch``.
    """
    values = await phone.read_many(readers)
    for value in values:
        if isinstance(value, Exception):
            raise value
    return values


def proof(reader: Reader[Any], value: Any) -> Proof:
    """Returns the record that ``reader`` was run on the phone and gave ``value``."""
    answer = value.model_dump_json() if isinstance(value, Frozen) else str(value)
    return Proof(command=reader.command, answer=answer[:_MAX_ANSWER])
