"""One process acts on a phone at a time: the daemon, or one command."""

import hashlib
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from agent.loop.process_lock import process_lock
from heed import paths
from heed.errors import PersonError
from heed.messages import Text, msg


def lock_path(phone_id: str) -> Path:
    """The lock file of a phone, by the key of its identity: one phone reached at two addresses has one lock."""
    return paths.runtime_dir() / f"phone-{hashlib.sha256(phone_id.encode()).hexdigest()[:16]}.lock"


def phone_lock(phone_id: str, name: str) -> AbstractContextManager[None]:
    """Hold the phone, which messages call ``name``, or raise ``PersonError`` at once naming the process that does."""
    return _held(lock_path(phone_id), name)


def hold_existing_locks(stack: ExitStack) -> None:
    """Hold every phone that was ever used here, until ``stack`` is closed; ``PersonError`` when one is in use."""
    for path in sorted(paths.runtime_dir().glob("phone-*.lock")):
        stack.enter_context(_held(path, msg("a phone")))


def _held(path: Path, phone: Text) -> AbstractContextManager[None]:
    def refusal(holder: str) -> PersonError:
        return PersonError(
            msg("{name} is in use by process {holder}.", name=phone, holder=holder),
            msg("Stop it, or wait until it is done."),
        )

    return process_lock(path, refusal)
