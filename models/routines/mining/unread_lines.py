"""Finds unread log lines that report what other lines report in words that are understood.

People word a line differently from day to day, and not every wording is understood: "放八段锦音乐", "早上放八段锦".
A line without an action, at a time of day at which the action is usual, that names the same thing reports it, too.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from heed.trust import Trust
from models.routines.language.lexicon import Lexicon
from models.routines.language.log_arguments import tables
from models.routines.language.log_reader import ParsedEntry
from models.routines.mining.due_times import CLOCK_GAP, CLOCK_SPREAD
from models.routines.mining.history import ActionOccurrence, History
from models.routines.mining.shared_texts import LEAST
from models.routines.mining.time_windows import clusters, typical_window


class UnreadLines:
    """The lines of a log in which nothing was found, with their words."""

    def __init__(self, history: History, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._lines = [(one, self._stems(one.entry.action)) for one in history.readings if _is_unread(one)]

    def added_to(self, done: Sequence[ActionOccurrence]) -> list[ActionOccurrence]:
        """The occurrences of one function, and further ones of the same calls that unread lines report."""
        table = tables().get(done[0].action.function)
        if table is None or not table.shared:
            return list(done)
        of_text: defaultdict[str, list[ActionOccurrence]] = defaultdict(list)
        for one in done:
            if isinstance(text := one.action.parameters.get(table.shared), str) and text:
                of_text[text].append(one)
        often = {text: known for text, known in of_text.items() if len(known) >= LEAST}
        return [*done, *(one for text, known in often.items() for one in self._reporting(known, text))]

    def _reporting(self, known: Sequence[ActionOccurrence], text: str) -> Iterator[ActionOccurrence]:
        words = self._stems(text)
        moments = [one.reading.entry.time for one in known]
        windows = [typical_window([moments[at] for at in members]) for members in clusters(moments, CLOCK_GAP)]
        narrow = [window for window in windows if window.length <= CLOCK_SPREAD]
        for reading, stems in self._lines:
            near = any(window.contains(reading.entry.time, before=CLOCK_GAP, after=CLOCK_GAP) for window in narrow)
            if near and words <= stems:
                yield ActionOccurrence(known[-1].action, reading, None)

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(token.stem for token in self._lexicon.parse(text).tokens)


def _is_unread(reading: ParsedEntry) -> bool:
    """Whether nothing was found in it; what others wrote on the screen reports nothing of the owner."""
    return not reading.actions and reading.event is None and reading.entry.trust is not Trust.THIRD_PARTY
