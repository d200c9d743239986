"""Where heed keeps things: platformdirs, or everything below ``HEED_HOME``."""

import os
from pathlib import Path

import platformdirs


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
    return _below_home("run") or Path(platformdirs.user_runtime_dir("heed"))


def cache_dir() -> Path:
    """What may be deleted at any time: saved prompt prefixes, downloaded answers."""
    return _below_home("cache") or Path(platformdirs.user_cache_dir("heed"))
