"""Twenty examples are taught once, each on a virtual phone over real adb, and played again on another one."""

from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from executors.wording import describe_outcome
from heed.language import Language
from tests.agent.teaching.examples import EXAMPLES, Example
from tests.agent.teaching.lessons import new_phone, played, taught
from tests.phones import connected_device


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
async def test_what_was_taught_is_done_again(example: Example, adb_server: AdbServer, tmp_path: Path) -> None:
    phone = new_phone(example)
    async with connected_device(phone, adb_server) as device:
        task = await taught(example, phone, device)
    other = new_phone(example)
    async with connected_device(other, adb_server) as device:
        outcome = await played(task, tmp_path, device, dict(example.values))
    assert example.done(other.state), describe_outcome(outcome, Language.EN)
