"""The folders of configuration, data, locks and cache: those of platformdirs, or all below ``HEED_HOME``."""

import os
import warnings
from pathlib import Path

import platformdirs

from heed.errors import UsageError
from heed.messages import msg
from heed.write_errors import write_remedy


def _below_home(kind: str) -> Path | None:
    home = os.environ.get("HEED_HOME")
    return Path(home) / kind if home else None


def config_dir() -> Path:
    """Return the folder of configuration, profile and situations."""
    return _below_home("config") or Path(platformdirs.user_config_dir("heed"))


def data_dir() -> Path:
    """Return the folder of journal, frames and behaviour log."""
    return _below_home("data") or Path(platformdirs.user_data_dir("heed"))


def runtime_dir() -> Path:
    """Return the folder of locks and the daemon's socket."""
    with warnings.catch_warnings():
        # Without a systemd session platformdirs falls back to a folder below /tmp and warns at each call.
        warnings.simplefilter("ignore")
        return _below_home("run") or Path(platformdirs.user_runtime_dir("heed"))


def cache_dir() -> Path:
    """Return the folder of what may be deleted at any time: saved prompt prefixes, cached responses."""
    return _below_home("cache") or Path(platformdirs.user_cache_dir("heed"))


def log_dir() -> Path:
    """Return the folder of the daemon's log."""
    return _below_home("log") or Path(platformdirs.user_log_dir("heed"))


def create_folder(folder: Path) -> Path:
    """Create the folder if it is missing and return it; raises ``UsageError`` when that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            msg("{folder} cannot be made ({strerror}).", folder=folder, strerror=error.strerror),
            write_remedy(error, msg("Set HEED_HOME to another folder.")),
        ) from error
    return folder
