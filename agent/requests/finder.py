"""Finds the value of a parameter that a request does not state: remembered, in the profile, the log or the context."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from agent.journal import Preferences
from collectors.context import Context, LogEntry
from function_pool.call import Basis
from function_pool.spec import FunctionSpec
from heed.trust import Trust
from models.requests.arguments import read_arguments
from models.values.choices import named
from models.values.person import Person

_LEAST_TIMES = 3
"""Log entries that must name a value before it is taken."""
_LEAST_SHARE = 0.7
"""Of the log entries that name any value of the parameter."""
_OWN_PLACES: Mapping[str, str] = {
    **dict.fromkeys(("home", "my home", "my place", "my house", "家", "家里", "我家"), "home"),
    **dict.fromkeys(("work", "my work", "office", "the office", "my office", "公司", "单位", "办公室"), "work"),
}
_PLACE_PARAMETERS = frozenset(
    {"destination", "origin", "start_location", "end_location", "delivery_address", "receiver_address"}
    | {"sender_address"}
)
_FROM_PROFILE: Mapping[str, str] = {"send_package.sender_address": "profile.locations.home.address"}
_IN_TEXTS = frozenset({"tracking_number", "meeting_id", "meeting_url", "sender_number"})
"""Parameters whose values stand in messages, notifications and appointments, and nowhere else in a form like theirs."""


class FoundValue(NamedTuple):
    """A value, and the fact that it was taken from."""

    value: JsonValue
    basis: Basis


class ValueFinder:
    """Looks for values in the order in which they are trusted: what the owner said first, texts of others last.

    Args:
        preferences: what the owner wanted to be remembered.
        log: reads the behaviour log.
    """

    def __init__(self, preferences: Preferences, log: Callable[[], Sequence[LogEntry]]) -> None:
        self._preferences, self._log = preferences, log

    def find(self, spec: FunctionSpec, name: str, context: Context, person: Person) -> FoundValue | None:
        """The value of a parameter that the request does not state; None when the owner must be asked."""
        remembered = self._preferences.get(spec.name, name)
        if remembered is not None:
            return FoundValue(remembered, Basis(fact="preference", trust=Trust.OWNER))
        return (
            _of_profile(f"{spec.name}.{name}", context)
            or self._usual(spec, name)
            or next(_in_texts(spec, name, context, person), None)
        )

    def _usual(self, spec: FunctionSpec, name: str) -> FoundValue | None:
        """The listed value that the log names nearly always; entries that others may have worded do not count."""
        choices = spec.parameters[name].choices
        if not choices:
            return None
        told = (entry.action for entry in self._log() if entry.trust is Trust.OWNER)
        counts = Counter(value for action in told if (value := named(spec.name, name, action, choices)))
        if not counts:
            return None
        value, times = counts.most_common(1)[0]
        if times < _LEAST_TIMES or times < _LEAST_SHARE * counts.total():
            return None
        return FoundValue(value, Basis(fact="behaviour log", trust=Trust.OWNER))


def resolve_places(arguments: Mapping[str, JsonValue], context: Context) -> dict[str, FoundValue]:
    """The addresses of the profile for arguments that say "home" or "work", where the profile has them."""
    found: dict[str, FoundValue] = {}
    for name, value in arguments.items():
        own = _OWN_PLACES.get(str(value).casefold()) if name in _PLACE_PARAMETERS else None
        fact = context.fact(f"profile.locations.{own}.address") if own else None
        if fact is not None and fact.value:
            found[name] = FoundValue(fact.value, Basis(fact=fact.name, trust=fact.trust))
    return found


def _of_profile(name: str, context: Context) -> FoundValue | None:
    fact = context.fact(_FROM_PROFILE[name]) if name in _FROM_PROFILE else None
    return FoundValue(fact.value, Basis(fact=fact.name, trust=fact.trust)) if fact and fact.value else None


def _in_texts(spec: FunctionSpec, name: str, context: Context, person: Person) -> Iterator[FoundValue]:
    """The values in the newest messages, notifications and appointments."""
    if name not in _IN_TEXTS:
        return
    for fact in ("sms.unread", "notifications", "calendar.next"):
        known = context.fact(fact)
        for text in _texts(known.value) if known else ():
            value = read_arguments(spec, text, {}, context.now, person).get(name)
            if known and value:
                yield FoundValue(value, Basis(fact=fact, trust=known.trust))


def _texts(value: JsonValue) -> Iterator[str]:
    for one in value if isinstance(value, list) else ():
        if isinstance(one, dict):
            yield " ".join(str(one[key]) for key in ("title", "text", "location", "description") if one.get(key))
