"""Logging: to stderr, and the daemon's to a file too; one line a record, never prompt text, secrets redacted."""

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from heed import paths
from heed.errors import UsageError
from heed.messages import msg
from heed.redaction import redact
from heed.safe_text import safe_text

_LONGEST = 20_000
"""Characters of one record with its traceback."""

_TELL_ADDRESSES = ("httpx", "httpcore", "httpx2", "httpcore2")
"""Libraries that log the address of every request below WARNING; some services have their token in it."""


class _RedactingFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return safe_text(redact(super().format(record)), multiline=True, limit=_LONGEST)


_FORMAT = _RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
_FILE_BYTES, _OLDER_FILES = 1_000_000, 2
_OWN = ("agent", "android_bridge", "collectors", "executors", "function_pool", "heed", "models")


def configure(level: str = "WARNING") -> None:
    """Send heed's log records to stderr at ``level``; ``UsageError`` when there is none of that name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_FORMAT)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    try:
        root.setLevel(level)
    except ValueError as error:
        raise UsageError(
            msg("There is no log level {level!r}.", level=level), msg("Use DEBUG, INFO, WARNING or ERROR.")
        ) from error
    for library in _TELL_ADDRESSES:
        logging.getLogger(library).setLevel(max(root.level, logging.WARNING))


def log_path() -> Path:
    """Return the file of the daemon's log."""
    return paths.log_dir() / "heed.log"


def write_to_file() -> None:
    """Write records to ``log_path`` from now on: heed's own from INFO, other packages' from WARNING.

    The file is begun anew at a megabyte; two older ones are kept beside it.
    """
    paths.create_folder(paths.log_dir())
    handler = RotatingFileHandler(log_path(), maxBytes=_FILE_BYTES, backupCount=_OLDER_FILES, encoding="utf-8")
    handler.setFormatter(_FORMAT)
    handler.addFilter(_is_wanted)
    root = logging.getLogger()
    for other in root.handlers:
        other.setLevel(max(other.level, root.level))
    root.setLevel(min(root.level, logging.INFO))
    for library in _TELL_ADDRESSES:
        logging.getLogger(library).setLevel(logging.WARNING)
    root.addHandler(handler)


def _is_wanted(record: logging.LogRecord) -> bool:
    # Other packages tell addresses at INFO, which may hold tokens.
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] in _OWN
