"""Example moments of situations: what `heed init` shows and `heed try` plays."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field, JsonValue

from collectors.context import AnyKind, Context, Fact, Section, Trigger, TriggerKind
from heed.language import Language
from heed.model import Frozen
from heed.trust import Trust

_SOURCE = "example"
_WRITTEN_BY_OTHERS = frozenset({TriggerKind.SMS_RECEIVED, TriggerKind.NOTIFICATION, TriggerKind.CALENDAR_EVENT})
_FACTS_BY_OTHERS = ("notifications", "sms.", "files.", "calendar.")


class ExampleMoment(Frozen):
    """A moment at which a situation applies, as its author writes it."""

    now: datetime
    """With its offset from UTC."""
    trigger: AnyKind
    data: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Of the trigger."""
    facts: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Facts of the phone by name."""
    profile: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Values of the owner's profile by name, without ``profile.``."""
    place: str = "home"

    def context(self) -> Context:
        """The moment as a context, with the trust labels that such facts have on a phone."""
        trust = Trust.THIRD_PARTY if self.trigger in _WRITTEN_BY_OTHERS else Trust.DEVICE
        # An appointment that begins soon is in the calendar too.
        begins: Mapping[str, JsonValue] = (
            {"calendar.next": [dict(self.data)]} if self.trigger is TriggerKind.CALENDAR_EVENT else {}
        )
        return Context(
            serial=_SOURCE,
            now=self.now,
            place=self.place,
            trigger=Trigger(kind=self.trigger, data=self.data, trust=trust),
            profile=self._section({f"profile.{name}": value for name, value in self.profile.items()}, Trust.OWNER),
            device=self._section({**begins, **self.facts}, Trust.DEVICE),
        )

    def _section(self, facts: Mapping[str, JsonValue], trust: Trust) -> Section:
        return Section(
            facts=tuple(
                Fact(
                    name=name,
                    value=value,
                    source=_SOURCE,
                    read_at=self.now,
                    trust=Trust.THIRD_PARTY if name.startswith(_FACTS_BY_OTHERS) else trust,
                )
                for name, value in facts.items()
            )
        )


def by_language(written: object) -> object:
    """One example for all languages, or one for each, as a mapping by language."""
    if isinstance(written, Mapping) and "now" in written:
        return dict.fromkeys(Language, written)
    return written
