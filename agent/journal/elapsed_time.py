"""The elapsed time: how long this machine has been running since the journal was made, in seconds.

It is counted by the host's monotonic clock, which nobody can turn, and kept in the journal over restarts. Retention,
rate limits, cool-downs and timed undos are measured on it. The time in which the machine is off is not counted, because
only clocks that can be turned would tell it: what shall not happen early happens late rather than early.
"""

import logging
import sqlite3
from typing import NamedTuple

from heed.clock import Clock

log = logging.getLogger(__name__)

_SAVE_EVERY = 60.0
"""Seconds of elapsed time that a sudden end of the machine may take back."""


class _Anchor(NamedTuple):
    """An elapsed time, and when the host's monotonic clock showed it."""

    boot: str
    monotonic: float
    elapsed: float

    def at(self, boot: str, monotonic: float) -> "_Anchor":
        """The anchor moved to a later reading of the clock; the same elapsed time after a start of the host."""
        passed = max(0.0, monotonic - self.monotonic) if boot == self.boot else 0.0
        return _Anchor(boot, monotonic, self.elapsed + passed)


class ElapsedTime:
    """The elapsed time of one journal file; every process that opens it sees the same."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self._db, self._clock = connection, clock
        self._saved: _Anchor | None = None

    def now(self) -> float:
        """The elapsed time in seconds; it never goes back while the machine runs."""
        boot, monotonic = self._clock.boot, self._clock.monotonic()
        before = self._saved or self._read() or _Anchor(boot, monotonic, 0.0)
        current = before.at(boot, monotonic)
        if self._saved is None or boot != before.boot or not 0 <= monotonic - before.monotonic < _SAVE_EVERY:
            self._save(current)
        return current.elapsed

    def _read(self) -> _Anchor | None:
        row = self._db.execute("SELECT boot, monotonic, elapsed FROM elapsed_time").fetchone()
        return _Anchor(*row) if row else None

    def _save(self, current: _Anchor) -> None:
        self._saved = current
        try:
            self._db.execute("INSERT OR REPLACE INTO elapsed_time VALUES (1, ?, ?, ?)", current)
        except sqlite3.OperationalError as error:  # a locked file or a full disk: it is saved the next time
            log.warning("the elapsed time could not be saved: %s", error)
