"""A daemon that stops for ever at one stage, to be killed there.

``python -m tests.faults.stopping PORT HOME SERIAL STAGE``, with the adb server's port and the journal's folder.
The stages that happen on the phone do not stop it; whoever reaches them there kills it.
"""

import asyncio
import sys
import time
from pathlib import Path

from agent.compose import compose
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from tests.agent.make import config_of
from tests.faults.injected import Fault
from tests.faults.monitored import Interruption, Owner, interrupted, monitored
from tests.faults.stages import Stage


class _Stops(Fault):
    """Says so, and does nothing more."""

    def __init__(self) -> None:
        """Needs no setting: it breaks nothing else."""

    def begin(self) -> None:
        print("stopped", flush=True)
        time.sleep(3600)


async def run(port: int, home: Path, serial: str, stage: Stage) -> None:
    """Monitor the phone until killed."""
    interruption = Interruption(stage)
    interruption.arm(_Stops())
    async with (
        compose(config_of(AdbServer(BridgeConfig(port=port)), home)) as runtime,
        monitored(interrupted(runtime, interruption), serial, Owner(interruption)),
    ):
        print("monitored", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Stage(sys.argv[4])))
