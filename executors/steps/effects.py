"""Screen steps in words, as effects of a plan."""

from pydantic import JsonValue

from executors.plan import SCREEN_EFFECT, Effect
from executors.steps.vocabulary import AnyStep, FinishStep, TypeStep, Words


def step_effects(step: AnyStep) -> list[Effect]:
    """Returns what the consent request says about a step; nothing about one that only looks."""
    if step.shown is None or (isinstance(step, FinishStep) and step.last_button is None):
        return []
    detail: dict[str, JsonValue] = {}
    for field in step.shown:
        value = getattr(step, field)
        detail[field] = value if isinstance(value, str) else in_words(value)
    searches = isinstance(step, TypeStep) and step.enter
    return [Effect(kind=SCREEN_EFFECT + ("search" if searches else step.do), detail=detail)]


def in_words(words: Words) -> dict[str, JsonValue]:
    """Returns words in each language as a detail of an effect."""
    return {language.value: text for language, text in words.items()}
