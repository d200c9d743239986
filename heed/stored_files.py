"""The declaration of a file or folder that heed writes; each package declares its own, `agent/config.py` joins them."""

from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path

from heed.model import Frozen


class FileKind(StrEnum):
    """How entries are found and deleted in a file."""

    JOURNAL = "journal"
    """SQLite tables with one row per entry."""
    LINES = "lines"
    """One JSON object per line."""
    PICTURES = "pictures"
    """A folder of files, each dated by its modification time; whose picture it is, is not recorded."""
    DOCUMENTS = "documents"
    """A folder of files, each about one thing: what it names is searched, and the file deleted as a whole."""
    CACHE = "cache"
    """A folder that may be deleted at any time."""
    PROCESS = "process"
    """State of a running process (a lock, a socket, a page with a link); nothing of the owner's."""
    STATE = "state"
    """What heed itself keeps over restarts; nothing of the owner's."""
    OWNER = "owner"
    """Written by the owner, with heed's first version of it; only the owner deletes it."""


class StoredFile(Frozen):
    """One file or folder that heed writes."""

    path: Path
    holds: str
    """What is in it, for the owner."""
    kind: FileKind
    companions: tuple[str, ...] = ()
    """Patterns of the names that stand beside it for a while: write-ahead logs, unfinished copies."""

    @property
    def is_folder(self) -> bool:
        return self.kind in (FileKind.PICTURES, FileKind.DOCUMENTS, FileKind.CACHE)

    def covers(self, path: Path) -> bool:
        """Whether ``path`` is this file, a companion of it, or in this folder."""
        if self.is_folder and path.is_relative_to(self.path):
            return True
        same_folder = path.parent == self.path.parent
        return same_folder and any(fnmatchcase(path.name, name) for name in (self.path.name, *self.companions))

    def files(self) -> Iterator[Path]:
        """The files that exist: itself or what is in the folder, then its companions."""
        if self.is_folder:
            yield from (path for path in sorted(self.path.rglob("*")) if not path.is_dir())
        elif self.path.exists():
            yield self.path
        yield from self.leftovers()

    def leftovers(self) -> Iterator[Path]:
        """The companions that exist."""
        for pattern in self.companions:
            yield from sorted(self.path.parent.glob(pattern))
