"""The notice of a pause is kept until heed ends, and never keeps heed from ending."""

import asyncio
from pathlib import Path

import pytest

from agent.journal import stores_in
from agent.loop.pause_notice import PauseNotice
from heed.language import Language


@pytest.mark.parametrize("turns", range(5))
async def test_it_ends_when_it_is_cancelled_together_with_a_change(tmp_path: Path, turns: int) -> None:
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        notice = PauseNotice(stores, Language.EN, tuple)
        running = asyncio.create_task(notice.run())
        await asyncio.sleep(0.01)
        notice.refresh()
        for _ in range(turns):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait([running], timeout=5)
        assert running.cancelled()
