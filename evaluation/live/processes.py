"""Plays days on this machine, each in a process of its own: a day that crashes or hangs stops no other."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.connection import Connection

from evaluation.live.play import DayRequest, PlayedDay, play

_SPAWN = get_context("spawn")
_GRACE = 60.0
"""Seconds for the start of a process and for its end after its time limit."""


def play_in_processes(requests: Sequence[DayRequest], jobs: int) -> Iterator[PlayedDay]:
    """Plays ``jobs`` days at a time and yields each when it is finished."""
    with ThreadPoolExecutor(jobs) as threads:
        try:
            for done in as_completed([threads.submit(_play_in_process, request) for request in requests]):
                yield done.result()
        finally:
            threads.shutdown(cancel_futures=True)


def _play_in_process(request: DayRequest) -> PlayedDay:
    receiver, sender = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=_send, args=(request, sender), daemon=True)
    process.start()
    sender.close()
    try:
        if receiver.poll(request.seconds + _GRACE):
            played: PlayedDay = receiver.recv()
            process.join(_GRACE)
            return played
        return PlayedDay(name=request.day.name, fault=f"no answer after {request.seconds + _GRACE:g} s")
    except EOFError:
        process.join(_GRACE)
        return PlayedDay(name=request.day.name, fault=f"its process ended with status {process.exitcode}")
    finally:
        process.kill()
        receiver.close()


def _send(request: DayRequest, sender: Connection) -> None:
    sender.send(play(request))
