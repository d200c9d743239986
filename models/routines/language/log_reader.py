"""Read a line of the behaviour log: what happened, and what its owner did about it."""

from collectors.context import LogEntry
from function_pool.spec import Pool
from heed.model import Frozen
from models.routines.language.lexicon import Lexicon
from models.routines.language.owner_actions import OwnerAction, OwnerActionFinder
from models.routines.language.parsed_text import parse
from models.routines.language.preceding_events import PrecedingEvent, find_preceding_event
from models.routines.language.tokens import without_leading_time


class ParsedEntry(Frozen):
    """What one log line says."""

    entry: LogEntry
    happening: PrecedingEvent | None = None
    acts: tuple[OwnerAction, ...] = ()


class LogReader:
    """Reads log entries with one lexicon and one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._lexicon = lexicon
        self._acts = OwnerActionFinder(lexicon, pool)

    def read(self, entry: LogEntry) -> ParsedEntry:
        """What ``entry`` says; a line that says nothing known has neither happening nor acts."""
        parsed = parse(self._lexicon, without_leading_time(entry.action), entry.time.date())
        found = self._acts.find(parsed)
        first = min((one.position for one in found), default=len(parsed.text.tokens))
        happening = find_preceding_event(self._lexicon, parsed, first)
        return ParsedEntry(entry=entry, happening=happening, acts=tuple(one.act for one in found))
