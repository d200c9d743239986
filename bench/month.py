"""``python -m bench.month [LOG...]``: a persona's behaviour log lived through with real policy, habits and situations.

Each line of the log wakes heed as the phone would: by what it says happened, otherwise by the screen; and each habit
wakes it when it is due. Habits are mined from the lines before that day. The persona says yes when the log shows them
doing just that by hand within ``SOON``, and no otherwise; a no counts as a false trigger. The log is lived twice: the
first time heed knows nobody, the second time, later, it knows the log. Without a log, the demo's persona lives.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from agent.config import PolicyConfig
from agent.consent.request import Answer, ChannelName
from agent.journal import stores_in
from agent.policy.recent_actions import RecentActions, lookback
from agent.policy.rules import check_moment, check_recommendation, subjects
from agent.policy.verdict import Decision, Rule
from collectors.context import Context, Fact, LogEntry, Section, Trigger, TriggerKind
from evaluation.knowu.cases import load_log
from executors.plan import Plan, Step
from function_pool.call import FunctionCall
from function_pool.spec import Pool, default_pool
from heed.clock import ManualClock
from heed.model import Frozen
from heed.trust import Trust
from models.reasoner import Recommendation
from models.routines.language.lexicon import default_lexicon
from models.routines.language.log_reader import LogReader, ParsedEntry
from models.routines.mining.habit import Habit
from models.routines.mining.history import History
from models.routines.mining.miner import Miner
from models.routines.reasoner import RoutinesReasoner
from models.routines.rules.situations import builtin_situations

SOON = timedelta(minutes=45)
WEEK = timedelta(weeks=1)
DEMO = files("virtual_phone").joinpath("scenarios", "demo.jsonl")
_SERIAL = "persona"
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*")


class Figures(Frozen):
    """What one life of the log was like."""

    days: int
    moments: int
    """How often heed was woken."""
    suggestions: int
    accepted: int
    most_on_a_day: int
    of_function: dict[str, tuple[int, int]]
    """Accepted and rejected."""

    @property
    def false_per_day(self) -> float:
        return (self.suggestions - self.accepted) / self.days


class _Asked(NamedTuple):
    day: date
    function: str
    accepted: bool


class Life:
    """One persona with a journal of their own."""

    def __init__(self, folder: Path, pool: Pool, config: PolicyConfig) -> None:
        self._open = ExitStack()
        self._clock = ManualClock(datetime.min.replace(tzinfo=UTC))
        self._stores = self._open.enter_context(stores_in(folder / "journal.db", self._clock))
        self._pool, self._config = pool, config
        self._reader, self._miner, self._recent_actions = (
            LogReader(default_lexicon(), pool),
            Miner(pool),
            RecentActions(pool),
        )

    def close(self) -> None:
        self._open.close()

    def live(self, log: Sequence[LogEntry]) -> Figures:
        """Live through ``log`` day by day, learning at the end of each day."""
        readings = [self._reader.read(entry) for entry in sorted(log, key=lambda entry: entry.time)]
        asked: list[_Asked] = []
        history, moments = History(readings), 0
        for day in sorted({one.entry.time.date() for one in readings}):
            today = [one for one in readings if one.entry.time.date() == day]
            habits = self._miner.habits()
            reasoner = RoutinesReasoner(habits, builtin_situations())
            for context in _moments(today, habits, history):
                moments += 1
                asked += self._decide(context, reasoner, today)
            self._miner.add(one.entry for one in today)
        return _figures(asked, len({one.entry.time.date() for one in readings}), moments)

    def _decide(self, context: Context, reasoner: RoutinesReasoner, today: Sequence[ParsedEntry]) -> Iterator[_Asked]:
        """One look: policy, reasoner, policy, and the persona's answer."""
        self._clock.set(context.now)
        if check_moment(context, self._stores, self._config) is not None:
            return
        made = reasoner.decide(context, self._pool, tuple(spec.name for spec in self._pool))
        if check_recommendation(made, context.now, self._stores, self._config) is not None:
            return
        if self._recent_actions.repeats(made.calls, _just_done(context.now, lookback(made), today)):
            return
        accepted = _wanted(made, context.now, today)
        self._remember(context, made, accepted)
        yield _Asked(context.now.date(), made.calls[0].name, accepted)

    def _remember(self, context: Context, made: Recommendation, accepted: bool) -> None:
        at = self._stores.journal.record_context(context)
        decided = self._stores.journal.record_decision(
            at, context.now, made, decision=Decision.ASK, rule=Rule.ASK_FIRST, reason=""
        )
        steps = tuple(Step(call=call, effects=(), risk=self._pool.get(call.name).risk) for call in made.calls)
        plan = Plan(serial=_SERIAL, steps=steps, prepared_at=context.now)
        planned = self._stores.journal.record_plan(decided, plan)
        self._stores.journal.record_answer(
            planned, plan.hash, context.now, Answer.ONCE if accepted else Answer.NOT_NOW, ChannelName.SCRIPT
        )
        if accepted:
            self._stores.cool_downs.accept(subjects(made))
        else:
            rest = timedelta(hours=self._config.cool_down_hours)
            self._stores.cool_downs.reject(subjects(made), rest)


_DAY = timedelta(days=1)


def _wanted(made: Recommendation, now: datetime, today: Sequence[ParsedEntry]) -> bool:
    """Whether the persona does the same by hand now or soon after."""
    done = {action.function for one in today if now <= one.entry.time <= now + SOON for action in one.actions}
    return any(call.name in done for call in made.calls)


def _just_done(now: datetime, within: timedelta, today: Sequence[ParsedEntry]) -> list[FunctionCall]:
    """What the persona did by hand within the last minutes, before this moment's own line."""
    lines = (one for one in today if now - within <= one.entry.time < now)
    return [FunctionCall(name=act.function, parameters=act.parameters) for one in lines for act in one.actions]


def _moments(today: Sequence[ParsedEntry], habits: Sequence[Habit], history: History) -> list[Context]:
    """The moments of a day at which heed looks, in order of time."""

    def context(at: datetime, trigger: Trigger) -> Context:
        return _context(at, history.place(min(today, key=lambda one: abs(one.entry.time - at))), trigger)

    start = today[0].entry.time.replace(hour=0, minute=0, second=0)
    dues = (due for habit in habits if (due := habit.due(start)) is not None and due < start + _DAY)
    timed = [context(due, Trigger(kind=TriggerKind.CLOCK)) for due in dues]
    return sorted((*timed, *(context(one.entry.time, _trigger(one)) for one in today)), key=lambda one: one.now)


def _trigger(reading: ParsedEntry) -> Trigger:
    """What the line's first sentence says happened; a line that tells of nothing is the screen's going on."""
    happened = reading.event
    if happened is None:
        return Trigger(kind=TriggerKind.SCREEN, data={"state": "unlocked"})
    if happened.measure is not None and happened.kind.startswith("battery"):
        return Trigger(kind=TriggerKind(happened.kind), data={"level": happened.measure, "plugged": False})
    text = _SENTENCE.split(reading.entry.action)[0]
    return Trigger(kind=TriggerKind(happened.kind), data={"text": text}, trust=Trust.THIRD_PARTY)


def _context(now: datetime, place: str, trigger: Trigger) -> Context:
    facts = [("time.local", now.isoformat()), ("time.weekday", f"{now:%a}".lower())]
    level = [("battery.level", trigger.data["level"]), ("battery.plugged", False)] if "level" in trigger.data else []

    def section(values: Sequence[tuple[str, object]]) -> Section:
        told = [
            {"name": name, "value": value, "source": "log", "read_at": now, "trust": Trust.DEVICE}
            for name, value in values
        ]
        return Section(facts=tuple(Fact.model_validate(one) for one in told))

    return Context(
        serial=_SERIAL,
        now=now,
        place=place,
        trigger=trigger,
        device=section(level),
        world=section(facts),
    )


def _figures(asked: Sequence[_Asked], days: int, moments: int) -> Figures:
    names = sorted({one.function for one in asked})
    answers = Counter((one.function, one.accepted) for one in asked)
    return Figures(
        days=days,
        moments=moments,
        suggestions=len(asked),
        accepted=sum(one.accepted for one in asked),
        most_on_a_day=max(Counter(one.day for one in asked).values(), default=0),
        of_function={name: (answers[name, True], answers[name, False]) for name in names},
    )


def lives(log: Sequence[LogEntry], pool: Pool, config: PolicyConfig) -> tuple[Figures, Figures]:
    """The log lived by somebody heed does not know, and once more right after: whole weeks later, so weekdays stay."""
    again = WEEK * ((log[-1].time - log[0].time) // WEEK + 1)
    last = max(entry.line or 0 for entry in log)
    later = [
        entry.model_copy(update={"time": entry.time + again, "line": last + number})
        for number, entry in enumerate(log, 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder), pool, config)
        try:
            return life.live(log), life.live(later)
        finally:
            life.close()


def main(logs: Annotated[list[Path] | None, typer.Argument(help="Behaviour logs, JSON lines.")] = None) -> None:
    """Print both lives of each log."""
    with as_file(DEMO) as demo:
        _print(logs or [demo])


def _print(logs: Sequence[Path]) -> None:
    print(f"{'log':24}{'days':>6}{'woken':>7}{'asked':>7}{'yes %':>7}{'asked/day':>11}{'most':>6}{'false/day':>11}")
    for path in logs:
        for name, one in zip(("new", "known"), lives(load_log(path), default_pool(), PolicyConfig()), strict=True):
            share = f"{100 * one.accepted / one.suggestions:.0f}" if one.suggestions else "n/a"
            head = f"{path.stem + ', ' + name:24}{one.days:>6}{one.moments:>7}{one.suggestions:>7}{share:>7}"
            print(f"{head}{one.suggestions / one.days:>11.2f}{one.most_on_a_day:>6}{one.false_per_day:>11.2f}")


if __name__ == "__main__":
    typer.run(main)
