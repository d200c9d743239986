"""AndroidWorld's initialisers and checkers, and its verdict on the executors."""

import pytest

from android_bridge.adb import AdbServer
from bench.androidworld import judge_calls, run_tasks
from bench.oracles.androidworld import androidworld
from bench.oracles.count import count, unaccounted
from tests.conftest import shared_folder
from tests.oracles.conftest import NEEDS_ENVIRONMENT
from tests.proof import PROVING

pytestmark = [NEEDS_ENVIRONMENT, pytest.mark.timeout(1800)]
_FEW = (
    "SystemWifiTurnOff",
    "ContactsAddContact",
    "SimpleSmsSend",
    "RetroPlayingQueue",
    "SimpleCalendarAddRepeatingEvent",
    "SimpleCalendarLocationOfEvent",
    "MarkorChangeNoteContent",
)
"""One of each kind: settings, a provider, messages, an app's own database, an app that makes its database again, taught
tasks."""
_SOLVED = 51


async def test_each_task_initialises_and_checks_without_a_failing_command(adb_server: AdbServer) -> None:
    shared_folder()
    runs = await run_tasks(adb_server, () if PROVING else _FEW)
    assert len(runs) == (116 if PROVING else len(_FEW))
    assert [run for run in runs if not run.clean] == []


async def test_their_checkers_accept_what_the_executors_do(adb_server: AdbServer) -> None:
    shared_folder()
    judgements = await judge_calls(adb_server, () if PROVING else _FEW)
    assert judgements
    assert [item for item in judgements if not item.right] == []
    assert not PROVING or len(count(judgements).solved) >= _SOLVED


async def test_every_task_has_a_case_or_a_reason(adb_server: AdbServer) -> None:
    shared_folder()
    async with androidworld(adb_server) as world:
        assert unaccounted(await world.names()) == set()
