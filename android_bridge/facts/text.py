"""Functions that the parsers share: cleaned input, errors for missing parts."""

import functools
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import TypeVar

from android_bridge.facts.reader import UnreadableError
from heed.messages import Text, msg

T = TypeVar("T")

MAX_OUTPUT = 4_000_000
"""Characters of one command's output: ten times the longest of a phone in use. More is refused, not cut, because what
is missing from a list of protected windows, say, must not be taken for absent."""

_ERROR = re.compile(
    r"^(?:cmd: )?(?:Can't find service: .*|Failure .*|Error\b.*|\[ERROR\].*|Security ?[Ee]xception: .*"
    r"|.*Permission Denial.*|(?:java|android)\.[\w.]*Exception\b.*|\S+: (?:inaccessible or )?not found"
    r"|Unknown command: .*)",
    re.MULTILINE,
)


def parser(subject: Text) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Returns a decorator for parsers: cleans their input and turns their errors into ``UnreadableError``.

    The parser gets text without a byte order mark and without carriage returns. ``ValueError`` (also of pydantic) and
    ``OverflowError``, which damaged outputs cause, become ``UnreadableError``.

    Args:
        subject: begins the error's sentence, such as "The battery".
    """

    def wrap(parse: Callable[[str], T]) -> Callable[[str], T]:
        @functools.wraps(parse)
        def guarded(output: str) -> T:
            if len(output) > MAX_OUTPUT:
                raise unreadable(subject, msg("its output is longer than {limit} characters", limit=MAX_OUTPUT), "")
            text = output.removeprefix("\ufeff").replace("\r\n", "\n")
            try:
                return parse(text)
            except (ValueError, OverflowError) as error:
                raise unreadable(subject, msg("a value is out of range"), text) from error
            except UnreadableError as error:
                raise unreadable(subject, error.message, text) from error

        return guarded

    return wrap


def unreadable(subject: Text, reason: Text, text: str) -> UnreadableError:
    """Returns the error for an output that could not be parsed; quotes Android's own refusal if there is one."""
    said = _ERROR.search(text[:2000])
    why = said[0][:120] if said else reason
    return UnreadableError(msg("{subject} could not be read: {reason}.", subject=subject, reason=why))


def missing(what: Text) -> UnreadableError:
    """Returns the error that a parser raises for an output without ``what``."""
    return UnreadableError(msg("there is no {what}", what=what))


def find(pattern: re.Pattern[str], text: str, what: Text) -> str:
    """Returns the first group of the first match; raises ``UnreadableError`` for an output without ``what``."""
    match = pattern.search(text)
    if match is None:
        raise missing(what)
    return match[1]


def flag(pattern: re.Pattern[str], text: str) -> bool | None:
    """Returns a printed ``true``/``false``, ``1``/``0`` or ``ON``/``OFF`` of the first group; None when absent."""
    match = pattern.search(text)
    return None if match is None else match[1].lower() in ("true", "1", "on")


def pieces(starts: Sequence[re.Match[str]], text: str) -> list[str]:
    """Returns the text after each match up to the next one; the last piece goes to the end of ``text``."""
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [text[match.end() : end] for match, end in zip(starts, ends[: len(starts)], strict=True)]


def from_millis(millis: int, local: datetime | None = None) -> datetime:
    """Returns a time since 1970 in milliseconds as timezone-aware.

    Args:
        millis: the time.
        local: the same time as the phone's clock printed it, without a zone; gives the result the phone's zone.
    """
    moment = datetime.fromtimestamp(millis / 1000, UTC)
    if local is None:
        return moment
    # The printed clock has no zone, but its distance from UTC is the zone; whole minutes, to absorb rounding.
    offset = round((local.replace(tzinfo=UTC) - moment).total_seconds() / 60)
    return moment.astimezone(timezone(timedelta(minutes=offset)))
