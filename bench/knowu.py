"""KnowU-Bench's own code on the rooted virtual phone: ``python -m bench.knowu [TEMPLATE ...]``.

Its proactive templates are initialised and scored for both personas, and its controller does to the phone all that it
can. A failing adb command is something that the virtual phone lacks. It needs the folder of oracles (``HEED_SHARED``),
and the dependency group ``oracles``, which it installs into ``.venv-oracles``, once.
"""

import asyncio
import sys
from collections.abc import Sequence

from android_bridge.adb import AdbServer
from bench.oracles.androidworld import TaskRun
from bench.oracles.environment import OracleMissingError
from bench.oracles.knowu import PERSONAS, knowu, table
from bench.oracles.private_server import private_server


async def run_templates(server: AdbServer, only: Sequence[str] = ()) -> list[TaskRun]:
    """The controller, and every template (or those named) for each persona."""
    async with knowu(server) as world:
        names = [name for name in await world.names() if not only or name in only]
        return [await world.control(), *[await world.run(name, person) for name in names for person in PERSONAS]]


async def main(only: Sequence[str]) -> int:
    """Run, print, and return the exit status."""
    try:
        async with private_server() as server:
            runs = await run_templates(server, only)
    except OracleMissingError as missing:
        print(missing)
        return 1
    print("\n".join(table(runs)))
    return int(not all(run.clean for run in runs))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
