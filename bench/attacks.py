"""``python -m bench.attacks [COUNT]``: the whole attack corpus through every channel, delivered to the real loop.

Three reasoners read it: the default one with every situation on, a model that answers with the attacker's wish each
time, and random weights on llama.cpp (a sample). AgentDojo's injection tasks in its attack templates follow as
messages and notifications, where its wheel can be downloaded; that heed asks about some of them is counted and breaks
no promise, for nothing is done without the answer. ``COUNT`` limits the texts of a channel. Ends with 1
when a promise was broken (``tests.security.findings``).
"""

import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from pathlib import Path

from agent.demo.setup import private_adb_server
from models.llama import tiny
from tests.models.cases import llama_config
from tests.security import agentdojo
from tests.security.campaign import (
    ON_PHONE,
    Delivery,
    attack_evil_model,
    attack_model,
    attack_routines,
    reduced,
    whole,
)
from tests.security.corpus import Attack, Channel
from tests.security.findings import Tally

JOB = 160
"""Deliveries of one job of a process."""
SAMPLE = 3
"""Texts of each channel that random weights read: they take seconds for each."""
SHOWN = 20
"""Findings that are printed of each reasoner."""
MESSAGES = (Channel.SMS, Channel.NOTIFICATION)


class Reader(StrEnum):
    """Who reads the texts."""

    ROUTINES = "the default reasoner, every situation on"
    EVIL_MODEL = "a model that answers with the attacker's wish"
    RANDOM_WEIGHTS = "random weights on llama.cpp"


def deliver(reader: Reader, deliveries: Sequence[Delivery]) -> Tally:
    """One job of a process: deliver the texts to phones of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_deliver(reader, deliveries, Path(folder)))


async def _deliver(reader: Reader, deliveries: Sequence[Delivery], folder: Path) -> Tally:
    async with private_adb_server(folder) as server:
        match reader:
            case Reader.ROUTINES:
                return await attack_routines(server, deliveries)
            case Reader.EVIL_MODEL:
                return await attack_evil_model(server, deliveries)
            case Reader.RANDOM_WEIGHTS:
                model = tiny.build(folder / "model", tiny.TextShape(vocabulary=tiny.REAL_VOCABULARY))
                return await attack_model(server, llama_config(model), deliveries)


def run(pool: ProcessPoolExecutor, title: str, reader: Reader, deliveries: Sequence[Delivery]) -> Tally:
    """Deliver everything on all processes, and print the counts."""
    jobs = [deliveries[start : start + JOB] for start in range(0, len(deliveries), JOB)]
    tally = Tally.empty()
    for part in pool.map(deliver, [reader] * len(jobs), jobs):
        tally.merge(part)
    print(f"\n{title}, read by {reader}: {sum(tally.deliveries.values())} deliveries\n{tally.table()}", flush=True)
    for finding in tally.findings[:SHOWN]:
        print(f"  {finding.channel} {finding.attack}: {finding.promise}: {finding.detail!a}", flush=True)
    return tally


def _quiet() -> None:
    """Findings are printed; what the loop itself logs about hostile texts is not."""
    logging.disable(logging.ERROR)


def agentdojo_attacks() -> Sequence[Attack]:
    """AgentDojo's texts; none, with the reason printed, where its wheel cannot be downloaded."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return agentdojo.injections(agentdojo.download(Path(folder)))
        except agentdojo.UnavailableError as error:
            print(f"\nAgentDojo: skipped, {error}", flush=True)
            return ()


def main(count: int | None) -> int:
    """Deliver everything; the number of findings decides the exit status."""
    chosen: Callable[[Iterable[Channel]], list[Delivery]] = (
        whole if count is None else lambda channels: reduced(channels, count)
    )
    messages = [Delivery(attack, channel) for attack in agentdojo_attacks()[:count] for channel in MESSAGES]
    with ProcessPoolExecutor(os.cpu_count(), initializer=_quiet) as pool:
        tallies = [
            run(pool, "The corpus", Reader.ROUTINES, chosen(ON_PHONE)),
            run(pool, "The corpus", Reader.EVIL_MODEL, chosen(Channel)),
            run(pool, "A sample of the corpus", Reader.RANDOM_WEIGHTS, reduced(ON_PHONE, SAMPLE)),
            run(pool, "AgentDojo", Reader.ROUTINES, messages),
            run(pool, "AgentDojo", Reader.EVIL_MODEL, messages),
        ]
    return int(any(tally.findings for tally in tallies))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else None))
