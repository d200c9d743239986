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
from models.routines.mining.shared_texts import SharedTextFinder
from models.routines.mining.unread_lines import UnreadLines


class Miner:
    """Mines habits incrementally: ``add`` parses new entries, ``habits`` evaluates all entries added so far."""

    def __init__(self, pool: Pool, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or default_lexicon()
        self._pool = pool
        self._reader = LogReader(self._lexicon, pool)
        self._shared_texts = SharedTextFinder(self._lexicon, pool)
        self._readings: list[ParsedEntry] = []

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Parse further log entries, in any order."""
        self._readings.extend(self._reader.read(entry) for entry in entries)
        self._readings.sort(key=lambda reading: reading.entry.time)

    def habits(self) -> tuple[Habit, ...]:
        """The habits in all entries added so far, those with the most support first."""
        if not self._readings:
            return ()
        found = {habit.id: habit for habit in self._mine(History(self._readings))}
        return tuple(sorted(found.values(), key=lambda habit: (-habit.support, habit.id)))

    def _mine(self, history: History) -> Iterator[Habit]:
        unread = UnreadLines(history, self._lexicon)
        of_function: defaultdict[str, list[ActionOccurrence]] = defaultdict(list)
        for done in history.done:
            of_function[done.action.function].append(done)
        for function, everything in of_function.items():
            spec = self._pool.get(function)
            vocabulary = self._lexicon.vocabulary(spec)
            known = unread.added_to(self._shared_texts.complete(everything))
            for group in group_by_identity(known, vocabulary, self._lexicon):
                yield from self._of_group(group, vocabulary, spec, history)

    def _of_group(
        self, group: list[ActionOccurrence], vocabulary: FunctionVocabulary, spec: FunctionSpec, history: History
    ) -> Iterator[Habit]:
        candidates = [*reactions(spec.name, group, history, self._lexicon)]
        timed = list(at_times(group, history))
        candidates += timed or in_use(group, history)
        for candidate in candidates:
            habit = _habit(spec, vocabulary, candidate, history)
            if habit is not None:
                yield habit


def mine(entries: Iterable[LogEntry], pool: Pool) -> tuple[Habit, ...]:
    """The habits in a behaviour log."""
    miner = Miner(pool)
    miner.add(entries)
    return miner.habits()


def _habit(
    spec: FunctionSpec, vocabulary: FunctionVocabulary, candidate: HabitCandidate, history: History
) -> Habit | None:
    """The habit; None when a required parameter could never be known."""
    agreed = common_parameters(candidate.done, spec, vocabulary)
    known = {*agreed.parameters, *agreed.days_before, *vocabulary.default, *vocabulary.fill}
    if any(parameter.required and name not in known for name, parameter in spec.parameters.items()):
        return None
    places = [history.place(one.reading) for one in candidate.done]
    return Habit(
        id=_id(spec.name, vocabulary, candidate),
        function=spec.name,
        parameters=agreed.parameters,
        days_before=agreed.days_before,
        when=candidate.when,
        places={place: places.count(place) / len(places) for place in sorted(set(places))},
        support=candidate.support,
        chances=candidate.chances,
        last_seen=max(one.reading.entry.time for one in candidate.done),
        evidence=_evidence(candidate.done),
    )


def _id(function: str, vocabulary: FunctionVocabulary, candidate: HabitCandidate) -> str:
    """An id of function, identity and time, from the earliest occurrence, so that later entries do not change it."""
    first = min(candidate.done, key=lambda one: one.reading.entry.time)
    identity = " ".join(str(first.action.parameters.get(name, "")) for name in vocabulary.identity)
    when = candidate.when
    name = when.event if isinstance(when, OnEvent) else f"{when.kind}-{first.reading.entry.time:%H%M}"
    return ":".join(part for part in (function, re.sub(r"\W+", "-", identity.lower()).strip("-"), name) if part)


def _evidence(done: Sequence[ActionOccurrence]) -> tuple[Evidence, ...]:
    lines = {reading.entry.line: reading.entry for one in done for reading in one.lines}
    entries = sorted(lines.values(), key=lambda entry: entry.time)
    return tuple(
        Evidence(kind=EvidenceKind.LOG_LINE, ref=str(entry.line), text=entry.action, at=entry.time) for entry in entries
    )
