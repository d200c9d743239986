"""Files that one process holds at a time."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from heed import paths
from heed.errors import PersonError


@contextmanager
def process_lock(path: Path, refusal: Callable[[str], PersonError]) -> Iterator[None]:
    """Hold the file at ``path``, or raise ``refusal`` at once with the id of the process that does.

    The kernel drops the lock with the process, so a crash never leaves one behind.
    """
    paths.create_folder(path.parent)
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise refusal(file.read().strip() or "another process") from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
