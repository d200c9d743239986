"""Typed readers: one command, one pure parser, one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from heed.errors import DeviceError

T = TypeVar("T")


class UnreadableError(DeviceError):
    """The output of a command could not be parsed; the message names what was missing."""


@dataclass(frozen=True)
class Reader(Generic[T]):
    """Reads one fact: ``command`` is run on the phone, and ``parse`` turns its output into a value."""

    name: str
    """Identifies the reader in logs and documents."""
    command: str
    """One shell line, with every value quoted (``android_bridge.commands``)."""
    parse: Callable[[str], T]
    """A pure function of the output (standard output, then standard error).

    Raises ``UnreadableError`` instead of guessing; decorate it with ``facts.text.parser`` so that it raises nothing
    else.
    """
    verified: bool = True
    """False where no capture of a real device confirms the format."""
    writes: bool = False
    """True where the command changes something on the phone: it is run only for a check that the owner asked for."""
