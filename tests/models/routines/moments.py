"""Contexts for tests, written in a few words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from collectors.context import Context, Fact, Section, Trigger
from heed.trust import Trust

THIRD_PARTY_KINDS = frozenset({"sms_received", "notification", "calendar_event"})
THIRD_PARTY_FACTS = ("notifications", "sms.", "files.")


def context(
    now: str,
    trigger: str = "clock",
    data: Mapping[str, JsonValue] | None = None,
    *,
    facts: Mapping[str, JsonValue] | None = None,
    place: str = "home",
    profile: Mapping[str, JsonValue] | None = None,
) -> Context:
    """A context at ``now`` with one trigger and some facts."""
    moment = datetime.fromisoformat(now if "+" in now else f"{now}+02:00")
    trust = Trust.THIRD_PARTY if trigger in THIRD_PARTY_KINDS else Trust.DEVICE
    return Context(
        serial="test",
        now=moment,
        place=place,
        trigger=Trigger(kind=trigger, data=data or {}, trust=trust),
        profile=Section(facts=tuple(fact(f"profile.{name}", value, moment) for name, value in (profile or {}).items())),
        device=Section(facts=tuple(fact(name, value, moment) for name, value in (facts or {}).items())),
    )


def fact(name: str, value: JsonValue, now: datetime) -> Fact:
    """A fact with the trust that such facts have."""
    trust = Trust.OWNER if name.startswith("profile.") else Trust.DEVICE
    trust = Trust.THIRD_PARTY if name.startswith(THIRD_PARTY_FACTS) else trust
    return Fact(name=name, value=value, source="test", read_at=now, trust=trust)


def from_example(example: Mapping[str, Any]) -> Context:
    """A context as an example file writes it."""
    return context(
        example["now"],
        example["trigger"],
        example.get("data"),
        facts=example.get("facts"),
        place=example.get("place", "home"),
        profile=example.get("profile"),
    )
