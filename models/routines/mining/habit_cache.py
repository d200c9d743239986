"""Keeps mined habits in the cache folder: a log that has not changed is not read again."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from collectors.context import LogEntry
from function_pool.spec import Pool
from heed import paths
from models.routines.mining.habit import Habit
from models.routines.mining.miner import mine

_HABITS: TypeAdapter[tuple[Habit, ...]] = TypeAdapter(tuple[Habit, ...])


def cached_habits(log: Path, read: Callable[[], Sequence[LogEntry]], pool: Pool, places: str = "") -> tuple[Habit, ...]:
    """The habits in the behaviour log, mined anew only when log, pool, places or rules changed.

    Args:
        log: the file; its content is the key of the cache.
        read: reads the entries to mine from it.
        pool: the functions that can be habits.
        places: describes the known places that ``read`` puts into the entries.
    """
    key = _key(log, pool, places)
    habits = _load(key)
    if habits is None:
        habits = mine(read(), pool)
        _save(key, habits)
    return habits


def cache_file() -> Path:
    """The file of the last mined habits."""
    return paths.cache_dir() / "habits.json"


def _key(log: Path, pool: Pool, places: str) -> bytes:
    digest = hashlib.sha256(_rules())
    digest.update(places.encode())
    digest.update("".join(spec.model_dump_json() for spec in pool).encode())
    with contextlib.suppress(OSError), log.open("rb") as file:
        digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest().encode()


@cache
def _rules() -> bytes:
    """A digest of the code and the words that habits are mined with."""
    digest = hashlib.sha256()
    for part in _files(files("models.routines")):
        digest.update(part.read_bytes())
    return digest.digest()


def _files(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry)
        elif entry.name.endswith((".py", ".yaml", ".npz")):
            yield entry


def _load(key: bytes) -> tuple[Habit, ...] | None:
    try:
        saved, _, body = cache_file().read_bytes().partition(b"\n")
        return _HABITS.validate_json(body) if saved == key else None
    except (OSError, ValidationError):
        return None


def _save(key: bytes, habits: tuple[Habit, ...]) -> None:
    """Write the file, readable by this user alone; a cache that cannot be written is done without."""
    with contextlib.suppress(OSError):
        cache_file().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = cache_file().with_suffix(f".{os.getpid()}.part")
        partial.touch(mode=0o600)
        partial.write_bytes(key + b"\n" + _HABITS.dump_json(habits))
        partial.replace(cache_file())
