"""From consent to the verified effect: milliseconds per function on the virtual phone, over real adb.

    .venv/bin/python -m bench.act [--rounds 5] [--json]

Measured is ``execute`` from its call to its outcome: prepare again, act, look until the effect is there. The wait in
which heed sees that an effect stays (``VerifyTiming.settle``, 1.2 s) comes on top for effects that the phone shows by
itself; it is left out here, because it is the same for all.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from executors.runner import VerifyTiming
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.cases import CASES, Arguments, furnish
from tests.executors.servers import LocalServices
from tests.executors.test_golden_matrix import configured
from tests.phones import START, connected_device, free_port
from virtual_phone import PhoneState

_NO_SETTLING = VerifyTiming(settle=0.0)


async def once(server: AdbServer, folder: Path, function: str, arguments: Arguments) -> float:
    """Milliseconds of one call on a phone of its own."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    furnish(state)
    phone, services = WatchedPhone(state), LocalServices()
    async with connected_device(phone, server) as device, services.serving():
        acting = Acting(phone, device, configured(services, folder))
        plan = await acting.prepare(function, **arguments)
        begin = time.perf_counter()
        (outcome,) = await acting.execute(plan, _NO_SETTLING)
        took = 1000 * (time.perf_counter() - begin)
    if not outcome.ok:
        raise SystemExit(f"{function}: {outcome.message}")
    return took


async def measure(rounds: int) -> dict[str, list[float]]:
    """Every function's first call, ``rounds`` times."""
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554", "ADB_MDNS": "0"}
        server = AdbServer(BridgeConfig(port=free_port()))
        await server.ensure_running()
        try:
            return {
                function: [
                    await once(server, Path(home) / f"{function}-{number}", function, cases[0])
                    for number in range(rounds)
                ]
                for function, cases in CASES.items()
            }
        finally:
            await server.kill()


def _table(times: dict[str, list[float]]) -> Sequence[str]:
    rows = sorted(((statistics.median(values), max(values), name) for name, values in times.items()), reverse=True)
    medians = [median for median, _, _ in rows]
    lines = [f"{name:28} {median:8.1f} {worst:8.1f}" for median, worst, name in rows]
    overall = f"{'median of all':28} {statistics.median(medians):8.1f}"
    return [f"{'function':28} {'median':>8} {'worst':>8}  ms", *lines, overall]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = asyncio.run(measure(options.rounds))
    if options.json:
        json.dump(times, sys.stdout, indent=1)
    else:
        print("\n".join(_table(times)))


if __name__ == "__main__":
    main()
