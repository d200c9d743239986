"""Where heed keeps things: platformdirs, or everything below ``HEED_HOME``."""

import os
import warnings
from pathlib import Path

import platformdirs

from heed.errors import UsageError
from heed.messages import msg


def _below_home(kind: str) -> Path | None:
    home = os.environ.get("HEED_HOME")
    return Path(home) / kind if home else None


def config_dir() -> Path:
    """Configuration, profile and situations."""
    return _below_home("config") or Path(platformdirs.user_config_dir("heed"))


def data_dir() -> Path:
    """Journal, frames and behaviour log."""
    return _below_home("data") or Path(platformdirs.user_data_dir("heed"))


def runtime_dir() -> Path:
    """Locks and the daemon's socket."""
    with warnings.catch_warnings():
        # Without a session of systemd it is a folder below /tmp, which it warns of at each call.
        warnings.simplefilter("ignore")
        return _below_home("run") or Path(platformdirs.user_runtime_dir("heed"))


def cache_dir() -> Path:
    """What may be deleted at any time: saved prompt prefixes, downloaded answers."""
    return _below_home("cache") or Path(platformdirs.user_cache_dir("heed"))


def made(folder: Path) -> Path:
    """The folder, made where it was missing; ``UsageError`` when it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            msg("{folder} cannot be made ({strerror}).", folder=folder, strerror=error.strerror),
            msg("Set HEED_HOME to another folder."),
        ) from error
    return folder
