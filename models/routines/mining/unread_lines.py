"""Finds unread log lines that report what other lines report in words that are understood.

People word a line differently from day to day, and not every wording is understood: "放八段锦音乐", "早上放八段锦".
A line without an action, at a time of day at which the action is usual, that names the same thing reports it, too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from heed.trust import Trust
from models.routines.language.lexicon import Lexicon
from models.routines.language.log_arguments import tables
from models.routines.language.log_reader import ParsedEntry
from models.routines.mining.history import ActionOccurrence, History
from models.routines.mining.shared_texts import LEAST
from models.routines.mining.time_windows import clusters, typical_window

_GAP, _SPREAD = 25.0, 90.0
"""Minutes: neighbouring times of day at most this far apart form one window, of at most this length."""


def with_unread_lines(done: Sequence[ActionOccurrence], history: History, lexicon: Lexicon) -> list[ActionOccurrence]:
    """The occurrences of one function, and further ones of the same calls in lines that were not understood."""
    table = tables().get(done[0].action.function)
    if table is None or not table.shared:
        return list(done)
    found = list(done)
    named = Counter(str(one.action.parameters.get(table.shared, "")) for one in done)
    for text, lines in named.items():
        if text and lines >= LEAST:
            known = [one for one in done if one.action.parameters.get(table.shared) == text]
            found += _unread(known, text, history, lexicon)
    return found


def _unread(
    known: Sequence[ActionOccurrence], text: str, history: History, lexicon: Lexicon
) -> Iterator[ActionOccurrence]:
    words = _stems(text, lexicon)
    moments = [one.reading.entry.time for one in known]
    windows = [typical_window([moments[at] for at in members]) for members in clusters(moments, _GAP)]
    for reading in history.readings:
        near = any(
            window.length <= _SPREAD and window.contains(reading.entry.time, before=_GAP, after=_GAP)
            for window in windows
        )
        if near and _is_unread(reading) and words <= _stems(reading.entry.action, lexicon):
            yield ActionOccurrence(known[-1].action, reading, None)


def _is_unread(reading: ParsedEntry) -> bool:
    """Whether nothing was found in it; what others wrote on the screen reports nothing of the owner."""
    return not reading.actions and reading.event is None and reading.entry.trust is not Trust.THIRD_PARTY


def _stems(text: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(token.stem for token in lexicon.parse(text).tokens)
