"""The media store: pictures, videos, sounds and documents on shared storage, with its trash."""

import hashlib
import posixpath
import struct
import zlib
from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from virtual_phone.state.files import padded
from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord
from virtual_phone.text_picture import encoded

ROOT = "/storage/emulated/0"
TRASH_PERIOD = timedelta(days=30)
Kind = Literal["images", "video", "audio", "file"]
_KINDS: dict[str, tuple[Kind, str]] = {
    ".png": ("images", "image/png"), ".jpg": ("images", "image/jpeg"), ".jpeg": ("images", "image/jpeg"),
    ".webp": ("images", "image/webp"), ".mp4": ("video", "video/mp4"), ".mp3": ("audio", "audio/mpeg"),
    ".m4a": ("audio", "audio/mp4"), ".pdf": ("file", "application/pdf"), ".txt": ("file", "text/plain"),
    ".doc": ("file", "application/msword"),
    ".docx": ("file", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ".xlsx": ("file", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ".pptx": ("file", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ".zip": ("file", "application/zip"),
}  # fmt: skip


class MediaItem(StateRecord):
    """One row; ``added`` in seconds since 1970, ``size`` in bytes."""

    identifier: int
    kind: Kind
    mime: str
    folder: str
    """``relative_path``: ends with a slash."""
    name: str
    size: int
    added: int
    width: int | None = None
    height: int | None = None
    trashed: bool = False
    expires: int | None = None
    favorite: bool = False
    shows: str = ""
    """The text that a picture shows."""

    @property
    def path(self) -> str:
        """Where the file is; trashed files carry their expiry in the name, as MediaProvider renames them."""
        name = f".trashed-{self.expires}-{self.name}" if self.trashed else self.name
        return f"{ROOT}/{self.folder}{name}"


class MediaState(StatePart):
    """The media store's rows."""

    items: list[MediaItem] = Field(default_factory=list)
    next_identifier: int = 1000000033

    def add(self, folder: str, name: str, added: datetime, size: int = 0, *, shows: str = "") -> MediaItem:
        """Add a file to the file system and the store.

        Args:
            folder: below shared storage.
            name: of the file.
            added: its date.
            size: bytes; a picture of text has at least the bytes of that picture.
            shows: the text that a picture shows.
        """
        folder = folder.strip("/") + "/"
        seconds = int(added.timestamp())
        path = f"{ROOT}/{folder}{name}"
        picture = encoded(shows, posixpath.splitext(name)[1]) if shows else b""
        contents = padded(picture or _stand_in(name), max(size, len(picture)))
        self._phone.files.put(path, contents, 0o660, seconds)
        item = self.index(path, added=seconds)
        item.shows = shows
        return item

    def index(self, path: str, *, added: int | None = None) -> MediaItem:
        """``scan_file``: the row of an existing file, created when missing."""
        path = self._phone.files.resolve(path)
        known = self.at(path)
        if known is not None:
            return known
        status = self._phone.files.stat(path)
        folder, name = posixpath.split(path.removeprefix(ROOT + "/"))
        kind, mime = _KINDS.get(posixpath.splitext(name)[1].lower(), ("file", "application/octet-stream"))
        picture = kind == "images"
        item = MediaItem(
            identifier=self.next_identifier,
            kind=kind,
            mime=mime,
            folder=folder + "/" if folder else "",
            name=name,
            size=status.size if status else 0,
            added=int(self._phone.clock.wall().timestamp()) if added is None else added,
            width=1080 if picture else None,
            height=2400 if picture else None,
        )
        self.next_identifier += 1
        self.items.append(item)
        self._changed()
        return item

    def find(self, identifier: int) -> MediaItem | None:
        """The row with this id, trashed or not."""
        return next((item for item in self.items if item.identifier == identifier), None)

    def at(self, path: str) -> MediaItem | None:
        """The row of a path."""
        return next((item for item in self.items if item.path == path), None)

    def trash(self, item: MediaItem, trashed: bool = True) -> None:
        """Move an item to the trash for 30 days, or back."""
        if item.trashed == trashed:
            return
        old = item.path
        expires = self._phone.clock.wall() + TRASH_PERIOD
        item.expires = int(expires.timestamp()) if trashed else None
        item.trashed = trashed
        self._phone.files.move(old, item.path)
        self._changed()

    def delete(self, item: MediaItem) -> None:
        """Delete an item for good, file and row."""
        self._phone.files.remove(item.path)
        self._changed()

    def file_gone(self, path: str) -> None:
        """A file was deleted: delete its row."""
        self.items = [item for item in self.items if item.path != path]


def _stand_in(name: str) -> bytes:
    """A small valid PNG in a colour that depends on the name; viewers ignore what follows it."""
    color = hashlib.blake2s(name.encode(), digest_size=3).digest()
    width, height = 27, 60
    rows = (b"\0" + color * width) * height
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
