"""KnowU-Bench's proactive templates and its controller."""

import pytest

from android_bridge.adb import AdbServer
from bench.knowu import run_templates
from tests.conftest import shared_folder
from tests.oracles.conftest import NEEDS_ENVIRONMENT
from tests.proof import PROVING

pytestmark = [NEEDS_ENVIRONMENT, pytest.mark.timeout(1800)]
_FEW = ("WeekendSleeperTask", "ScamSmsInterceptRoutineTask")


async def test_each_template_runs_without_a_failing_adb_command(adb_server: AdbServer) -> None:
    shared_folder()
    runs = await run_templates(adb_server, () if PROVING else _FEW)
    assert len(runs) == 1 + 2 * (16 if PROVING else len(_FEW))
    assert [run for run in runs if not run.clean] == []
