"""Mine habits from the behaviour log: weekday, time of day, place and preceding event → function call."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from collectors.context import LogEntry
from function_pool.spec import FunctionSpec, Pool
from models.reasoner import Evidence, EvidenceKind
from models.routines.language.lexicon import FunctionVocabulary, Lexicon, default_lexicon
from models.routines.language.log_reader import LogReader, ParsedEntry
from models.routines.mining.consensus import common_parameters, group_by_identity
from models.routines.mining.due_times import at_times, in_use
from models.routines.mining.habit import Habit, OnEvent
from models.routines.mining.history import ActionOccurrence, HabitCandidate, History
from models.routines.mining.reactions import reactions


class Miner:
    """Reads the log line by line and derives the habits from all lines read so far.

    ``add`` reads only what is new; ``habits`` weighs what was read, so mining after every new line is fine.
    """

    def __init__(self, pool: Pool, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or default_lexicon()
        self._pool = pool
        self._reader = LogReader(self._lexicon, pool)
        self._readings: list[ParsedEntry] = []

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Read more lines of the log, in any order."""
        self._readings.extend(self._reader.read(entry) for entry in entries)
        self._readings.sort(key=lambda reading: reading.entry.time)

    def habits(self) -> tuple[Habit, ...]:
        """The habits in all lines read so far, those with the most support first."""
        if not self._readings:
            return ()
        found = {habit.id: habit for habit in self._mine(History(self._readings))}
        return tuple(sorted(found.values(), key=lambda habit: (-habit.support, habit.id)))

    def _mine(self, history: History) -> Iterator[Habit]:
        of_function: defaultdict[str, list[ActionOccurrence]] = defaultdict(list)
        for done in history.done:
            of_function[done.act.function].append(done)
        for function, everything in of_function.items():
            deed, spec = self._lexicon.deeds[function], self._pool.get(function)
            for group in group_by_identity(everything, deed, self._lexicon):
                yield from self._of_group(group, deed, spec, history)

    def _of_group(
        self, group: list[ActionOccurrence], deed: FunctionVocabulary, spec: FunctionSpec, history: History
    ) -> Iterator[Habit]:
        occasions = [*reactions(spec.name, group, history, self._lexicon)]
        timed = list(at_times(group, history))
        occasions += timed or in_use(group, history)
        for occasion in occasions:
            habit = _habit(spec, deed, occasion, history)
            if habit is not None:
                yield habit


def mine(entries: Iterable[LogEntry], pool: Pool) -> tuple[Habit, ...]:
    """The habits in a behaviour log."""
    miner = Miner(pool)
    miner.add(entries)
    return miner.habits()


def _habit(spec: FunctionSpec, deed: FunctionVocabulary, occasion: HabitCandidate, history: History) -> Habit | None:
    """The habit, or None when a required parameter could never be known: nothing is invented."""
    agreed = common_parameters(occasion.done, spec, deed)
    known = {*agreed.parameters, *agreed.days_before, *deed.default, *deed.fill}
    if any(parameter.required and name not in known for name, parameter in spec.parameters.items()):
        return None
    places = [history.place(one.reading) for one in occasion.done]
    return Habit(
        id=_id(spec.name, deed, occasion),
        function=spec.name,
        parameters=agreed.parameters,
        days_before=agreed.days_before,
        when=occasion.when,
        places={place: places.count(place) / len(places) for place in sorted(set(places))},
        support=occasion.support,
        chances=occasion.chances,
        last_seen=max(one.reading.entry.time for one in occasion.done),
        evidence=_evidence(occasion.done),
    )


def _id(function: str, deed: FunctionVocabulary, occasion: HabitCandidate) -> str:
    """Function, identity and occasion; all from the earliest act, so that new lines do not change it."""
    first = min(occasion.done, key=lambda one: one.reading.entry.time)
    identity = " ".join(str(first.act.parameters.get(name, "")) for name in deed.identity)
    when = occasion.when
    name = when.event if isinstance(when, OnEvent) else f"{when.kind}-{first.reading.entry.time:%H%M}"
    return ":".join(part for part in (function, re.sub(r"\W+", "-", identity.lower()).strip("-"), name) if part)


def _evidence(done: Sequence[ActionOccurrence]) -> tuple[Evidence, ...]:
    lines = {reading.entry.line: reading.entry for one in done for reading in one.lines}
    entries = sorted(lines.values(), key=lambda entry: entry.time)
    return tuple(Evidence(kind=EvidenceKind.LOG_LINE, ref=str(entry.line), text=entry.action) for entry in entries)
