"""Spreads independent tasks over a Ray cluster; a task whose machine is lost runs again on another."""

import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from typing import Any, TypeVar

from evaluation.live.play import DayRequest, PlayedDay, play
from heed.errors import UsageError

_T = TypeVar("_T")
_R = TypeVar("_R")

RETRIES = 5
"""How often a task runs again after the loss of its machine."""
_GRACE = 120.0
"""Seconds for the start of a worker, on top of a task's own limit."""
_ANSWER = 10.0
"""Seconds in which the cluster's address must answer."""


class LostTask(Exception):
    """A task without a result; the message gives the reason."""


def spread(
    function: Callable[[_T], _R], tasks: Mapping[str, _T], address: str, *, seconds: float
) -> Iterator[tuple[str, _R | LostTask]]:
    """Runs ``function`` on each task, one CPU per task, and yields each result when there is one.

    Args:
        function: runs on the cluster's machines, where heed must be installed in the same version.
        tasks: by name.
        address: of the cluster: ``HOST:PORT`` on one of its machines, ``ray://HOST:10001`` from elsewhere.
        seconds: time limit of one task, which the function itself keeps; nothing finished for all its retries counts
            as lost.

    Raises:
        UsageError: Ray is not installed, or no cluster answers.
    """
    ray = _ray()
    # Ray reports lost machines on standard output, which may be read as JSON.
    with redirect_stdout(sys.stderr):
        yield from _spread(ray, function, tasks, address, seconds)


def _spread(
    ray: Any, function: Callable[[_T], _R], tasks: Mapping[str, _T], address: str, seconds: float
) -> Iterator[tuple[str, _R | LostTask]]:
    _connect(ray, address)
    try:
        remote = ray.remote(num_cpus=1, max_retries=RETRIES)(function)
        running = {remote.remote(task): name for name, task in tasks.items()}
        while running:
            finished, _ = ray.wait(list(running), num_returns=1, timeout=(seconds + _GRACE) * (RETRIES + 1))
            if not finished:
                yield from ((name, LostTask("no machine of the cluster ran it")) for name in running.values())
                return
            for reference in finished:
                yield running.pop(reference), _result(ray, reference)
    finally:
        ray.shutdown()


def _ray() -> Any:
    if find_spec("ray") is None:
        raise UsageError("Ray is not installed.", "Install heed-android[cluster].")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    return ray


def _connect(ray: Any, address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        # Ray itself would wait for minutes.
        socket.create_connection((host, int(port)), timeout=_ANSWER).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"No Ray cluster answers at {address}: {error}", "`ray status` lists its machines.") from error


def _result(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        return LostTask(f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}")


def play_on_cluster(requests: Sequence[DayRequest], address: str) -> Iterator[PlayedDay]:
    """Plays days on a cluster and yields each when it is finished."""
    limit = max((request.seconds for request in requests), default=0.0)
    for name, played in spread(play, {request.day.name: request for request in requests}, address, seconds=limit):
        yield PlayedDay(name=name, fault=str(played)) if isinstance(played, LostTask) else played
