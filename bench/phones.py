"""What a virtual phone costs: memory while idle, and time for a whole snapshot when there are many.

``python -m bench.phones [--json] [--rounds N] [--phones N]``. The phones live together in a process of their own
behind one real adb server; heed is this process. Exit status 1 when a phone is larger, or many slower, than promised.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from bench.collect import Row
from bench.link import free_port, until_ready
from collectors.config import CollectorsConfig, FramesConfig
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import PhoneClock, SystemClock
from virtual_phone import PhoneState, VirtualPhone

PHONES, ROUNDS = 20, 5
IDLE_MEGABYTES = 1.0
"""Promised resident memory of a phone that was asked nothing yet."""
TOGETHER = 1.25
"""Promised longest time for all phones at once, as a multiple of as many times one phone's."""
START = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)


class Herd:
    """Virtual phones in one process, each as a ``Device`` of ours."""

    def __init__(self, pid: int, devices: Sequence[Device], config: CollectorsConfig) -> None:
        self._pid, self.devices, self._config = pid, devices, config

    def megabytes(self) -> float:
        """Resident memory of the phones' process."""
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(self._pid)], check=True, capture_output=True, timeout=20)
        return int(shown.stdout) / 1024

    async def look(self, device: Device) -> int:
        """A whole snapshot with nothing known before; how many facts it has."""
        clock, sources = PhoneClock(SystemClock()), load_sources(self._config)
        return len(list((await Snapshotter(device, sources, clock, self._config).snapshot()).facts()))

    async def look_at_one(self) -> list[int]:
        """One phone's snapshot."""
        return [await self.look(self.devices[0])]

    async def look_at_all(self) -> list[int]:
        """Every phone's snapshot, all at once."""
        return await asyncio.gather(*(self.look(device) for device in self.devices))


@asynccontextmanager
async def herd(count: int, home: Path) -> AsyncIterator[Herd]:
    """``count`` phones in a process of their own behind a private adb server."""
    server = AdbServer(BridgeConfig(port=free_port()))
    await server.ensure_running()  # makes the key of this home, which the phones accept
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.phones", "--serve", str(count)), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdin is not None
    addresses = [f"127.0.0.1:{port}" for port in json.loads(await process.stdout.readline())]
    try:
        for address in addresses:
            await server.connect(address)
            await until_ready(server, address)
        config = CollectorsConfig(profile=home / "none.yaml", frames=FramesConfig(enabled=False))
        yield Herd(process.pid, [Device(server, address) for address in addresses], config)
    finally:
        await server.kill()
        process.stdin.close()
        await process.wait()


async def serve(count: int) -> None:
    """The phones' process: prints their ports and ends with its standard input."""
    async with AsyncExitStack() as stack:
        phones = [VirtualPhone(PhoneState.standard(START, serial=f"vphone-{number}")) for number in range(count)]
        print(json.dumps([await stack.enter_async_context(phone.listening()) for phone in phones]), flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def measure(count: int, rounds: int, home: Path) -> list[Row]:
    """AnswerHistory of no phones and of ``count``, then their snapshots."""
    async with herd(0, home) as nobody:
        empty = nobody.megabytes()
    async with herd(count, home) as many:
        idle = (many.megabytes() - empty) / count
        one, together = await _timed(many, rounds)
        asked = (many.megabytes() - empty) / count
    ratio = statistics.median(together) / (count * statistics.median(one))
    return [
        Row("the process without a phone", f"{empty:.0f} MB"),
        Row("an idle phone", f"{idle:.2f} MB", f"≤ {IDLE_MEGABYTES:g} MB", idle <= IDLE_MEGABYTES),
        Row(f"a phone after {len(together) + 1} whole snapshots", f"{asked:.2f} MB"),
        Row("a whole snapshot of one phone", _spread(one)),
        Row(
            f"whole snapshots of {count} phones at once",
            f"{_spread(together)}, {ratio:.2f} × {count} × one",
            f"≤ {TOGETHER:g} × {count} × one",
            ratio <= TOGETHER,
        ),
    ]


async def _timed(phones: Herd, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of one phone's snapshot and of all at once, in turn, so that a slow moment hits both."""
    one: list[float] = []
    together: list[float] = []
    for round_ in range(rounds + 1):
        for work, taken in ((phones.look_at_one, one), (phones.look_at_all, together)):
            start = perf_counter()
            facts = await work()
            if len(set(facts)) != 1 or not facts[0]:
                raise AssertionError(f"snapshots of {facts} facts")
            if round_:  # the first round warms up
                taken.append(1000 * (perf_counter() - start))
    return one, together


def _spread(times: list[float]) -> str:
    low, _, high = statistics.quantiles(times, n=4)
    return f"{statistics.median(times):.0f} ms ({low:.0f}-{high:.0f})"


async def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve is not None:
        await serve(options.serve)
        return 0
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, HEED_HOME=f"{home}/heed", ADB_USB="0", ADB_MDNS="0")
        os.environ["ADB_LOCAL_TRANSPORT_MAX_PORT"] = "5554"
        rows = await measure(options.phones, options.rounds, Path(home))
    if options.json:
        print(json.dumps([row._asdict() for row in rows], ensure_ascii=False))
    else:
        print("\n".join(f"{row.what:46}{row.seen:42}{row.promised}" for row in rows))
    for row in rows:
        if not row.kept:
            print(f"not kept: {row.what}: {row.seen} instead of {row.promised}", file=sys.stderr)
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
