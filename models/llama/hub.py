"""Models from Hugging Face's hub: ``hf:org/repo/file.gguf``, downloaded once and checked against their hash."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import httpx
import httpx2
from huggingface_hub import constants, hf_hub_download, try_to_load_from_cache
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)

from heed.errors import ModelError, UsageError
from heed.messages import msg

SCHEME = "hf:"
_SHA256_DIGITS = 64
_REACH_TIMEOUT = 10.0


class HubFile(NamedTuple):
    """A file in a repository."""

    repository: str
    name: str
    revision: str


def parse(reference: str) -> HubFile:
    """``hf:org/repo/path/file.gguf``, optionally with ``@revision`` behind it."""
    path, _, revision = reference.removeprefix(SCHEME).partition("@")
    parts = path.split("/")
    if len(parts) < 3 or not all(parts):
        raise UsageError(
            msg("{reference!r} names no file on the hub.", reference=reference),
            msg("Write it as hf:organisation/repository/file.gguf."),
        )
    return HubFile("/".join(parts[:2]), "/".join(parts[2:]), revision or "main")


def fetch(reference: str, *, cache: Path | None = None, endpoint: str | None = None) -> Path:
    """The local path of ``reference``, downloaded if it is not in the cache yet (progress on stderr).

    Raises ``ModelError`` when it cannot be had, or is not what the hub promised.
    """
    file = parse(reference)
    known = try_to_load_from_cache(file.repository, file.name, cache_dir=cache, revision=file.revision)
    if isinstance(known, str):
        return Path(known)
    _reach(reference, endpoint or constants.ENDPOINT)
    path = _download(reference, file, cache, endpoint)
    _verify(reference, path)
    return path


def _reach(reference: str, endpoint: str) -> None:
    """Say at once that the hub cannot be reached; its library would try for half a minute."""
    try:
        httpx.head(endpoint, timeout=_REACH_TIMEOUT)
    except httpx.HTTPError as error:
        raise ModelError(
            msg("The hub cannot be reached for {reference}.", reference=reference),
            msg("Connect, or download the file elsewhere."),
        ) from error


def _download(reference: str, file: HubFile, cache: Path | None, endpoint: str | None) -> Path:
    try:
        return Path(
            hf_hub_download(file.repository, file.name, revision=file.revision, cache_dir=cache, endpoint=endpoint)
        )
    except GatedRepoError as error:
        raise ModelError(
            msg("{reference} needs its licence accepted.", reference=reference),
            msg("Accept it on the hub and set HF_TOKEN."),
        ) from error
    except LocalEntryNotFoundError as error:
        raise ModelError(
            msg("The hub cannot be reached for {reference}.", reference=reference),
            msg("Connect, or download the file elsewhere."),
        ) from error
    except (RepositoryNotFoundError, EntryNotFoundError) as error:
        raise ModelError(
            msg("There is no {reference} on the hub.", reference=reference),
            msg("Check organisation, repository and file."),
        ) from error
    except (HfHubHTTPError, httpx2.HTTPError, OSError) as error:  # the hub's library speaks HTTP with httpx2
        raise ModelError(
            msg("The download of {reference} failed: {error}.", reference=reference, error=error),
            msg("Try again; it goes on where it stopped."),
        ) from error


def _verify(reference: str, path: Path) -> None:
    """Compare a download with its hash: the hub names large files by it."""
    blob = path.resolve()
    promised = blob.name
    if len(promised) != _SHA256_DIGITS:
        return
    with blob.open("rb") as opened:
        actual = hashlib.file_digest(opened, "sha256").hexdigest()
    if actual != promised:
        blob.unlink()
        path.unlink(missing_ok=True)
        raise ModelError(
            msg("What was downloaded as {reference} is damaged and was deleted.", reference=reference),
            msg("Try again."),
        )
