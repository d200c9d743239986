"""Parses an entry of the behaviour log into the preceding event and the owner's actions.

Of a visit that heed recorded only the app counts: its sentence quotes the screen, and what third parties wrote there is
no action of the owner. The Settings app is no exception, since Wi-Fi names and app labels stand in the same views as
its own words.
"""

from collectors.context import LogEntry
from function_pool.spec import Pool
from function_pool.taught import task_told
from heed.model import Frozen
from heed.trust import Trust
from models.routines.language.learned_actions import SURE, LearnedAction, LearnedActionFinder
from models.routines.language.lexicon import Lexicon
from models.routines.language.owner_actions import OwnerAction, OwnerActionFinder
from models.routines.language.parsed_text import parse
from models.routines.language.preceding_events import PrecedingEvent, find_preceding_event
from models.routines.language.tokens import without_leading_time


class ParsedEntry(Frozen):
    """One log entry with the event and the actions found in it."""

    entry: LogEntry
    event: PrecedingEvent | None = None
    """The event that preceded the actions, if the entry reports one."""
    actions: tuple[OwnerAction, ...] = ()


class LogReader:
    """Reads log entries with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._lexicon, self._pool = lexicon, pool
        self._last_resort = {name for name, words in lexicon.functions.items() if words.last_resort}
        self._actions = OwnerActionFinder(lexicon, pool)
        self._learned = LearnedActionFinder(lexicon, pool)

    def read(self, entry: LogEntry) -> ParsedEntry:
        """Parses ``entry``; without a known event or action, these parts of the result are empty."""
        taught = task_told(entry.action, self._pool) if entry.trust is Trust.OWNER else None
        if taught is not None:
            done = OwnerAction(function=taught.spec.name, parameters=dict(taught.arguments))
            return ParsedEntry(entry=entry, actions=(done,))
        parsed = parse(self._lexicon, _readable(entry), entry.time.date())
        found = self._actions.find(parsed)
        first = min((one.position for one in found), default=len(parsed.text.tokens))
        event = find_preceding_event(self._lexicon, parsed, first)
        declared = [one.action for one in found]
        learned = [] if entry.trust is Trust.THIRD_PARTY else self._learned.find(parsed)
        return ParsedEntry(entry=entry, event=event, actions=self._merged(declared, learned))

    def _merged(self, declared: list[OwnerAction], learned: list[LearnedAction]) -> tuple[OwnerAction, ...]:
        """The declared actions with the arguments that only the learned ones have, then the other learned actions."""
        arguments = {one.action.function: one.action.parameters for one in learned}
        completed = [
            action.model_copy(update={"parameters": {**arguments.get(action.function, {}), **action.parameters}})
            for action in declared
        ]
        known = {action.function for action in declared}
        firm = known - self._last_resort
        others = (one for one in learned if one.action.function not in known and (not firm or one.share >= SURE))
        merged = (*completed, *(one.action for one in others))
        return tuple(action for action in merged if action.function not in self._last_resort) or merged


def _readable(entry: LogEntry) -> str:
    """The part of an entry that counts as the owner's action."""
    if entry.trust is Trust.THIRD_PARTY:
        return f"opened {entry.app}" if entry.app else ""
    return without_leading_time(entry.action)
