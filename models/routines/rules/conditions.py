"""The conditions of situations: a declarative language over the current moment; no code is evaluated.

The value that a condition matched can be bound to a name (``as``) and used in parameters. A condition on a fact that
was not read does not hold.
"""

from collections.abc import Mapping
from datetime import datetime, time
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Discriminator, Field, JsonValue, Tag, field_validator

from heed.model import Frozen
from models.routines.filling import ResolvedValue
from models.routines.language.current_moment import CurrentMoment, is_unknown_number
from models.routines.rules.online_meeting import online_meeting
from models.routines.rules.value_test import WEEKDAYS, ValueTest, Weekday, checked_pattern, in_range, regex


class ConditionMatch(NamedTuple):
    """A condition that holds."""

    bound: Mapping[str, ResolvedValue]
    """Bound values by name."""
    facts: tuple[str, ...] = ()
    """Names of the facts it was decided by."""


_MATCH = ConditionMatch({})


class _OnValue(ValueTest):
    """A test of one value, which can be bound to a name."""

    field: str | None = None
    """The key, where the value is a mapping."""
    as_: str | None = Field(default=None, alias="as")

    def _match(self, value: JsonValue, filled: ResolvedValue, now: datetime, fact: str) -> ConditionMatch | None:
        inner = value.get(self.field) if self.field and isinstance(value, dict) else value
        if (self.field and not isinstance(value, dict)) or not self.passes(inner, now):
            return None
        return ConditionMatch({self.as_: filled._replace(value=inner)} if self.as_ else {}, (fact,))


class FactCondition(_OnValue):
    """A fact of the context passes the test."""

    fact: str

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return (self.fact,)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        fact = moment.context.fact(self.fact)
        if fact is None:
            return None
        return self._match(
            fact.value, ResolvedValue(fact.value, (moment.from_fact(self.fact),)), moment.context.now, self.fact
        )


class ItemCondition(Frozen):
    """A list among the facts has an item whose fields pass the tests; its fields are bound as ``name.field``."""

    item: str
    where: Mapping[str, ValueTest]
    first: bool = False
    """Whether only the first item counts: the newest or the next one."""
    as_: str | None = Field(default=None, alias="as")

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return (self.item,)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        items = moment.context.value(self.item)
        for item in (items[:1] if self.first else items) if isinstance(items, list) else []:
            if isinstance(item, dict) and self._passes(item, moment):
                basis = (moment.from_fact(self.item),)
                bound = (
                    {f"{self.as_}.{key}": ResolvedValue(value, basis) for key, value in item.items()}
                    if self.as_
                    else {}
                )
                return ConditionMatch(bound, (self.item,))
        return None

    def _passes(self, item: Mapping[str, JsonValue], moment: CurrentMoment) -> bool:
        return all(test.passes(item.get(key), moment.context.now) for key, test in self.where.items())


class DataCondition(_OnValue):
    """A value of the trigger's data passes the test."""

    data: str

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return (f"trigger.{self.data}",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        value = moment.context.trigger.data.get(self.data)
        if value is None:
            return None
        filled = ResolvedValue(value, (moment.from_trigger(self.data),))
        return self._match(value, filled, moment.context.now, f"trigger.{self.data}")


class TextCondition(Frozen):
    """The trigger's text matches; named groups are bound."""

    text: str

    _regular = field_validator("text")(staticmethod(checked_pattern))

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("trigger.text",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        match = regex(self.text).search(moment.text)
        if match is None:
            return None
        basis = (moment.from_trigger("text"),)
        return ConditionMatch(
            {name: ResolvedValue(value, basis) for name, value in match.groupdict().items() if value}, ("trigger.text",)
        )


class MentionsCondition(Frozen):
    """The trigger's text mentions one of these object classes of the lexicon."""

    mentions: tuple[str, ...]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("trigger.text",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return ConditionMatch({}, ("trigger.text",)) if moment.objects & set(self.mentions) else None


class EntityCondition(Frozen):
    """The trigger's text contains an entity of this kind: a file, a phone number, an introduced name, …"""

    entity: str
    as_: str | None = Field(default=None, alias="as")

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("trigger.text",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        value = moment.entity(self.entity)
        if value is None:
            return None
        return ConditionMatch(
            {self.as_: ResolvedValue(value, (moment.from_trigger("text"),))} if self.as_ else {}, ("trigger.text",)
        )


class TimeCondition(Frozen):
    """The current time is in a range, which may extend over midnight."""

    time_between: tuple[time, time]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ()

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return _MATCH if in_range(moment.context.now.time(), *self.time_between) else None


class WeekdayCondition(Frozen):
    """Today is one of these weekdays."""

    today: tuple[Weekday, ...]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ()

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return _MATCH if WEEKDAYS[moment.context.now.weekday()] in self.today else None


class PlaceCondition(Frozen):
    """The owner is at one of these places."""

    place: tuple[str, ...]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ()

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return _MATCH if moment.context.place in self.place else None


class UnknownNumberCondition(Frozen):
    """The trigger's number belongs to no contact."""

    unknown_number: Literal[True]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("trigger.number",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return _MATCH if is_unknown_number(moment.context) else None


class HolidayCondition(Frozen):
    """Today is (or is not) a public holiday."""

    holiday: bool

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("time.holiday",)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        return (
            ConditionMatch({}, ("time.holiday",))
            if bool(moment.context.value("time.holiday")) == self.holiday
            else None
        )


class ProfileCondition(Frozen):
    """Some value of the owner's profile matches a regular expression."""

    profile: str

    _regular = field_validator("profile")(staticmethod(checked_pattern))

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return tuple(fact.name for fact in moment.context.profile.facts)

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        pattern = regex(self.profile)
        facts = (fact for fact in moment.context.profile.facts if pattern.search(str(fact.value)))
        found = next(facts, None)
        return ConditionMatch({}, (found.name,)) if found else None


class ReadCondition(Frozen):
    """These sources could be read, so that a fact of theirs that is absent does not apply."""

    read: tuple[str, ...]

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ()

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        unread = {missing.name for missing in moment.context.device.missing}
        return _MATCH if unread.isdisjoint(self.read) else None


class OnlineMeetingCondition(Frozen):
    """The trigger's appointment states an online meeting; bound are ``platform``, ``url``, ``id`` and ``password``."""

    online_meeting: Literal[True]
    as_: str = Field(default="meeting", alias="as")

    def reads(self, moment: CurrentMoment) -> tuple[str, ...]:
        return ("trigger.title", "trigger.location", "trigger.description", "trigger.links")

    def holds(self, moment: CurrentMoment) -> ConditionMatch | None:
        found = online_meeting(moment.context.trigger.data)
        if found is None:
            return None
        basis = tuple(moment.from_trigger(key) for key in ("title", "location", "description", "links"))
        stated = {name: value for name, value in found.model_dump().items() if value}
        bound = {f"{self.as_}.{name}": ResolvedValue(value, basis) for name, value in stated.items()}
        return ConditionMatch(bound, self.reads(moment))


_KINDS: Mapping[str, type[Frozen]] = {
    "fact": FactCondition,
    "item": ItemCondition,
    "data": DataCondition,
    "text": TextCondition,
    "mentions": MentionsCondition,
    "entity": EntityCondition,
    "time_between": TimeCondition,
    "today": WeekdayCondition,
    "place": PlaceCondition,
    "unknown_number": UnknownNumberCondition,
    "holiday": HolidayCondition,
    "profile": ProfileCondition,
    "read": ReadCondition,
    "online_meeting": OnlineMeetingCondition,
}


def _kind(raw: Any) -> str | None:
    """The kind of a condition, by the key it has; of one that was read already, by its class."""
    if isinstance(raw, Frozen):
        return next((key for key, kind in _KINDS.items() if type(raw) is kind), None)
    return next((key for key in _KINDS if isinstance(raw, dict) and key in raw), None)


Condition = Annotated[
    Annotated[FactCondition, Tag("fact")]
    | Annotated[ItemCondition, Tag("item")]
    | Annotated[DataCondition, Tag("data")]
    | Annotated[TextCondition, Tag("text")]
    | Annotated[MentionsCondition, Tag("mentions")]
    | Annotated[EntityCondition, Tag("entity")]
    | Annotated[TimeCondition, Tag("time_between")]
    | Annotated[WeekdayCondition, Tag("today")]
    | Annotated[PlaceCondition, Tag("place")]
    | Annotated[UnknownNumberCondition, Tag("unknown_number")]
    | Annotated[HolidayCondition, Tag("holiday")]
    | Annotated[ProfileCondition, Tag("profile")]
    | Annotated[ReadCondition, Tag("read")]
    | Annotated[OnlineMeetingCondition, Tag("online_meeting")],
    Discriminator(
        _kind,
        custom_error_type="condition",
        custom_error_message=f"a condition names one of {', '.join(_KINDS)}",
    ),
]
