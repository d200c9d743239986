"""Runs a source on given values, or on outputs that real phones printed."""

from datetime import datetime
from typing import Any

from android_bridge.facts.reader import Reader, UnreadableError
from collectors.context import Trigger
from collectors.source import PhoneValues, Reading, Source
from heed.errors import DeviceError, PersonError

NOW = datetime.fromisoformat("2026-02-06T16:10:00+08:00")


async def readings(source: Source, values: dict[Reader[Any], Any], now: datetime = NOW) -> dict[str, Reading]:
    """The readings of the source by name; a ``str`` value is an output to parse.

    A reader without a value was not answered.
    """
    known: dict[Reader[Any], Any] = {need.reader: DeviceError("not answered") for need in source.needs}
    known |= {reader: _parsed(reader, value) for reader, value in values.items()}
    return {one.name: one for one in await source.read(PhoneValues(now, Trigger(kind="clock"), known))}


def _parsed(reader: Reader[Any], value: Any) -> Any | PersonError:
    if type(value) is not str:  # a StrEnum is a value
        return value
    try:
        return reader.parse(value)
    except UnreadableError as error:
        return error
