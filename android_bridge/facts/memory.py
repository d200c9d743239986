"""Storage and memory.

``/proc/meminfo`` checked against Android 4.4-5 and the emulator, ``df`` against a Xiaomi 13T Pro (Android 16) and a
Pixel 8 Pro (17). ``df`` is toybox' (Android 6+): POSIX columns of 1024-byte blocks.
"""

import re

from pydantic import Field

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, missing, parser
from heed.messages import msg
from heed.model import Frozen


class Space(Frozen):
    """Total and available bytes."""

    total: int = Field(gt=0)
    available: int | None = Field(ge=0)
    """None where the phone does not print it (memory before Android 6)."""


_FILE_SYSTEM = re.compile(r"^\S+ +(\d{1,15}) +\d{1,15} +(\d{1,15}) +\d{1,3}% +(/\S*)$", re.MULTILINE | re.ASCII)
_TOTAL = re.compile(r"^MemTotal: +(\d{1,12}) kB$", re.MULTILINE | re.ASCII)
_AVAILABLE = re.compile(r"^MemAvailable: +(\d{1,12}) kB$", re.MULTILINE | re.ASCII)


@parser(msg("The storage"))
def parse_storage(text: str) -> Space:
    """Parses ``df -k /data``: the file system that apps and the owner's files share."""
    rows = _FILE_SYSTEM.findall(text)
    row = next((row for row in rows if row[2] == "/data"), rows[0] if len(rows) == 1 else None)
    if row is None:
        raise missing(msg("file system of /data"))
    return Space(total=int(row[0]) * 1024, available=int(row[1]) * 1024)


@parser(msg("The memory"))
def parse_memory(text: str) -> Space:
    """Parses ``/proc/meminfo``."""
    available = _AVAILABLE.search(text)
    return Space(
        total=int(find(_TOTAL, text, msg("MemTotal"))) * 1024,
        available=int(available[1]) * 1024 if available else None,
    )


STORAGE = Reader("storage", "df -k /data", parse_storage)
MEMORY = Reader("memory", "cat /proc/meminfo", parse_memory)
