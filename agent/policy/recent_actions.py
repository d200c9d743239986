"""The actions of the owner and of heed within the last minutes; they are not suggested again right away.

Text that third parties wrote on the screen is not read, neither in the log nor in a step.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from agent.journal.answer_history import CarriedOut
from collectors.context import Context, LogEntry
from collectors.visit_sentence import known_app, opening
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.language import Language
from models.reasoner import EvidenceKind, Recommendation
from models.routines.language.lexicon import Lexicon, default_lexicon
from models.routines.language.log_reader import LogReader

RECENT = timedelta(minutes=10)
"""For this long after an action the same is not suggested."""
_HABIT_RECENT = timedelta(hours=1)
"""The same for a habit: it is asked about at its usual time, and the owner is often somewhat earlier."""

STANDS = timedelta(hours=24)
"""For this long something that was created is not suggested once more, unless it was undone."""
_CREATES = frozenset({"create_reminder", "create_calendar_event", "save_contact"})
"""Functions whose repetition makes a second thing; a setting may be wanted again after it was changed back."""


def already_created(calls: Sequence[FunctionCall], done: Sequence[CarriedOut]) -> bool:
    """Whether each of ``calls`` creates what heed created before: the same at another time is another thing."""
    standing = [one.call for one in done if one.call.name in _CREATES and not one.undone]
    return bool(calls) and all(any(_creates_the_same(call, earlier) for earlier in standing) for call in calls)


def lookback(recommendation: Recommendation) -> timedelta:
    """For how long after the owner's action the recommendation would repeat it: longer for what rests on the log."""
    habit = any(one.kind is EvidenceKind.LOG_LINE for one in recommendation.why.evidence)
    return _HABIT_RECENT if habit else RECENT


def _creates_the_same(call: FunctionCall, earlier: FunctionCall) -> bool:
    names = call.parameters.keys() & earlier.parameters.keys()
    return call.name == earlier.name and all(_alike(name, call.parameters, earlier.parameters) for name in names)


class RecentActions:
    """Reads the owner's actions from the trajectory, with the words that habits are mined with."""

    def __init__(self, pool: Pool, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or default_lexicon()
        self._reader = LogReader(self._lexicon, pool)

    def by_owner(self, context: Context, within: timedelta = RECENT) -> list[FunctionCall]:
        """The functions that the owner carried out within the last minutes, as calls."""
        actions = (action for entry in _lines(context, within) for action in self._reader.read(entry).actions)
        return [FunctionCall(name=action.function, parameters=action.parameters) for action in actions]

    def repeats(self, calls: Sequence[FunctionCall], done: Sequence[FunctionCall]) -> bool:
        """Whether each of ``calls`` is among ``done``."""
        return bool(calls) and all(any(self._same(call, earlier) for earlier in done) for call in calls)

    def _same(self, call: FunctionCall, earlier: FunctionCall) -> bool:
        """The same function, and no identifying parameter (the alarm's time) differs."""
        if call.name != earlier.name:
            return False
        vocabulary = self._lexicon.functions.get(call.name)
        decisive = (vocabulary.identity if vocabulary else ()) or tuple(call.parameters)
        return all(_alike(name, call.parameters, earlier.parameters) for name in decisive)


def _alike(name: str, one: Mapping[str, JsonValue], other: Mapping[str, JsonValue]) -> bool:
    """Whether both have the same value, or one of them has none."""
    if name not in one or name not in other:
        return True
    return str(one[name]).casefold() == str(other[name]).casefold()


def _lines(context: Context, within: timedelta) -> Iterator[LogEntry]:
    """The trajectory of that time: lines of the log, and apps that were opened since the last one."""
    for item in (*_items(context, "log.recent"), *_items(context, "trajectory.steps")):
        package = str(item.get("package", ""))
        action = item.get("action") or (opening(package, Language.EN) if item.get("kind") == "open" else "")
        at = datetime.fromisoformat(str(item["time"]))
        if action and timedelta(0) <= context.now - at <= within:
            app = known_app(package, str(action))
            yield LogEntry(time=at, location="", action=str(action), package=package, app=app)


def _items(context: Context, name: str) -> Iterator[Mapping[str, JsonValue]]:
    value = context.value(name)
    yield from (item for item in (value if isinstance(value, list) else []) if isinstance(item, dict))
