"""``python -m bench.decide``: events per second through perceptor and policy on one core."""

import statistics
import time
from datetime import UTC, datetime, timedelta

from agent.config import PolicyConfig
from agent.policy import gate
from collectors.context import Context, Fact, RenderedContext, Section, Trigger
from evaluation.generator.records import records
from function_pool.spec import default_pool
from heed.trust import Trust
from models.perceptor import Perceptor

EVENTS = 1_000
START = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)


class Forgetful:
    """A memory with nothing in it."""

    def suggested_since(self, serial: str, moment: datetime) -> list[datetime]:
        return []

    def resting(self, subjects: tuple[str, ...], now: datetime) -> None:
        return None

    def permitted(self, serial: str, scope: str) -> bool:
        return False


def main() -> None:
    """Every minute an event: the policy's gate, then the perceptor's."""
    pool, perceptor, config, memory = default_pool(), Perceptor.load(), PolicyConfig(), Forgetful()
    spent, stopped, opened = [], 0, 0
    for number, record in enumerate(records(EVENTS, 11, pool)):
        said = record["reference_information"]
        words = RenderedContext.model_validate({**said, "trace": tuple(said["trace"])})
        context = _context(START + timedelta(minutes=number))
        start = time.perf_counter()
        if gate(context, memory, config) is not None:
            stopped += 1
        else:
            opened += perceptor.perceive(words, pool).opens
        spent.append(1000 * (time.perf_counter() - start))
    cuts = statistics.quantiles(spent, n=100)
    print(f"events                      {EVENTS}")
    print(f"events per second           {1000 * EVENTS / sum(spent):.0f}")
    print(f"p50 / p99                   {cuts[49]:.2f} / {cuts[98]:.2f} ms")
    print(f"stopped by the policy       {100 * stopped / EVENTS:.1f} %")
    print(f"never reach a reasoner      {100 * (1 - opened / EVENTS):.1f} %")


def _context(now: datetime) -> Context:
    state = Fact(name="call.state", value="idle", source="bench", read_at=now, trust=Trust.DEVICE)
    return Context(serial="bench", now=now, trigger=Trigger(kind="clock"), device=Section(facts=(state,)))


if __name__ == "__main__":
    main()
