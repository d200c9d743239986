"""AndroidWorld's own code on the rooted virtual phone: ``python -m bench.androidworld [TASK ...]``.

First every task is initialised, its apps are opened, and it is checked and torn down, by AndroidWorld's code: an error
or a failing adb command there is something that the virtual phone lacks. Then AndroidWorld judges heed's executors: it
prepares the phone, heed carries out functions and tasks that the owner has taught (``oracles/lessons.py``), and its
checker decides. All 116 tasks are counted: those that heed solves, and the others by the reason why it does not.

It needs the folder of oracles (``HEED_SHARED``), ffmpeg, and the dependency group ``oracles``, which it installs into
``.venv-oracles``, once.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from android_bridge.adb import AdbServer
from bench.oracles import count
from bench.oracles.androidworld import TaskRun, androidworld, table
from bench.oracles.cases import CASES
from bench.oracles.environment import OracleMissingError
from bench.oracles.judging import Judgement, judge
from bench.oracles.private_server import private_server
from executors.taught.tasks import TaughtTasks


async def run_tasks(server: AdbServer, only: Sequence[str] = ()) -> list[TaskRun]:
    """Every task of the registry, or those named."""
    async with androidworld(server) as world:
        return [await world.run(name) for name in await world.names() if not only or name in only]


async def judge_calls(server: AdbServer, only: Sequence[str] = ()) -> list[Judgement]:
    """Every case of ``CASES``, or those of the tasks named."""
    async with androidworld(server) as world:
        with tempfile.TemporaryDirectory() as folder:
            tasks = TaughtTasks(Path(folder))
            return [await judge(world, case, tasks) for case in CASES if not only or case.task in only]


async def main(only: Sequence[str]) -> int:
    """Run, print, and return the exit status."""
    try:
        async with private_server() as server:
            runs = await run_tasks(server, only)
            print("\n".join(table(runs)), flush=True)
            judgements = await judge_calls(server, only)
    except OracleMissingError as missing:
        print(missing)
        return 1
    print("\n" + "\n".join(count.table(judgements, whole=not only)))
    return int(not all(run.clean for run in runs) or not all(item.right for item in judgements))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
