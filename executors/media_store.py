"""Files on the phone's shared storage, from its media store."""

import re
from typing import NamedTuple

from android_bridge.commands import sql_like, sql_text
from android_bridge.device import Device
from android_bridge.facts.content import Row, rows
from executors.executor import RefusedError
from executors.observation import observe
from heed.messages import msg

FILES = "content://media/external/file"
_ROOTS = ("/sdcard/", "/storage/emulated/0/", "/storage/self/primary/")
_ROOT = "/storage/emulated/0/"
_URI = re.compile(r"content://media/external(?:_primary)?/(?:file|images/media|video/media|audio/media)/(\d{1,18})")
# Kinds of file that a call can ask for, by the beginning of their MIME type.
_KINDS = {
    "pdf": ("application/pdf",),
    "doc": ("application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml"),
    "ppt": ("application/vnd.ms-powerpoint", "application/vnd.openxmlformats-officedocument.presentationml"),
    "xls": ("application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml"),
    "image": ("image/",),
    "text": ("text/",),
}


class File(NamedTuple):
    """One file."""

    identifier: int
    mime_type: str
    name: str
    folder: str

    @property
    def uri(self) -> str:
        return f"{FILES}/{self.identifier}"


async def file_called(phone: Device, name: str, kind: str = "any") -> File:
    """Returns the one file whose name contains ``name``; raises ``RefusedError`` for none or several."""
    found = await _files(phone, f"{sql_like('_display_name', name)} AND _size>0")
    wanted = _KINDS.get(kind, ("",))
    fitting = [file for file in found if file.mime_type.startswith(wanted)]
    same = [file for file in fitting if file.name.casefold() in (name.casefold(), name.casefold() + _suffix(file.name))]
    files = same or fitting
    if not files:
        raise RefusedError(
            msg("No file on the phone is called {name!r}.", name=name), msg("Name it as it stands in the Files app.")
        )
    if len(files) > 1:
        names = ", ".join(f"{file.folder}{file.name}" for file in files[:5])
        raise RefusedError(
            msg("{count} files are called {name!r}.", count=len(files), name=name),
            msg("Say which: {names}.", names=names),
        )
    return files[0]


async def file_at(phone: Device, place: str) -> File:
    """Returns the file at a path or content URI; raises ``RefusedError`` when the media store does not have it."""
    match = _URI.fullmatch(place)
    root = next((root for root in _ROOTS if place.startswith(root)), None)
    if match is None and root is None:
        if "/" not in place:
            return await file_called(phone, place)
        raise RefusedError(msg("heed shares files of the shared storage only."), msg("Give a path below /sdcard."))
    path = _ROOT + place.removeprefix(root) if root is not None else ""
    found = await _files(phone, f"_id={match[1]}" if match else f"_data={sql_text(path)}")
    if len(found) != 1:
        raise RefusedError(
            msg("There is no file {place} on the phone.", place=place[:80]), msg("Look it up in the Files app.")
        )
    return found[0]


async def _files(phone: Device, where: str) -> list[File]:
    # Names are free text, so each is queried alone, last in its row
    # (docs/android-notes.md, "Rows of content providers").
    types = rows(FILES, ["mime_type"], where=where, plain=["mime_type"])
    names, folders = rows(FILES, ["_display_name"], where=where), rows(FILES, ["relative_path"], where=where)
    by_type, by_name, by_folder = (_texts(found.items) for found in await observe(phone, types, names, folders))
    return [
        File(identifier, by_type[identifier], by_name[identifier], by_folder.get(identifier, ""))
        for identifier in by_type
        if by_type[identifier] and by_name.get(identifier)
    ]


def _texts(rows_: tuple[Row, ...]) -> dict[int, str]:
    return {int(row["_id"] or 0): str(next((row[name] for name in row if name != "_id"), "") or "") for row in rows_}


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2].casefold() if "." in name else ""
