"""A taught task as sentences for the owner."""

from executors.steps.effects import step_effects
from executors.steps.vocabulary import AnyStep, FinishStep
from executors.taught.task import TaughtTask
from executors.wording import describe
from heed.language import Language


def step_sentences(task: TaughtTask, language: Language) -> tuple[str, ...]:
    """Returns one sentence for each step, in order."""
    return tuple(_sentence(step, language) for step in task.steps)


def _sentence(step: AnyStep, language: Language) -> str:
    if isinstance(step, FinishStep) and step.last_button is None:
        return step.reached[language]
    return " ".join(describe(effect, language) for effect in step_effects(step))
