"""The past in prompts: learnt habits, and the entries of the behaviour log nearest to the moment, within a budget."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from collectors.context import Context, Fact, LogEntry, RenderedContext
from heed.language import Language
from heed.model import Frozen
from heed.trust import Trust
from models.prompt.nearest import nearest
from models.routines.mining.habit import Habit
from models.routines.wording import habit_reason

HABITS_FACT = "habits.learned"
LOG_FACT = "log.nearest"
"""Names of what the prompt quotes, as the basis of calls."""
_LONGEST = 200
"""Characters of one line."""
_CHARACTERS_PER_TOKEN = 4
"""Of Latin text in the usual vocabularies; a character of any other script counts as a token."""
_SPACES = re.compile(r"[\s\x00-\x1f\x7f]+")
_MARKS = str.maketrans({'"': "'", "“": "'", "”": "'"})


class PromptHistory(Frozen):
    """What a prompt says of the past: a fact per line, whose value is the line."""

    habits: tuple[Fact, ...] = ()
    """Most frequent first, so that they change slowly and an engine can reuse its evaluation of them."""
    log: tuple[Fact, ...] = ()
    """Oldest first; quotation marks hold what was read from the screen, where others may have written."""

    def add_to(self, words: RenderedContext) -> RenderedContext:
        """``words`` with these lines."""
        return words.model_copy(update={"habits": _lines(self.habits), "log": _lines(self.log)})


class HistoryReader:
    """Chooses the habits and the log entries that a prompt quotes.

    Args:
        habits: returns the habits of the moment.
        entries: returns the entries of the behaviour log, oldest first.
        tokens: most tokens of all lines, as estimated by ``tokens_of``; habits get at most half of them.
    """

    def __init__(
        self, habits: Callable[[], Sequence[Habit]], entries: Callable[[], Sequence[LogEntry]], tokens: int
    ) -> None:
        self._habits, self._entries, self._tokens = habits, entries, tokens

    def read(self, context: Context, language: Language) -> PromptHistory:
        """The past of a moment; entries of a later time are not read, so that a recorded context can be read again."""
        entries = self._entries()
        recorded = {str(entry.line) for entry in entries if entry.trust is Trust.THIRD_PARTY}
        enabled = [habit for habit in self._habits() if habit.enabled and habit.last_seen <= context.now]
        ranked = sorted(enabled, key=lambda habit: (-habit.support, habit.id))
        habits = tuple(_fitting((_habit(one, recorded, context, language) for one in ranked), self._tokens // 2))
        left = self._tokens - sum(tokens_of(str(fact.value)) for fact in habits)
        log = _fitting((_entry(one, context) for one in nearest(entries, context)), left)
        return PromptHistory(habits=habits, log=tuple(sorted(log, key=lambda fact: str(fact.value))))


def _lines(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(str(fact.value) for fact in facts)


def tokens_of(text: str) -> int:
    """An estimate of the tokens of a line; models differ."""
    latin = sum(character.isascii() for character in text)
    return math.ceil(latin / _CHARACTERS_PER_TOKEN) + len(text) - latin + 1


def _fitting(facts: Iterable[Fact], tokens: int) -> Iterator[Fact]:
    """The first facts whose lines fit together in ``tokens``."""
    for fact in facts:
        tokens -= tokens_of(str(fact.value))
        if tokens < 0:
            return
        yield fact


def _habit(habit: Habit, recorded: set[str], context: Context, language: Language) -> Fact:
    """A habit that recorded visits show may hold what others wrote on the screen."""
    arguments = json.dumps(dict(habit.parameters), ensure_ascii=False)
    line = _cut(f"{habit.function} {arguments}: {habit_reason(habit, language)}")
    others = any(item.ref in recorded for item in habit.evidence)
    return _fact(HABITS_FACT, line, Trust.THIRD_PARTY if others else Trust.OWNER, context)


def _entry(entry: LogEntry, context: Context) -> Fact:
    action = _cut(entry.action)
    if entry.trust is Trust.THIRD_PARTY:
        action = f'"{action.translate(_MARKS)}"'
    place = f", {_cut(entry.location)}" if entry.location else ""
    return _fact(LOG_FACT, f"{entry.time:%Y-%m-%d %H:%M}{place}: {action}", entry.trust, context)


def _cut(text: str) -> str:
    line = _SPACES.sub(" ", text).strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _fact(name: str, line: str, trust: Trust, context: Context) -> Fact:
    return Fact(name=name, value=line, source="behaviour log", read_at=context.now, trust=trust)
