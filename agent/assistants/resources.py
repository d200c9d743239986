"""The context of a phone as MCP resources, with as much of it as the owner lets assistants have."""

import json
from collections.abc import Mapping

from agent.channels.config import ShownTexts
from collectors.context import Context, Dimension, Section, Trigger
from collectors.wording import render
from heed.language import Language
from heed.trust import Trust

CONTEXT = "heed://context"
"""All facts as JSON, each with its trust label."""

DESCRIPTIONS: Mapping[str, str] = {
    CONTEXT: "Every fact that heed reads about the phone and the world now, as JSON, each with its trust label.",
    f"{CONTEXT}/{Dimension.PROFILE.value}": "What the phone's owner says about themselves, in words.",
    f"{CONTEXT}/{Dimension.DEVICE.value}": "The state of the phone now, in words.",
    f"{CONTEXT}/{Dimension.WORLD.value}": "Time, place, appointments and surroundings now, in words.",
    f"{CONTEXT}/{Dimension.TRAJECTORY.value}": "What the owner has just been doing on the phone, in words.",
}
"""What each resource holds, for assistants."""


def allowed(context: Context, texts: ShownTexts) -> Context:
    """Return a context without pictures and, at ``own``, without any fact that others could have written."""
    shown = context.model_copy(update={"frames": (), "trigger": Trigger(kind=context.trigger.kind)})
    if texts is ShownTexts.FULL:
        return shown
    sections = {one.value: _own(context.section(one)) for one in Dimension}
    return shown.model_copy(update=sections)


def resource_text(uri: str, context: Context, language: Language) -> str:
    """Return the text of one resource of ``DESCRIPTIONS`` from an ``allowed`` context."""
    if uri == CONTEXT:
        data = context.model_dump(mode="json", include={"serial", "now", "place", *(one.value for one in Dimension)})
        return json.dumps(data, ensure_ascii=False, indent=1)
    words = render(context, language)
    return {
        Dimension.PROFILE: words.profile,
        Dimension.DEVICE: words.phone,
        Dimension.WORLD: words.world,
        Dimension.TRAJECTORY: "\n".join(words.trace),
    }[Dimension(uri.removeprefix(f"{CONTEXT}/"))]


def _own(section: Section) -> Section:
    facts = tuple(fact for fact in section.facts if fact.trust is not Trust.THIRD_PARTY)
    return section.model_copy(update={"facts": facts})
