"""How much the journal grows with each decision of silence: while its context is whole, and after a day.

``python -m bench.journal``. The context is that of a virtual phone. Exit status 1 when a silence takes more than
``PROMISED`` bytes after a day, or a flood of them more than the configured size.
"""

import asyncio
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent.journal import Database, Journal
from agent.policy.verdict import Decision, Rule
from bench.collect import connected_phone
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import ManualClock, PhoneClock, SystemClock
from models.reasoner import silence

SILENCES = 2000
PROMISED = 2000
MOST_MEGABYTES = 10.0
DAY = timedelta(days=1)


async def _context(home: str) -> Context:
    """The context of a phone that has been used a little."""
    settings = CollectorsConfig(frames=FramesConfig(enabled=False))
    async with connected_phone(home) as device:
        return await Snapshotter(device, load_sources(settings), PhoneClock(SystemClock()), settings).snapshot()


def _record(journal: Journal, context: Context) -> None:
    number = journal.record_context(context)
    made = silence("routines", "nothing usual")
    journal.record_decision(
        number, context.now, made, decision=Decision.SILENT, rule=Rule.NO_RECOMMENDATION, reason="nothing usual"
    )


def main() -> int:
    """Print the bytes of one silence; 1 when a promise is not kept."""
    with tempfile.TemporaryDirectory() as home:
        context, clock = asyncio.run(_context(home)), ManualClock(datetime.now(UTC))
        database = Database(Path(home) / "journal.sqlite3", clock)
        journal, empty = Journal(database), database.used_bytes()
        for _ in range(SILENCES):
            _record(journal, context)
        whole = (database.used_bytes() - empty) / SILENCES
        clock.advance(DAY.total_seconds())
        journal.reduce_silences(DAY)
        reduced = (database.used_bytes() - empty) / SILENCES
        for _ in range(SILENCES):
            _record(journal, context)
        journal.limit_size(MOST_MEGABYTES * 1e6)
        limited = database.used_bytes() / 1e6
        database.close()
    print(f"one silence: {whole:,.0f} bytes; after a day: {reduced:,.0f} bytes (promised: {PROMISED:,})")
    print(f"{2 * SILENCES} silences with a limit of {MOST_MEGABYTES:g} MB: {limited:.1f} MB")
    return int(reduced > PROMISED or limited > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
