"""Typed readers: one command, one pure parser, one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from heed.errors import DeviceError

T = TypeVar("T")


class UnreadableError(DeviceError):
    """A command's output that its parser did not understand; the message says what was missing."""


@dataclass(frozen=True)
class Reader(Generic[T]):
    """How to read one thing: run ``command``, give its output to ``parse``.

    ``parse`` is pure, takes standard output and standard error as one text, and raises ``UnreadableError``
    rather than guess. ``verified`` is False where no capture from hardware exists.
    """

    name: str
    command: str
    parse: Callable[[str], T]
    verified: bool = True
