"""AndroidWorld's own code on the rooted virtual phone: ``python -m bench.androidworld [TASK ...]``.

First every task is initialised, its apps are opened, and it is checked and torn down, by AndroidWorld's code: an error
or a failing adb command there is something that the virtual phone lacks. Then AndroidWorld judges heed's executors: it
prepares the phone, heed carries out the functions of a task, and its checker decides.

It needs the folder of oracles (``HEED_SHARED``), ffmpeg, and the dependency group ``oracles``, which it installs into
``.venv-oracles``, once.
"""

import asyncio
import sys
from collections.abc import Sequence

from android_bridge.adb import AdbServer
from bench.oracles import judging
from bench.oracles.androidworld import TaskRun, androidworld, table
from bench.oracles.environment import OracleMissingError
from bench.oracles.private_server import private_server


async def run_tasks(server: AdbServer, only: Sequence[str] = ()) -> list[TaskRun]:
    """Every task of the registry, or those named."""
    async with androidworld(server) as world:
        return [await world.run(name) for name in await world.names() if not only or name in only]


async def judge_calls(server: AdbServer, only: Sequence[str] = ()) -> list[judging.Judgement]:
    """Every case of ``judging.CASES``, or those of the tasks named."""
    async with androidworld(server) as world:
        return [await judging.judge(world, case) for case in judging.CASES if not only or case.task in only]


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
    print("\n" + "\n".join(judging.table(judgements)))
    return int(not all(run.clean for run in runs) or not all(item.expected for item in judgements))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
