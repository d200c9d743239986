"""What the parsers share: clean text, one way to say that something is missing."""

import functools
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import TypeVar

from android_bridge.facts.reader import UnreadableError
from heed.messages import Text, msg

T = TypeVar("T")

_ERROR = re.compile(
    r"^(?:cmd: )?(?:Can't find service: .*|Failure .*|Error\b.*|\[ERROR\].*|Security ?[Ee]xception: .*"
    r"|.*Permission Denial.*|\S+: (?:inaccessible or )?not found|Unknown command: .*)",
    re.MULTILINE,
)


def parser(subject: Text) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Make ``parse`` total: it gets text without carriage returns, and every way to fail is ``UnreadableError``.

    Numbers, times and models that a mutilated output makes impossible raise ``ValueError`` or ``OverflowError``;
    they are translated here once, so that the parsers read top to bottom.
    """

    def wrap(parse: Callable[[str], T]) -> Callable[[str], T]:
        @functools.wraps(parse)
        def guarded(output: str) -> T:
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
    """The error for an output that was not understood; names what Android itself said, when it said no."""
    said = _ERROR.search(text[:2000])
    why = said[0][:120] if said else reason
    return UnreadableError(msg("{subject} could not be read: {reason}.", subject=subject, reason=why))


def missing(what: Text) -> UnreadableError:
    """The error inside a parser for an output without ``what``."""
    return UnreadableError(msg("there is no {what}", what=what))


def find(pattern: re.Pattern[str], text: str, what: Text) -> str:
    """The first group of the first match, or ``UnreadableError``."""
    match = pattern.search(text)
    if match is None:
        raise missing(what)
    return match[1]


def flag(pattern: re.Pattern[str], text: str) -> bool | None:
    """A printed ``true`` / ``false``, ``1`` / ``0`` or ``ON`` / ``OFF`` in the first group; None when absent."""
    match = pattern.search(text)
    return None if match is None else match[1].lower() in ("true", "1", "on")


def pieces(starts: Sequence[re.Match[str]], text: str) -> list[str]:
    """What follows each match, up to the next one; the last piece goes to the end of ``text``."""
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [text[match.end() : end] for match, end in zip(starts, ends[: len(starts)], strict=True)]


def from_millis(millis: int, local: datetime | None = None) -> datetime:
    """A time since the epoch, timezone-aware; ``local`` is the same moment as the phone's clock shows it."""
    moment = datetime.fromtimestamp(millis / 1000, UTC)
    if local is None:
        return moment
    # The printed clock has no zone, but its distance from UTC is the zone; whole minutes, to absorb rounding.
    offset = round((local.replace(tzinfo=UTC) - moment).total_seconds() / 60)
    return moment.astimezone(timezone(timedelta(minutes=offset)))
