"""Logging: to stderr, one line a record, never prompt text, secrets redacted on the way out."""

import logging
import sys

from heed.redaction import redact


class _RedactingFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def configure(level: str = "WARNING") -> None:
    """Send heed's log records to stderr at ``level``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
