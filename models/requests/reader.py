"""Understands a request: its calls, with the arguments that it states."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache

from pydantic import JsonValue

from function_pool.spec import Pool
from heed.model import Frozen
from models.requests.arguments import missing_arguments, read_arguments
from models.requests.reading import FunctionReader, RequestReading
from models.values.person import Person

MOST_CALLS = 4
"""Calls of one request."""
_LEAST_SHARE = 0.25
"""A function that is less likely is not guessed."""
_CLEAR_SHARE = 0.6
"""How likely the function of each part must be for a request to be split."""
_JOINT = re.compile(
    r"\s{0,4}(?:[,;]?\s{1,4}(?:and then|and also|and|then|plus|also)\s{1,4}|;\s{1,4}"
    r"|[，,；。]?(?:然后|再|并且|同时|顺便|接着)|[；;])\s*",
    re.IGNORECASE,
)
_OPEN_ENDED = frozenset(
    {"send_sms", "send_instant_message", "publish_social_post", "compose_email", "create_reminder", "web_search"}
    | {"create_calendar_event", "translate_text", "play_music", "play_video", "search_product"}
)
"""Functions with free words at the end, to which a joint belongs ("remind me to buy milk and eggs")."""


class RequestedCall(Frozen):
    """A call that a request asks for, as far as its words say it."""

    function: str
    arguments: Mapping[str, JsonValue]
    """In canonical form."""
    missing: tuple[str, ...] = ()
    """Parameters that the call cannot do without and the request does not state."""


class RequestInterpreter:
    """Understands requests.

    Args:
        reader: chooses functions and finds the words of values.
    """

    def __init__(self, reader: FunctionReader) -> None:
        self._reader = reader

    @classmethod
    def load(cls) -> "RequestInterpreter":
        """The reader that heed ships."""
        return cls(FunctionReader.load())

    def read(
        self, text: str, now: datetime, person: Person, pool: Pool, candidates: Sequence[str] | None = None
    ) -> tuple[RequestedCall, ...]:
        """The calls that a request asks for, in its order; none where no function of the pool serves it.

        Args:
            text: what the owner typed.
            now: the phone's clock.
            person: the owner.
            pool: the specs.
            candidates: the functions that may be chosen; None = all of the pool.
        """
        allowed = [spec.name for spec in pool] if candidates is None else candidates
        found: list[RequestedCall] = []
        for part, reading in self._parts(text.strip(), allowed):
            name, share = reading.functions[0]
            if not name or share < _LEAST_SHARE or name not in pool:
                return ()
            spec = pool.get(name)
            arguments = read_arguments(spec, part, reading.spans_of(spec), now, person)
            missing = missing_arguments(spec, arguments)
            found.append(RequestedCall(function=name, arguments=arguments, missing=missing))
        return tuple(found)

    def _parts(self, text: str, candidates: Sequence[str]) -> Iterator[tuple[str, RequestReading]]:
        """The request's parts with their readings; the whole, unless its parts are clearly requests of their own."""
        parts = [part for part in _JOINT.split(text) if part.strip()]
        if 1 < len(parts) <= MOST_CALLS:
            readings = [self._reader.read(part, candidates) for part in parts]
            if all(_is_clear(reading) for reading in readings) and _ends_early(readings):
                yield from zip(parts, readings, strict=True)
                return
        yield text, self._reader.read(text, candidates)


@cache
def shipped_request_reader() -> RequestInterpreter:
    """The reader that heed ships, one per process; its weights are loaded at the first call."""
    return RequestInterpreter.load()


def _is_clear(reading: RequestReading) -> bool:
    name, share = reading.functions[0]
    return bool(name) and share >= _CLEAR_SHARE


def _ends_early(readings: Sequence[RequestReading]) -> bool:
    """Whether the words before each joint can be over there, and not every part asks for the same."""
    functions = [reading.function for reading in readings]
    return len(set(functions)) > 1 and not any(name in _OPEN_ENDED for name in functions[:-1])
