"""``python -m bench.decide``: events per second through policy, perceptor and habits and situations, on one core.

A day of events, one a minute, with generated moments. The perceptor does not stand before the reasoners in the daemon
(see its card); the share of events that it would keep from one is told as what it is. Ends with 1 above ``P50_MS``.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from agent.config import PolicyConfig
from agent.journal.answer_history import UnansweredRequest
from agent.policy.grants import Scope
from agent.policy.recent_actions import RecentActions
from agent.policy.rules import check_moment, check_recommendation
from agent.policy.threshold import Tally
from collectors.context import Context, Fact, RenderedContext, Section, Trigger, TriggerKind
from function_pool.spec import Pool, default_pool
from heed.trust import Trust
from models.perceptor import Perceptor
from models.routines.reasoner import RoutinesReasoner
from models.routines.rules.situations import builtin_situations
from training.generator.records import records

EVENTS = 1_440
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
P50_MS = 10.0


class NoAnswers:
    """A past without suggestions, answers and grants; all stores in one."""

    @property
    def history(self) -> "NoAnswers":
        return self

    cool_downs = grants = pauses = history

    def current(self, now: datetime) -> None:
        """Not paused."""

    def suggestions(self, serial: str, within: timedelta) -> int:
        return 0

    def longest(self, subjects: tuple[str, ...]) -> None:
        return None

    def scopes(self, serial: str) -> list[Scope]:
        return []

    def answers_to(self, topic: str, function: str, within: timedelta) -> Tally:
        return Tally()

    def unanswered(self, within: timedelta) -> list[UnansweredRequest]:
        return []


class Event(NamedTuple):
    """Something that happens: the moment as facts, and as words."""

    context: Context
    words: RenderedContext


class Decider:
    """What an event goes through."""

    def __init__(self, pool: Pool) -> None:
        self._pool, self._names = pool, tuple(spec.name for spec in pool)
        self._perceptor, self._recent_actions = Perceptor.load(), RecentActions(pool)
        self._reasoner = RoutinesReasoner((), builtin_situations())
        self._past, self._config = NoAnswers(), PolicyConfig()

    def decide(self, event: Event) -> str:
        """``policy``, ``perceptor`` or ``reasoner``: how far the event came."""
        context = event.context
        if check_moment(context, self._past, self._config) is not None:
            return "policy"
        opens = self._perceptor.perceive(event.words, self._pool).opens
        made = self._reasoner.decide(context, self._pool, self._names)
        if check_recommendation(made, context.now, self._past, self._config) is None:
            self._recent_actions.repeats(made.calls, self._recent_actions.by_owner(context))
        return "reasoner" if opens else "perceptor"


def events(pool: Pool) -> Sequence[Event]:
    """A day of generated moments."""
    made = []
    for number, record in enumerate(records(EVENTS, 11, pool)):
        said = record["reference_information"]
        words = RenderedContext.model_validate({**said, "trace": tuple(said["trace"])})
        made.append(Event(_context(MIDNIGHT + timedelta(minutes=number), words), words))
    return made


def _context(now: datetime, words: RenderedContext) -> Context:
    lines = [{"time": now.isoformat(), "location": "home", "action": line} for line in words.trace]
    state = Fact(name="call.state", value="idle", source="bench", read_at=now, trust=Trust.DEVICE)
    log = Fact.model_validate(
        {"name": "log.recent", "value": lines, "source": "bench", "read_at": now, "trust": Trust.THIRD_PARTY}
    )
    return Context(
        serial="bench",
        now=now,
        trigger=Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 15, "plugged": False}),
        device=Section(facts=(state,)),
        trajectory=Section(facts=(log,)),
    )


def main() -> int:
    """Time each event of the day."""
    pool = default_pool()
    decider, spent, ended = Decider(pool), [], []
    for event in events(pool):
        start = time.perf_counter()
        ended.append(decider.decide(event))
        spent.append(1000 * (time.perf_counter() - start))
    cuts = statistics.quantiles(spent, n=100)
    print(f"events                              {len(spent)}")
    print(f"events per second                   {1000 * len(spent) / sum(spent):.0f}")
    print(f"p50 / p99                           {cuts[49]:.2f} / {cuts[98]:.2f} ms (p50 at most {P50_MS:.0f} ms)")
    print(f"stopped by the policy               {_share(ended, 'policy')}")
    print(f"the perceptor would stop            {_share(ended, 'perceptor')}")
    print(f"would reach a language model        {_share(ended, 'reasoner')}")
    return int(cuts[49] > P50_MS)


def _share(ended: Sequence[str], where: str) -> str:
    return f"{100 * ended.count(where) / len(ended):.1f} %"


if __name__ == "__main__":
    sys.exit(main())
