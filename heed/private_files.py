"""heed's files and folders are for their owner alone, whatever the umask."""

import logging
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from heed import paths

log = logging.getLogger(__name__)

_UMASK = 0o077
_OTHERS = 0o077


def keep_private() -> None:
    """Make what this process creates from now on readable and writable by its owner alone."""
    os.umask(_UMASK)


def tighten(files: Iterable[Path]) -> None:
    """Take the rights of others from heed's own folders, all in them, and ``files``; log each that had some."""
    for path in (*_in_own_folders(), *files):
        try:
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode) or not mode & _OTHERS:
                continue
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
            log.warning("%s could be read by others (mode %o); now by you alone", path, stat.S_IMODE(mode))
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("%s can be read by others: %s", path, error.strerror)


def _in_own_folders() -> Iterator[Path]:
    for folder in (paths.config_dir(), paths.data_dir(), paths.cache_dir(), paths.runtime_dir(), paths.log_dir()):
        yield folder
        yield from folder.rglob("*")
