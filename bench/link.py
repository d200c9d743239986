"""How fast Python reaches a phone: heed, adbutils, and the adb binary as a subprocess, side by side in one run.

``python -m bench.link [--json] [--rounds N]``. The phone answers at once (``bench.instant_phone``), so this is the
cost of the way. Each round runs every way of every task once, so that a slow moment of the machine hits all alike.
A command needs three answers in turn (adb 36 drops a request that comes before the last one's answer), so on a
machine that is busy with other things each of them waits for the processor. Exit status 1 when heed is slower than it
promises.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import NamedTuple

import adbutils

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device

ROUNDS = 15
LINES = [f"echo {number}" for number in range(15)]
ONE_LINE = "; ".join(LINES)
EXPECTED = [line.removeprefix("echo ") for line in LINES]
IN_A_ROW = {"echo": 5, "15 one by one": 2, "15 in one line": 5, "PNG 84 KB": 5}
WAYS = ("subprocess", "adbutils", "heed")
Work = Callable[[], Awaitable[None]]


class Timing(NamedTuple):
    """Milliseconds of one way of one task."""

    task: str
    way: str
    median: float
    low: float
    """First quartile; with ``high`` the spread."""
    high: float


class Promise(NamedTuple):
    """What heed must reach against the faster of the others."""

    task: str
    factor: float


PROMISES = (Promise("15 one by one", 10.0), Promise("15 in one line", 5.0), Promise("raw frame 10.4 MB", 1.0))


class Phone:
    """The same tasks by each way; every answer is checked."""

    def __init__(self, server: AdbServer, address: str) -> None:
        self._binary = [adbutils.adb_path(), "-P", str(server.port), "-s", address]
        self._adbutils = adbutils.AdbClient(server.host, server.port).device(address)
        self._heed = Device(server, address)

    def tasks(self) -> dict[str, dict[str, Work]]:
        """Task to way to work."""
        return {
            "echo": self._three(self._subprocess_lines(["echo 0"]), self._adbutils_lines(["echo 0"]), self._heed_echo),
            "15 one by one": self._three(
                self._subprocess_lines(LINES), self._adbutils_lines(LINES), self._heed_one_by_one
            ),
            "15 in one line": self._three(
                self._subprocess_lines([ONE_LINE]), self._adbutils_lines([ONE_LINE]), self._heed_batch
            ),
            "PNG 84 KB": self._three(
                self._subprocess_frame("screencap -p"), self._adbutils_frame("screencap -p"), self._heed_png
            ),
            "raw frame 10.4 MB": self._three(
                self._subprocess_frame("screencap"), self._adbutils_frame("screencap"), self._heed_raw
            ),
        }

    def _three(self, *works: Work) -> dict[str, Work]:
        return dict(zip(WAYS, works, strict=True))

    def _subprocess_lines(self, lines: list[str]) -> Work:
        async def work() -> None:
            for line in lines:
                _check_lines(line, self._subprocess("shell", line).decode())

        return work

    def _adbutils_lines(self, lines: list[str]) -> Work:
        async def work() -> None:
            for line in lines:
                _check_lines(line, str(self._adbutils.shell(line)))

        return work

    def _subprocess_frame(self, line: str) -> Work:
        async def work() -> None:
            _check_frame(self._subprocess("exec-out", line))

        return work

    def _adbutils_frame(self, line: str) -> Work:
        async def work() -> None:
            _check_frame(self._adbutils.shell(line, encoding=None))

        return work

    def _subprocess(self, *words: str) -> bytes:
        return subprocess.run([*self._binary, *words], check=True, capture_output=True, timeout=60).stdout

    async def _heed_echo(self) -> None:
        _check_lines("echo 0", (await self._heed.shell("echo 0")).stdout)

    async def _heed_one_by_one(self) -> None:
        for line in LINES:
            _check_lines(line, (await self._heed.shell(line)).stdout)

    async def _heed_batch(self) -> None:
        results = await self._heed.batch(LINES)
        _check_lines(ONE_LINE, "".join(result.stdout for result in results))

    async def _heed_png(self) -> None:
        _check_frame((await self._heed.screenshot()).png)

    async def _heed_raw(self) -> None:
        _check_frame((await self._heed.frame()).rgba)


def _check_lines(line: str, answer: str) -> None:
    if answer.split() != [word.removeprefix("echo ") for word in line.split("; ")]:
        raise AssertionError(f"wrong answer to {line!r}: {answer[:100]!r}")


def _check_frame(data: bytes | memoryview) -> None:
    if len(data) < 80_000:
        raise AssertionError(f"a frame of {len(data)} bytes")


async def measure(phone: Phone, rounds: int) -> list[Timing]:
    """Every way of every task, ``rounds`` times; each time once untimed, then a few times timed.

    The untimed one is for the processor: after a way that sleeps, the next one would pay for waking it up.
    """
    tasks = phone.tasks()
    taken: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for task, works in tasks.items():
            for way, work in works.items():
                await work()
                for _ in range(IN_A_ROW.get(task, 1)):
                    start = perf_counter()
                    await work()
                    taken.setdefault((task, way), []).append(1000 * (perf_counter() - start))
    return [_timing(task, way, times) for (task, way), times in taken.items()]


def _timing(task: str, way: str, times: list[float]) -> Timing:
    low, _, high = statistics.quantiles(times, n=4)
    return Timing(task, way, statistics.median(times), low, high)


def factors(timings: list[Timing]) -> dict[str, float]:
    """How many times faster heed is than the faster of the others, per task: ratios of medians."""
    medians = {(timing.task, timing.way): timing.median for timing in timings}
    return {
        task: min(medians[task, way] for way in WAYS if way != "heed") / medians[task, "heed"]
        for task in dict.fromkeys(timing.task for timing in timings)
    }


def table(timings: list[Timing]) -> str:
    """Median and quartiles in milliseconds."""
    of = {(timing.task, timing.way): timing for timing in timings}
    faster = factors(timings)
    rows = [f"{'median ms (quartiles)':20}" + "".join(f"{way:>26}" for way in WAYS) + f"{'heed':>9}"]
    for task, factor in faster.items():
        cells = (of[task, way] for way in WAYS)
        shown = (f"{cell.median:.2f} ({cell.low:.2f}-{cell.high:.2f})" for cell in cells)
        rows.append(f"{task:20}" + "".join(f"{cell:>26}" for cell in shown) + f"{factor:8.1f}×")
    return "\n".join(rows)


def broken(timings: list[Timing]) -> list[str]:
    """The promises that this run did not keep."""
    faster = factors(timings)
    return [
        f"{promise.task}: {faster[promise.task]:.1f}× instead of {promise.factor:g}×"
        for promise in PROMISES
        if faster[promise.task] < promise.factor
    ]


@asynccontextmanager
async def connected_phone() -> AsyncIterator[Phone]:
    """A private adb server with the instant phone on it, in a process of its own."""
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, ADB_USB="0", ADB_MDNS="0", ADB_LOCAL_TRANSPORT_MAX_PORT="5554")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.instant_phone"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None and process.stdin is not None
        address = f"127.0.0.1:{int(await process.stdout.readline())}"
        server = AdbServer(BridgeConfig(port=free_port()))
        await server.ensure_running()
        try:
            await server.connect(address)
            await until_ready(server, address)
            yield Phone(server, address)
        finally:
            await server.kill()
            process.stdin.close()
            await process.wait()


async def until_ready(server: AdbServer, address: str) -> None:
    """Wait until the server calls the phone ``device``."""
    async with asyncio.timeout(20):
        async for entries in server.track():
            if (address, "device") in entries:
                return


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    async with connected_phone() as phone:
        timings = await measure(phone, options.rounds)
    if options.json:
        print(json.dumps({"timings": [timing._asdict() for timing in timings], "factors": factors(timings)}))
    else:
        print(table(timings))
    for promise in broken(timings):
        print(f"not kept: {promise}", file=sys.stderr)
    return 1 if broken(timings) else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
