"""Deletes lines of a file with one JSON object per line."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

_TIMES = ("time", "date")
"""Keys with a line's time."""


def delete_lines(path: Path, unwanted: Callable[[str], bool]) -> int:
    """Delete the lines that are ``unwanted``; their number. The file is replaced as a whole."""
    lines = _lines(path)
    kept = [line for line in lines if not unwanted(line)]
    if len(kept) < len(lines):
        temporary = path.with_name(f"{path.name}.new")
        temporary.write_bytes("".join(kept).encode("utf-8", "surrogateescape"))
        temporary.replace(path)
    return len(lines) - len(kept)


def count_lines(path: Path, wanted: Callable[[str], bool]) -> int:
    """The lines that are ``wanted``."""
    return sum(map(wanted, _lines(path)))


def line_time(line: str, zone: datetime) -> datetime | None:
    """The time of a line, in the zone of ``zone`` where it has none; None for a line without a readable time."""
    try:
        entry = json.loads(line)
        text = next(str(entry[key]) for key in _TIMES if entry.get(key))
        moment = datetime.fromisoformat(text)
    except (ValueError, AttributeError, StopIteration):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone.tzinfo)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return [line for line in text.split("\n") if line] and text.splitlines(keepends=True)
