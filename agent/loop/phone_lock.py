"""One process acts on a phone at a time: the daemon, or one command."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from heed import paths
from heed.errors import PersonError
from heed.messages import Text, msg


def lock_path(phone_id: str) -> Path:
    """The lock file of a phone, by the key of its identity: one phone reached at two addresses has one lock."""
    return paths.runtime_dir() / f"phone-{hashlib.sha256(phone_id.encode()).hexdigest()[:16]}.lock"


@contextmanager
def phone_lock(phone_id: str, name: str) -> Iterator[None]:
    """Hold the phone, which messages call ``name``, or raise ``PersonError`` at once naming the process that does.

    The kernel drops the lock with the process, so a crash never leaves one behind.
    """
    path = lock_path(phone_id)
    paths.create_folder(path.parent)
    with _held(path, name):
        yield


def hold_existing_locks(stack: ExitStack) -> None:
    """Hold every phone that was ever used here, until ``stack`` is closed; ``PersonError`` when one is in use."""
    for path in sorted(paths.runtime_dir().glob("phone-*.lock")):
        stack.enter_context(_held(path, msg("a phone")))


@contextmanager
def _held(path: Path, phone: Text) -> Iterator[None]:
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise PersonError(
                msg("{name} is in use by process {holder}.", name=phone, holder=holder),
                msg("Stop it, or wait until it is done."),
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
