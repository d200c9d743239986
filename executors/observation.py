"""Looking at the phone with proof."""

from typing import Any

from android_bridge.device import Device
from android_bridge.facts.reader import Reader
from executors.plan import Proof
from heed.model import Frozen

_MAX_ANSWER = 300


async def look(phone: Device, *readers: Reader[Any]) -> list[Any]:
    """What each reader reads, in one round trip; ``UnreadableError`` if one of them was not understood."""
    values = await phone.read_many(readers)
    for value in values:
        if isinstance(value, Exception):
            raise value
    return values


def proof(reader: Reader[Any], value: Any) -> Proof:
    """That the phone was asked with ``reader`` and that its answer reads ``value``."""
    answer = value.model_dump_json() if isinstance(value, Frozen) else str(value)
    return Proof(command=reader.command, answer=answer[:_MAX_ANSWER])
