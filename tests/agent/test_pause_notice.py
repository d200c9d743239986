"""The notice of a pause is kept until heed ends, and never keeps heed from ending."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from agent.journal import stores_in
from agent.journal.pauses import Pause
from agent.loop.pause_notice import PauseNotice
from android_bridge.device import Device
from heed.clock import SystemClock
from heed.language import Language
from virtual_phone import VirtualPhone


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


async def test_it_is_hidden_when_heed_ends_while_it_is_being_shown(
    tmp_path: Path, phone: VirtualPhone, device: Device
) -> None:
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        stores.pauses.begin(Pause())
        notice = PauseNotice(stores, Language.EN, lambda: [(device, SystemClock())])
        running = asyncio.create_task(notice.run())
        async with asyncio.timeout(60):
            while not phone.state.notifications.visible():  # noqa: ASYNC110
                await asyncio.sleep(0)  # the phone has posted it, and has not answered yet
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        assert phone.state.notifications.visible() == []
