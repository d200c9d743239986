"""``python -m bench.cluster [--days N]``: days played on a Ray cluster of one and of two nodes on this machine.

Each node is a Ray node of its own with one CPU. Prints days per minute for one and for two nodes with their ratio;
then kills one of two nodes in the middle of the days and counts the results.

It needs Ray. Where that is missing, the proof makes an environment in ``.venv-cluster``, once, and runs in it.
"""

import contextlib
import io
import os
import signal
import tempfile
import time
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.environment import ROOT, Environment
from evaluation.live.cluster import play_on_cluster
from evaluation.live.configurations import CONFIGURATIONS
from evaluation.live.days import LiveDay, load_answers, load_days
from evaluation.live.play import DayRequest, PlayedDay
from models.config import ModelsConfig

FOLDER = ROOT / "tests" / "evaluation" / "live" / "days"
_MEMORY = 100 * 2**20


def main(
    days: Annotated[int, typer.Option(min=2, help="How many days, copies of those of the tests.")] = 8,
    folder: Annotated[Path, typer.Option(help="A folder of days.", exists=True, file_okay=False)] = FOLDER,
) -> None:
    """Play days on one node, on two, and on two of which one is killed."""
    if not find_spec("ray"):
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        arguments = ["--days", str(days), "--folder", str(folder)]
        raise SystemExit(Environment("cluster", extras["cluster"]).run("bench.cluster", arguments))
    requests = _requests(folder, days)
    speeds = [_days_per_minute(requests, nodes) for nodes in (1, 2)]
    for nodes, speed in enumerate(speeds, start=1):
        print(f"{nodes} x 1 CPU: {speed:.2f} days per minute")
    print(f"ratio: {speeds[1] / speeds[0]:.2f}")
    said = io.StringIO()  # Ray prints the log of the node that is killed
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        lost = _lost_with_a_killed_node(requests)
    print(f"one of two nodes killed after the first day: {len(requests) - lost} of {len(requests)} days have a result")
    if lost:
        raise SystemExit(1)


def _requests(folder: Path, count: int) -> list[DayRequest]:
    known = [day for day in load_days(folder, load_answers(folder)) if isinstance(day, LiveDay)]
    copies = [known[number % len(known)].model_copy(update={"name": f"day {number}"}) for number in range(count)]
    routines = CONFIGURATIONS["routines"]
    return [DayRequest(day=day, configuration=routines, models=ModelsConfig(), seconds=600) for day in copies]


@contextlib.contextmanager
def _cluster(nodes: int) -> Iterator[tuple[Any, Any]]:
    """A cluster on this machine, and its last node."""
    from ray.cluster_utils import Cluster

    with tempfile.TemporaryDirectory(prefix="heed-cluster-") as scratch:
        os.environ["TMPDIR"] = scratch
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": _MEMORY})
        last = cluster.head_node
        try:
            for _ in range(nodes - 1):
                last = cluster.add_node(num_cpus=1, object_store_memory=_MEMORY)
            cluster.wait_for_nodes()
            yield cluster, last
        finally:
            cluster.shutdown()
            _end_adb_servers(scratch)


def _end_adb_servers(scratch: str) -> None:
    """End the adb servers whose days were killed; their homes are in ``scratch``."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"HOME={scratch}/".encode() in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGTERM)


def _days_per_minute(requests: list[DayRequest], nodes: int) -> float:
    """The speed after every node has played a day: the first one imports everything."""
    with _cluster(nodes) as (cluster, _):
        start = 0.0
        for played, _ in enumerate(play_on_cluster(requests, cluster.address), start=1):
            if played == nodes:
                start = time.perf_counter()
        return 60 * (len(requests) - nodes) / (time.perf_counter() - start)


def _lost_with_a_killed_node(requests: list[DayRequest]) -> int:
    with _cluster(2) as (cluster, last):
        results: list[PlayedDay] = []
        for played in play_on_cluster(requests, cluster.address):
            if not results:
                cluster.remove_node(last, allow_graceful=False)
            results.append(played)
        return len(requests) - sum(not played.fault for played in results)


if __name__ == "__main__":
    typer.run(main)
