"""The behaviour log: an append-only file with one JSON object per line: ``time``, ``location``, ``action``.

The line of a visit that heed recorded also has the ``package`` of the app, which marks its ``action`` as text that
quotes the screen. Lines that versions without this mark recorded are recognised by their sentence.

A line that cannot be parsed stays in the file and is reported; the other lines are not affected.
"""

import codecs
import json
import os
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import AwareDatetime, ValidationError

from collectors.context import LogEntry
from collectors.limits import clean_text
from collectors.visit_sentence import known_app, unmarked_package
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import Text, msg
from heed.model import Frozen
from heed.write_errors import write_remedy


class UnreadableLine(NamedTuple):
    """A line that is not a valid entry."""

    line: int
    """1-based."""
    reason: Text


class Imported(NamedTuple):
    """The result of an import."""

    added: int
    known: int
    """Number of entries that the log already had."""
    faults: tuple[UnreadableLine, ...]


class _Line(Frozen):
    time: AwareDatetime
    location: str = ""
    action: str
    package: str = ""


class BehaviourLog:
    """The log at ``path``; an absent file is an empty log. Not shared between threads."""

    def __init__(self, path: Path, newest: int | None = None) -> None:
        """``newest`` is the number of lines at the end of the file that are read; None = all."""
        self.path, self._newest = path, newest
        self._reset(identity=0)

    def _reset(self, identity: int) -> None:
        self._identity, self._offset, self._lines = identity, 0, 0
        self._last = b""
        """The last line read; it still ends at the offset unless the file was edited."""
        self._entries: list[LogEntry] = []
        self._faults: list[UnreadableLine] = []

    def entries(self) -> tuple[LogEntry, ...]:
        """The entries in file order, redacted; reads only lines appended since the last call."""
        unfinished = self._catch_up()
        return (*self._entries, unfinished) if isinstance(unfinished, LogEntry) else tuple(self._entries)

    def faults(self) -> tuple[UnreadableLine, ...]:
        """The lines that are not valid entries."""
        unfinished = self._catch_up()
        return (*self._faults, unfinished) if isinstance(unfinished, UnreadableLine) else tuple(self._faults)

    def append(self, entry: LogEntry) -> None:
        """Append one entry, redacted, in a single write with fsync; an incomplete last line is terminated first."""
        self._write([entry])

    def extend(self, entries: Iterable[LogEntry]) -> None:
        """Append several entries in the same way."""
        self._write(entries)

    def import_from(self, source: Path) -> Imported:
        """Append the entries of another JSON-lines file that this log lacks; ``UsageError`` without the file."""
        other = BehaviourLog(source)
        if not source.is_file():
            raise UsageError(
                msg("There is no behaviour log to import at {source}.", source=source),
                msg("Give the path of a JSON-lines file."),
            )
        known = {_key(entry) for entry in self.entries()}
        new = [entry for entry in other.entries() if _key(entry) not in known]
        self._write(new)
        return Imported(added=len(new), known=len(other.entries()) - len(new), faults=other.faults())

    def _write(self, entries: Iterable[LogEntry]) -> None:
        # An app may show half an emoji, which no encoding can store.
        data = "".join(_dump(entry) for entry in entries).encode(errors="replace")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+", buffering=0) as file:
                file.write((b"" if _ends_clean(file) else b"\n") + data)
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(
                msg("Cannot write the behaviour log {path}: {strerror}.", path=self.path, strerror=error.strerror),
                write_remedy(error),
            ) from error

    def _catch_up(self) -> LogEntry | UnreadableLine | None:
        """Read appended lines; returns the last line if it has no line end yet."""
        try:
            with self.path.open("rb") as file:
                data = self._new(file)
        except FileNotFoundError:
            self._reset(identity=0)
            return None
        except OSError as error:
            raise UsageError(
                msg("Cannot read the behaviour log {path}: {strerror}.", path=self.path, strerror=error.strerror)
            ) from error
        whole, _, unfinished = data.rpartition(b"\n")
        if len(whole) < len(data) - len(unfinished):
            self._offset += len(whole) + 1
            lines = whole.split(b"\n")
            passed = max(0, len(lines) - self._newest) if self._newest is not None else 0
            self._lines += passed
            for raw in lines[passed:]:
                self._take(raw)
        return _parse(unfinished, self._lines + 1)

    def _new(self, file: BinaryIO) -> bytes:
        """The bytes after the last line read, or the whole file if it was replaced or edited."""
        status = os.fstat(file.fileno())
        file.seek(max(0, self._offset - len(self._last)))
        if status.st_ino != self._identity or file.read(len(self._last)) != self._last:
            self._reset(status.st_ino)
            file.seek(0)
        return file.read()

    def _take(self, raw: bytes) -> None:
        self._lines += 1
        self._last = raw + b"\n"
        line = _parse(raw, self._lines)
        if isinstance(line, LogEntry):
            self._entries.append(line)
        elif line is not None:
            self._faults.append(line)


def _parse(raw: bytes, number: int) -> LogEntry | UnreadableLine | None:
    """One line of the file; None for an empty one."""
    raw = raw.removeprefix(codecs.BOM_UTF8).strip()
    if not raw:
        return None
    try:
        line = _Line.model_validate_json(raw)
    except ValidationError as error:
        return UnreadableLine(number, _reason(error))
    package = line.package or unmarked_package(line.action)
    return LogEntry(
        time=line.time,
        location=clean_text(line.location),
        action=clean_text(line.action),
        package=package,
        app=known_app(package, line.action),
        line=number,
    )


def _reason(error: ValidationError) -> Text:
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    fault = from_library(first["msg"])
    return msg("{place}: {fault}", place=place, fault=fault) if place else fault


def _dump(entry: LogEntry) -> str:
    line = {
        "time": entry.time.isoformat(),
        "location": clean_text(entry.location),
        "action": clean_text(entry.action),
        **({"package": entry.package} if entry.package else {}),
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


def _key(entry: LogEntry) -> tuple[str, str, str]:
    return entry.time.isoformat(), entry.location, entry.action


def _ends_clean(file: BinaryIO | FileIO) -> bool:
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"
