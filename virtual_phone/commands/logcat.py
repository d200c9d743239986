"""``logcat`` and ``log``: dumps and live streams of the log buffers."""

import re
import struct
from datetime import datetime

from virtual_phone.commands.options import ProgramUsageError, parse
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state.log import StoredLogLine

_ALL = frozenset(["main", "system", "crash", "events", "radio"])
_DEFAULT = frozenset(["main", "system", "crash"])
_LEVELS = "VDIWEFS"


def _threadtime(entry: StoredLogLine) -> str:
    stamp = f"{entry.moment:%m-%d %H:%M:%S}.{entry.moment.microsecond // 1000:03d}"
    return f"{stamp} {entry.process:5} {entry.process + 16:5} {entry.priority} {entry.tag:<8}: {entry.message}\n"


def _brief(entry: StoredLogLine) -> str:
    return f"{entry.priority}/{entry.tag:<8}({entry.process:5}): {entry.message}\n"


def _time(entry: StoredLogLine) -> str:
    stamp = f"{entry.moment:%m-%d %H:%M:%S}.{entry.moment.microsecond // 1000:03d}"
    return f"{stamp} {entry.priority}/{entry.tag:<8}({entry.process:5}): {entry.message}\n"


def _raw(entry: StoredLogLine) -> str:
    return entry.message + "\n"


def _epoch(entry: StoredLogLine) -> str:
    who = f"{entry.process:5} {entry.process + 16:5}"
    return f"{entry.moment.timestamp():.3f} {who} {entry.priority} {entry.tag:<8}: {entry.message}\n"


def _long(entry: StoredLogLine) -> str:
    stamp = f"{entry.moment:%m-%d %H:%M:%S}.{entry.moment.microsecond // 1000:03d}"
    return f"[ {stamp} {entry.process:5}:{entry.process + 16:5} {entry.priority}/{entry.tag} ]\n{entry.message}\n\n"


_ENTRY = struct.Struct("<HHiIIIII")
"""Length, size of this header, process, thread, seconds, nanoseconds, buffer, user (AOSP liblog, ``log_read.h``)."""
_BUFFERS = ("main", "radio", "events", "system", "crash")
"""By their number."""


def _binary(entry: StoredLogLine) -> str:
    """``-B``: the entry as the log daemon keeps it; characters stand for bytes."""
    priority = _LEVELS.find(entry.priority) + 2
    text = f"{entry.tag}\0{entry.message}\0".encode(errors="replace")
    who, second = (entry.process, entry.process + 16), int(entry.moment.timestamp())
    where = _BUFFERS.index(entry.buffer)
    head = _ENTRY.pack(1 + len(text), _ENTRY.size, *who, second, entry.moment.microsecond * 1000, where, 1000)
    return (head + bytes([priority]) + text).decode("latin-1")


_FORMATS = {
    "threadtime": _threadtime, "brief": _brief, "time": _time, "raw": _raw, "epoch": _epoch, "long": _long
}  # fmt: skip


def _filter(words: list[str]) -> dict[str, int]:
    """``TAG:LEVEL`` words as tag to lowest level; ``*`` for all others."""
    rules = {}
    for word in words:
        tag, _, level = word.partition(":")
        rules[tag] = _LEVELS.find((level or "V").upper()[:1])
    return rules


def _passes(entry: StoredLogLine, rules: dict[str, int]) -> bool:
    lowest = rules.get(entry.tag, rules.get("*", 0))
    return _LEVELS.find(entry.priority) >= lowest >= 0


def _tail(call: ProgramCall, entries: list[StoredLogLine], text: str) -> list[StoredLogLine]:
    """``-t``/``-T``: a count, or a time ``MM-DD HH:MM:SS.mmm``, ``YYYY-…`` or seconds since 1970."""
    if text.isdigit():
        return entries[-int(text) :] if int(text) else []
    zone = call.state.clock.wall().tzinfo
    if re.fullmatch(r"\d+\.\d+", text):
        since = datetime.fromtimestamp(float(text), zone)
    else:
        year = f"{call.state.clock.wall().year}-" if re.match(r"\d\d-\d\d ", text) else ""
        try:
            since = datetime.fromisoformat((year + text).replace(" ", "T", 1)).replace(tzinfo=zone)
        except ValueError as error:
            raise ProgramUsageError(f'-t "{text}" not in time format') from error
    return [entry for entry in entries if entry.moment >= since]


async def logcat(call: ProgramCall) -> int:
    """Print the existing lines, then (without ``-d``, ``-t``, ``-g``) new ones as they come."""
    args = [re.sub(r"^--(buffer|format|clear|dump)=?", lambda match: f"-{match[1][0]}", word) for word in call.args]
    args = ["-v" + word[2:] if word.startswith("-f") and word != "-f" else word for word in args]
    try:
        options, words = parse(args, "dcgsSDLB", "bvtTfnr")
    except ProgramUsageError as error:
        return await call.fail(f"logcat: {error}")
    names = options.get("b", "")
    buffers = _ALL if names == "all" else frozenset(names.split(",")) if names else _DEFAULT
    if "c" in options:
        call.state.log.clear()
        return 0
    if "g" in options:
        rows = "".join(f"{name}: ring buffer is 256 KiB (12 KiB consumed)\n" for name in sorted(buffers))
        await call.out(rows)
        return 0
    try:
        return await _print(call, buffers, options, _filter(["*:S", *words] if "s" in options else words))
    except ProgramUsageError as error:
        return await call.fail(f"logcat: {error}")


async def _print(call: ProgramCall, buffers: frozenset[str], options: dict[str, str], rules: dict[str, int]) -> int:
    binary = "B" in options
    shape = _binary if binary else _FORMATS.get(options.get("v", "threadtime").split(",")[0], _threadtime)
    coding = "latin-1" if binary else "utf-8"
    log = call.state.log
    entries = log.entries(buffers)
    reached = log.sequence
    if "t" in options or "T" in options:
        entries = _tail(call, entries, options.get("t") or options.get("T", ""))
    for name in sorted(buffers):
        if not binary and any(entry.buffer == name for entry in entries):
            await call.out(f"--------- beginning of {name}\n")
    await call.out("".join(shape(entry) for entry in entries if _passes(entry, rules)).encode(coding, "replace"))
    if "d" in options or "t" in options:
        return 0
    while True:
        await log.grown(reached)
        fresh = log.entries(buffers, after=reached)
        reached = log.sequence
        text = "".join(shape(entry) for entry in fresh if _passes(entry, rules))
        if text:
            await call.out(text.encode(coding, "replace"))


async def log(call: ProgramCall) -> int:
    """``log [-p LEVEL] [-t TAG] MESSAGE``."""
    try:
        options, words = parse(call.args, "", "pt")
    except ProgramUsageError as error:
        return await call.fail(f"log: {error}")
    call.state.log.line(options.get("t", "log"), " ".join(words), options.get("p", "i").upper()[:1], process=2000)
    return 0


PROGRAMS: dict[str, Program] = {"logcat": logcat, "log": log}
