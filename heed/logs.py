"""Logging: to stderr, one line a record, never prompt text, secrets redacted on the way out."""

import logging
import sys

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


def configure(level: str = "WARNING") -> None:
    """Send heed's log records to stderr at ``level``; ``UsageError`` when there is none of that name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
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
