"""What seeing costs: a snapshot against one subprocess per command, an idle recorder, an hour of use.

``python -m bench.collect [--json] [--rounds N]``. The phone is a virtual one in a process of its own; all ways read
the same facts from it with the same parsers. Exit status 1 when heed is slower, busier or larger than it promises.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import adbutils

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from android_bridge.events import PhoneEvents
from android_bridge.facts.reader import UnreadableError
from bench.hour import use
from bench.link import free_port, until_ready
from collectors.config import CollectorsConfig, FramesConfig
from collectors.frames import Album
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from collectors.trajectory import Recorder
from heed.clock import PhoneClock, SystemClock
from virtual_phone import PhoneState, VirtualPhone

ROUNDS = 9
IDLE_S, IDLE_PROVED_S = 10.0, 60.0
DEEDS, DEEDS_PROVED = 60, 240
"""One every quarter of a minute: a quarter of an hour, and an hour."""
FASTER, IDLE_SHARE = 5.0, 0.01
START = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)


class Row(NamedTuple):
    """One measured thing."""

    what: str
    seen: str
    promised: str = ""
    kept: bool = True


# --- the phone ------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def connected_phone(home: str) -> AsyncIterator[Device]:
    """A virtual phone in a process of its own, behind a private adb server."""
    os.environ.update(HOME=home, HEED_HOME=f"{home}/heed", ADB_USB="0", ADB_MDNS="0")
    os.environ["ADB_LOCAL_TRANSPORT_MAX_PORT"] = "5554"
    server = AdbServer(BridgeConfig(port=free_port()))
    await server.ensure_running()  # makes the key of this home, which the phone accepts
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.collect", "--serve"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdin is not None
    address = f"127.0.0.1:{int(await process.stdout.readline())}"
    try:
        await server.connect(address)
        await until_ready(server, address)
        yield Device(server, address)
    finally:
        await server.kill()
        process.stdin.close()
        await process.wait()


async def serve() -> None:
    """The phone's process: prints its port and ends with its standard input."""
    state = PhoneState.standard(START)
    state.open_app("com.google.android.apps.messaging")
    async with VirtualPhone(state).listening() as port:
        print(port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


# --- a snapshot -----------------------------------------------------------------------------------------------------
class Snapshots:
    """The facts of one phone, read in two ways."""

    def __init__(self, device: Device, config: CollectorsConfig) -> None:
        self._device, self._config = device, config
        self._sources = load_sources(config)
        self._readers = list(dict.fromkeys(need.reader for source in self._sources for need in source.needs))
        self._adb = [adbutils.adb_path(), "-P", str(device.server.port), "-s", device.serial, "shell"]
        self.attended = self.new()

    def new(self) -> Snapshotter:
        """As a command starts: nothing is known yet."""
        return Snapshotter(self._device, self._sources, PhoneClock(SystemClock()), self._config)

    async def by_subprocess(self) -> None:
        """One process per command, and the same parsers."""
        for reader in self._readers:
            process = await asyncio.create_subprocess_exec(
                *self._adb, reader.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            out, _ = await process.communicate()
            try:
                reader.parse(out.decode(errors="replace"))
            except UnreadableError:
                continue

    async def first(self) -> None:
        """A command's only snapshot."""
        await self.new().snapshot()

    async def next(self) -> None:
        """One more of a daemon: what is fresh is not read again."""
        await self.attended.snapshot()

    async def measure(self, rounds: int) -> list[Row]:
        """Each way once per round, so that a slow moment of the machine hits all alike."""
        ways = {"subprocess": self.by_subprocess, "first": self.first, "next": self.next}
        taken: dict[str, list[float]] = {way: [] for way in ways}
        for round_ in range(rounds + 1):
            for way, work in ways.items():
                start = perf_counter()
                await work()
                if round_:  # the first round warms up
                    taken[way].append(1000 * (perf_counter() - start))
        medians = {way: statistics.median(times) for way, times in taken.items()}
        faster = {way: medians["subprocess"] / medians[way] for way in ("first", "next")}
        return [
            Row(f"{len(self._readers)} commands, a subprocess each", _spread(taken["subprocess"])),
            Row("heed: a command's only snapshot", f"{_spread(taken['first'])}, {faster['first']:.1f}×"),
            Row(
                "heed: a snapshot of the daemon",
                f"{_spread(taken['next'])}, {faster['next']:.1f}×",
                f"≥ {FASTER:g}×",
                faster["next"] >= FASTER,
            ),
        ]


def _spread(times: list[float]) -> str:
    low, _, high = statistics.quantiles(times, n=4)
    return f"{statistics.median(times):.0f} ms ({low:.0f}-{high:.0f})"


# --- the recorder ---------------------------------------------------------------------------------------------------
async def idle_share(device: Device, config: CollectorsConfig, seconds: float) -> Row:
    """How busy this process is while the recorder and the event stream wait for something to happen."""
    recorder = Recorder(device, PhoneClock(SystemClock()), config, album=Album(device, config))

    async def listen() -> None:
        async with aclosing(PhoneEvents(device).listen()) as events:
            async for event in events:
                recorder.handle(event)

    tasks = [asyncio.create_task(recorder.run()), asyncio.create_task(listen())]
    await recorder.idle()
    await asyncio.sleep(2)
    before = process_time()
    await asyncio.sleep(seconds)
    share = (process_time() - before) / seconds
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return Row("idle recorder", f"{100 * share:.2f} % of a core", f"< {100 * IDLE_SHARE:g} %", share < IDLE_SHARE)


async def an_hour(server: AdbServer, folder: Path) -> Row:
    """Bytes that busy use leaves: pictures of the screens and lines of the log, as the recorder writes them."""
    hour = await use(server, folder, DEEDS_PROVED if os.environ.get("HEED_PROVE") else DEEDS)
    megabytes, limit = hour.bytes_an_hour / 1e6, FramesConfig().max_megabytes
    what = f"busy use, {hour.deeds} deeds: {hour.steps} steps, {hour.frames} pictures"
    return Row(what, f"{megabytes:.1f} MB an hour", f"≤ {limit:g} MB ever", megabytes <= limit)


async def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        await serve()
        return 0
    rows = await measure(options.rounds)
    if options.json:
        print(json.dumps([row._asdict() for row in rows], ensure_ascii=False))
    else:
        print("\n".join(f"{row.what:56}{row.seen:34}{row.promised}" for row in rows))
    for row in rows:
        if not row.kept:
            print(f"not kept: {row.what}: {row.seen} instead of {row.promised}", file=sys.stderr)
    return 0 if all(row.kept for row in rows) else 1


async def measure(rounds: int) -> list[Row]:
    """Everything, on one phone."""
    seconds = IDLE_PROVED_S if os.environ.get("HEED_PROVE") else IDLE_S
    with tempfile.TemporaryDirectory() as home:
        async with connected_phone(home) as device:
            config = CollectorsConfig(frames=FramesConfig(enabled=False))
            rows = await Snapshots(device, config).measure(rounds)
            rows.append(await idle_share(device, CollectorsConfig(), seconds))
            rows.append(await an_hour(device.server, Path(home) / "hour"))
    return rows


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
