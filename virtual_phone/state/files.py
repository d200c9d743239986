"""The phone's file system; large contents are kept in temporary files on the host."""

import copy
import fnmatch
import hashlib
import io
import posixpath
import stat
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, Protocol

from virtual_phone.state.clock import VirtualClock

IN_MEMORY = 1024 * 1024
"""Bytes; larger files live in a temporary file on the host."""
CHUNK = 64 * 1024
_LINKS = {
    "/sdcard": "/storage/emulated/0",
    "/mnt/sdcard": "/storage/emulated/0",
    "/storage/self/primary": "/storage/emulated/0",
    "/data/media/0": "/storage/emulated/0",
    "/data/user/0": "/data/data",
}
_READ_ONLY = ("/system", "/vendor", "/product", "/apex", "/proc", "/sys", "/odm")
_FORBIDDEN = ("/data/data", "/data/user", "/data/user_de", "/data/media", "/data/system", "/data/app", "/root")
"""What the shell user may not read; root may."""
_WRITABLE = ("/storage/emulated/0", "/data/local/tmp", "/data/misc/shell")
_DIRECTORIES = (
    "/", "/data", "/data/local", "/data/local/tmp", "/data/data", "/data/user_de", "/data/app", "/storage",
    "/storage/emulated",
    "/storage/emulated/0", "/storage/emulated/0/Alarms", "/storage/emulated/0/Android",
    "/storage/emulated/0/Android/data",
    "/storage/emulated/0/DCIM", "/storage/emulated/0/DCIM/Camera", "/storage/emulated/0/Documents",
    "/storage/emulated/0/Download", "/storage/emulated/0/Movies", "/storage/emulated/0/Music",
    "/storage/emulated/0/Pictures", "/storage/emulated/0/Pictures/Screenshots", "/system", "/system/bin", "/proc",
    "/dev", "/mnt", "/vendor", "/product",
)  # fmt: skip


class FileError(Exception):
    """A refused file operation; the text is ``<path>: <reason>`` as the system's tools print it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class Blob:
    """A file's contents, never changed once written: stored bytes, then zeros up to ``size``."""

    def __init__(self, store: IO[bytes], stored: int, size: int | None = None) -> None:
        self._store, self._stored = store, stored
        self.size = stored if size is None else size
        self._digests: dict[str, str] = {}

    def read(self, start: int = 0, size: int = -1) -> bytes:
        """``size`` bytes from ``start`` (all by default)."""
        end = self.size if size < 0 else min(self.size, start + size)
        self._store.seek(start)
        data = self._store.read(max(0, min(end, self._stored) - start))
        return data + bytes(max(0, end - start - len(data)))

    def chunks(self, size: int = CHUNK) -> Iterator[bytes]:
        """The contents in pieces."""
        for start in range(0, self.size, size):
            yield self.read(start, size)

    def digest(self, algorithm: str) -> str:
        """Hexadecimal digest of the contents."""
        if algorithm not in self._digests:
            total = hashlib.new(algorithm, usedforsecurity=False)
            for chunk in self.chunks():
                total.update(chunk)
            self._digests[algorithm] = total.hexdigest()
        return self._digests[algorithm]


class Stat(NamedTuple):
    """The result of ``stat``: mode with file type, bytes, seconds since 1970, and whether root owns it or the shell."""

    mode: int
    size: int
    modified: int
    inode: int
    of_root: bool = False


class StateFile(Protocol):
    """A file that is a view of the phone's state: reading shows the state, and writing changes it."""

    def read(self) -> bytes:
        """The contents that show the state now."""

    def write(self, data: bytes) -> None:
        """Change the state so that it is what ``data`` holds; ``FileError`` for contents that hold no state."""

    def clear(self) -> None:
        """Delete what the file holds; it exists again at once, empty, as its owner creates it anew."""


class _File(NamedTuple):
    blob: Blob
    mode: int
    modified: int
    of_root: bool = False
    """Root wrote it, outside shared storage, whose files belong to one app of the system."""


class _Disk:
    """What is stored: shared by the views of the shell user and of root."""

    def __init__(self, directories: dict[str, int], capacity: int) -> None:
        self.files: dict[str, _File] = {}
        self.directories = directories
        self.capacity = capacity
        self.used = 0


class FileTree(NamedTuple):
    """All files and directories at one moment; contents never change, so they are not copied."""

    files: dict[str, _File]
    directories: dict[str, int]
    capacity: int


class FileWriter:
    """A file being written; it becomes visible when closed."""

    def __init__(self, files: "FileSystem", path: str, mode: int, start: Blob | None) -> None:
        self._files, self._path, self._mode = files, path, mode
        self._store: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._size = 0
        if start is not None:
            for chunk in start.chunks():
                self.write(chunk)

    def write(self, data: bytes) -> None:
        """Append; ``FileError`` when the storage is full."""
        if self._size + len(data) > self._files.free:
            raise FileError(self._path, "No space left on device")
        self._store.write(data)
        self._size += len(data)

    def close(self, modified: int | None = None) -> None:
        """Make the file visible, dated now unless told otherwise."""
        self._files.put(self._path, Blob(self._store, self._size), self._mode, modified)


class MediaIndex(Protocol):
    """The index of pictures and videos."""

    def file_gone(self, path: str) -> None:
        """Forget a file that was deleted."""


class FilesOwner(Protocol):
    """The phone, as its file system sees it."""

    @property
    def clock(self) -> VirtualClock:
        """The time of writes."""

    @property
    def media(self) -> MediaIndex:
        """Told about deleted files."""

    def changed(self) -> None:
        """Called after each change."""


class FileSystem:
    """Directories and files below ``/`` as one user sees them: the shell, or root (``as_root``).

    ``/sdcard`` is a link to ``/storage/emulated/0``.
    """

    def __init__(self, phone: FilesOwner, capacity: int = 64 * 2**30) -> None:
        self._phone = phone
        now = int(phone.clock.wall().timestamp())
        self._disk = _Disk(dict.fromkeys(_DIRECTORIES, now - 86400), capacity)
        self._privileged = False
        self.computed: dict[str, Callable[[], str]] = {}
        """Files whose contents are a view of the state, such as /proc/meminfo."""
        self.state_files: dict[str, StateFile] = {}
        """Files that show the state and change it, such as the providers' databases."""

    @property
    def as_root(self) -> "FileSystem":
        """The same files with the rights of root."""
        root = copy.copy(self)
        root._privileged = True
        return root

    @property
    def capacity(self) -> int:
        """Bytes of shared storage."""
        return self._disk.capacity

    @capacity.setter
    def capacity(self, size: int) -> None:
        self._disk.capacity = size

    @property
    def free(self) -> int:
        """Bytes left."""
        return self._disk.capacity - self._disk.used

    # --- looking ----------------------------------------------------------------------------------------------
    def resolve(self, path: str) -> str:
        """``path`` without ``.``, ``..``, double slashes and links."""
        path = posixpath.normpath("/" + path.lstrip("/"))
        for link, target in _LINKS.items():
            if path == link or path.startswith(link + "/"):
                return target + path[len(link) :]
        return path

    def _is_directory(self, path: str) -> bool:
        """Whether it is a directory, or one that computed files make."""
        return path in self._disk.directories or any(name.startswith(path + "/") for name in self.computed)

    def stat(self, path: str) -> Stat | None:
        """The status of ``path``; None when nothing is there."""
        path = self.resolve(path)
        inode = int.from_bytes(hashlib.blake2s(path.encode(errors="replace"), digest_size=4).digest(), "big")
        if path in self.computed:
            return Stat(stat.S_IFREG | 0o444, 0, int(self._phone.clock.wall().timestamp()), inode)
        if self._is_directory(path):
            return Stat(stat.S_IFDIR | 0o771, 3452, self._disk.directories.get(path, 0), inode)
        if path in self.state_files:
            now = int(self._phone.clock.wall().timestamp())
            return Stat(stat.S_IFREG | 0o660, len(self.state_files[path].read()), now, inode)
        file = self._disk.files.get(path)
        return Stat(stat.S_IFREG | file.mode, file.blob.size, file.modified, inode, file.of_root) if file else None

    def names(self, path: str) -> list[str]:
        """The names in a directory, sorted; ``FileError`` when it is not a directory."""
        resolved = self.resolve(path)
        if not self._is_directory(resolved):
            raise FileError(path, "Not a directory" if self.stat(path) else "No such file or directory")
        self._check_readable(path)
        prefix = resolved.rstrip("/") + "/"
        known = [*self._disk.files, *self._disk.directories, *self.computed, *self.state_files]
        return sorted(
            {name[len(prefix) :].split("/")[0] for name in known if name.startswith(prefix) and name != prefix}
        )

    def below(self, path: str) -> list[str]:
        """The full paths of all stored files below a directory."""
        prefix = self.resolve(path).rstrip("/") + "/"
        return sorted(name for name in self._disk.files if name.startswith(prefix))

    def read(self, path: str) -> Blob:
        """A file's contents; ``FileError`` for a directory, a forbidden or a missing file."""
        resolved = self.resolve(path)
        self._check_readable(path)
        if resolved in self.computed:
            return _blob(self.computed[resolved]().encode())
        if resolved in self.state_files:
            return _blob(self.state_files[resolved].read())
        if self._is_directory(resolved):
            raise FileError(path, "Is a directory")
        if resolved not in self._disk.files:
            raise FileError(path, "No such file or directory")
        return self._disk.files[resolved].blob

    def glob(self, pattern: str, directory: str = "/") -> Iterator[str]:
        """The existing paths that match a shell pattern, as the pattern spells them."""
        absolute = pattern if pattern.startswith("/") else f"{directory.rstrip('/')}/{pattern}"
        found = [""]
        for step in absolute.split("/")[1:]:
            found = [f"{base}/{name}" for base in found for name in self._matching(base or "/", step)]
        cut = 0 if pattern.startswith("/") else len(directory.rstrip("/")) + 1
        return (path[cut:] for path in found)

    def _matching(self, directory: str, step: str) -> list[str]:
        if not any(character in step for character in "*?["):
            return [step] if self.stat(f"{directory.rstrip('/')}/{step}") or not step else []
        try:
            names = self.names(directory)
        except FileError:
            return []
        return [name for name in names if fnmatch.fnmatchcase(name, step) and (step[0] == "." or name[0] != ".")]

    # --- changing ---------------------------------------------------------------------------------------------
    def open_writer(
        self, path: str, mode: int = 0o660, *, append: bool = False, make_parents: bool = False
    ) -> FileWriter:
        """A writer for a new file (or the old one's end); ``FileError`` where the shell user may not write."""
        resolved = self.resolve(path)
        self._check_writable(path)
        if resolved in self._disk.directories:
            raise FileError(path, "Is a directory")
        if make_parents:
            self.make_directory(posixpath.dirname(resolved), parents=True)
        if posixpath.dirname(resolved) not in self._disk.directories:
            raise FileError(path, "No such file or directory")
        old = self.read(path) if append and self.stat(path) is not None else None
        return FileWriter(self, resolved, mode & 0o777, old)

    def put(self, path: str, blob: Blob | bytes, mode: int = 0o660, modified: int | None = None) -> None:
        """Write a file as the system does, which may write anywhere."""
        path = self.resolve(path)
        blob = _blob(blob) if isinstance(blob, bytes) else blob
        if path in self.state_files:
            self.state_files[path].write(blob.read())
            return
        self._drop(path)
        self._make_parents(path)
        seconds = int(self._phone.clock.wall().timestamp()) if modified is None else modified
        of_root = self._privileged and not path.startswith("/storage/")
        self._disk.files[path] = _File(blob, mode, seconds, of_root)
        self._disk.used += blob.size
        self._phone.changed()

    def ensure_directory(self, path: str) -> None:
        """Make a directory and its parents, where they are missing, as the system does, which may write anywhere."""
        self._make_parents(self.resolve(path) + "/")

    def make_directory(self, path: str, *, parents: bool = False) -> None:
        """``mkdir``; with ``parents`` existing directories are no error."""
        resolved = self.resolve(path)
        if self.stat(resolved) is not None:
            if parents and resolved in self._disk.directories:
                return
            raise FileError(path, "File exists")
        self._check_writable(path)
        if posixpath.dirname(resolved) not in self._disk.directories and not parents:
            raise FileError(path, "No such file or directory")
        self._make_parents(resolved + "/")
        self._phone.changed()

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """``rm``: a file, or a directory with all in it."""
        resolved = self.resolve(path)
        if self.stat(resolved) is None:
            raise FileError(path, "No such file or directory")
        self._check_writable(path)
        if resolved in self._disk.directories:
            if not recursive:
                raise FileError(path, "Is a directory")
            for inner in [name for name in [*self._disk.files, *self.state_files] if name.startswith(resolved + "/")]:
                self._forget(inner)
            gone = [name for name in self._disk.directories if name == resolved or name.startswith(resolved + "/")]
            for name in gone:
                del self._disk.directories[name]
            for name in self.state_files:
                self._make_parents(name)
        self._forget(resolved)
        self._phone.changed()

    def remove_directory(self, path: str) -> None:
        """``rmdir``: an empty directory."""
        if self.names(path):
            raise FileError(path, "Directory not empty")
        self.remove(path, recursive=True)

    def rename(self, source: str, target: str) -> None:
        """``mv`` of one file or directory, into a directory when the target is one."""
        if self.resolve(target) in self._disk.directories:
            target = f"{target.rstrip('/')}/{posixpath.basename(source)}"
        self._check_writable(source)
        self._check_writable(target)
        if self.resolve(source) in self._disk.directories:
            self._rename_directory(self.resolve(source), self.resolve(target))
            return
        old = self.read(source)
        file = self._disk.files.get(self.resolve(source), _File(old, 0o660, int(self._phone.clock.wall().timestamp())))
        self._forget(self.resolve(source))
        self.put(target, old, file.mode, file.modified)

    def copy(self, source: str, target: str) -> None:
        """``cp -r``: one file, or a directory with all in it, as the system does, which may write anywhere."""
        if self.resolve(source) not in self._disk.directories:
            self.put(target, self.read(source))
            return
        self.ensure_directory(target)
        for name in self.names(source):
            self.copy(f"{source}/{name}", f"{target}/{name}")

    def _rename_directory(self, source: str, target: str) -> None:
        if f"{target}/".startswith(f"{source}/"):
            raise FileError(target, "Invalid argument")
        moved = {name: target + name[len(source) :] for name in self.below(source)}
        folders = [name for name in self._disk.directories if name == source or name.startswith(source + "/")]
        for name in folders:
            self._disk.directories[target + name[len(source) :]] = self._disk.directories.pop(name)
        self._make_parents(target)
        for old, new in moved.items():
            self._disk.files[new] = self._disk.files.pop(old)
            self._phone.media.file_gone(old)
        self._phone.changed()

    def move(self, source: str, target: str) -> None:
        """Rename a file as the system does; the media store keeps its row."""
        file = self._disk.files.pop(self.resolve(source), None)
        if file is not None:
            self._make_parents(self.resolve(target))
            self._disk.files[self.resolve(target)] = file

    def touch(self, path: str, modified: int) -> None:
        """Set a file's time, creating it when missing."""
        resolved = self.resolve(path)
        if resolved in self._disk.directories:
            self._disk.directories[resolved] = modified
        elif resolved in self._disk.files:
            self._check_writable(path)
            self._disk.files[resolved] = self._disk.files[resolved]._replace(modified=modified)
        elif resolved not in self.state_files:
            self.open_writer(path).close(modified)
        self._phone.changed()

    def change_mode(self, path: str, mode: int) -> None:
        """``chmod``."""
        resolved = self.resolve(path)
        self._check_writable(path)
        if resolved in self._disk.files:
            self._disk.files[resolved] = self._disk.files[resolved]._replace(mode=mode)
        elif resolved not in self._disk.directories and resolved not in self.state_files:
            raise FileError(path, "No such file or directory")

    def to_json(self) -> dict[str, dict[str, int | str]]:
        """Every file with its size and digest."""
        return {
            path: {"size": file.blob.size, "md5": file.blob.digest("md5")}
            for path, file in sorted(self._disk.files.items())
        }

    def tree(self) -> FileTree:
        """All files and directories now."""
        return FileTree(dict(self._disk.files), dict(self._disk.directories), self.capacity)

    def replace(self, tree: FileTree) -> None:
        """Replace all files and directories by those of a snapshot."""
        self._disk.files, self._disk.directories = dict(tree.files), dict(tree.directories)
        self.capacity = tree.capacity
        self._disk.used = sum(file.blob.size for file in tree.files.values())
        self._phone.changed()

    def _drop(self, path: str) -> bool:
        file = self._disk.files.pop(path, None)
        if file is not None:
            self._disk.used -= file.blob.size
        return file is not None

    def _forget(self, path: str) -> None:
        if path in self.state_files:
            self.state_files[path].clear()
            return
        # The media store sees deletions through the file system at once (FUSE), but not replacements.
        if self._drop(path):
            self._phone.media.file_gone(path)

    def _make_parents(self, path: str) -> None:
        now = int(self._phone.clock.wall().timestamp())
        parent = posixpath.dirname(path)
        while parent not in self._disk.directories:
            self._disk.directories[parent] = now
            parent = posixpath.dirname(parent)

    def _check_readable(self, path: str) -> None:
        if not self._privileged and self._below(path, _FORBIDDEN):
            raise FileError(path, "Permission denied")

    def _check_writable(self, path: str) -> None:
        if self._below(path, _READ_ONLY):
            raise FileError(path, "Read-only file system")
        if not self._privileged and not self._below(path, _WRITABLE):
            raise FileError(path, "Permission denied")

    def _below(self, path: str, roots: tuple[str, ...]) -> bool:
        resolved = self.resolve(path)
        return any(resolved == root or resolved.startswith(root + "/") for root in roots)


def _blob(data: bytes, size: int | None = None) -> Blob:
    return Blob(io.BytesIO(data), len(data), size)


def padded(data: bytes, size: int) -> Blob:
    """Contents of exactly ``size`` bytes that begin with ``data`` and cost no more memory than it."""
    return _blob(data[:size], size)
