"""A bundle: a folder with the scrubbed outputs of one phone and a list of them, ``manifest.json``."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from android_bridge.facts.reader import Reader, UnreadableError
from heed.errors import UsageError
from heed.messages import msg
from heed.model import Frozen
from heed.write_errors import write_remedy

MANIFEST = "manifest.json"
OUTPUTS = "outputs"


class RecordedOutput(Frozen):
    """One command's output."""

    command: str
    file: str = Field(pattern=r"^[\w.-]+\.txt$")
    """In the folder ``outputs``."""
    read: tuple[str, ...]
    """The names of the readers that parse it."""
    refused: tuple[str, ...] = ()
    """The readers that did not parse what the phone printed."""
    changed: tuple[str, ...] = ()
    """The readers that parsed what the phone printed, and not what it became."""


class NotRecorded(Frozen):
    """One command without an output."""

    command: str
    reason: str


class Manifest(Frozen):
    """What a bundle holds."""

    format: int = 1
    phone: str
    """Maker, model and Android version."""
    complete: bool
    """False when the phone went away."""
    outputs: tuple[RecordedOutput, ...]
    not_recorded: tuple[NotRecorded, ...]
    replaced: Mapping[str, int]
    """How many private values were replaced, by kind."""


def write_bundle(folder: Path, manifest: Manifest, texts: Mapping[str, str]) -> None:
    """Writes a bundle into a new folder.

    Args:
        folder: must not exist, or be empty.
        manifest: the list of its outputs.
        texts: the outputs by command.

    Raises ``UsageError`` when the folder is not empty or cannot be written.
    """
    require_empty(folder)
    try:
        (folder / OUTPUTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        for output in manifest.outputs:
            (folder / OUTPUTS / output.file).write_text(texts[output.command], encoding="utf-8", newline="")
        (folder / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _unwritable(folder, error) from error


def require_empty(folder: Path) -> None:
    """Raises ``UsageError`` unless a bundle can be written to ``folder``."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(msg("{folder} is not empty.", folder=folder), msg("Name a new folder."))
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        msg("Cannot write {path}: {strerror}.", path=folder, strerror=error.strerror),
        write_remedy(error, msg("Name another folder.")),
    )


def read_manifest(folder: Path) -> Manifest:
    """Returns the list of a bundle's outputs; raises ``UsageError`` for a folder that is none."""
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValidationError) as error:
        raise UsageError(msg("{folder} is not a recording of a phone.", folder=folder)) from error


def unread(folder: Path, readers: Iterable[Reader[Any]]) -> list[str]:
    """Returns the names of the readers that read an output when it was recorded, and do not today.

    A reader is known by its name: its command may have changed since.
    """
    by_name: dict[str, list[Reader[Any]]] = {}
    for reader in readers:
        by_name.setdefault(reader.name, []).append(reader)
    return [
        name
        for output in read_manifest(folder).outputs
        for name in output.read
        if not any(reads(reader, _text(folder, output)) for reader in by_name.get(name, []))
    ]


def _text(folder: Path, output: RecordedOutput) -> str:
    return (folder / OUTPUTS / output.file).read_bytes().decode()


def reads(reader: Reader[Any], text: str) -> bool:
    """Whether ``reader`` can parse an output."""
    try:
        reader.parse(text)
    except UnreadableError:
        return False
    return True
