"""Changes to a taught task by its owner: the texts that it types, and which of them are slots."""

from agent.teaching.slots import slot_in
from executors.steps.vocabulary import TypeStep
from executors.taught.task import TaughtTask
from heed.errors import UsageError
from heed.messages import msg


def with_text(task: TaughtTask, number: int, text: str) -> TaughtTask:
    """Returns the task with another text in one step; ``{name}`` alone makes it a slot of this name.

    Args:
        task: the task.
        number: the step's, from 1; it types something.
        text: the new text.

    Raises ``UsageError`` for a step that types nothing, and for a text that is empty or no slot's name in braces.
    """
    step = task.steps[number - 1] if 1 <= number <= len(task.steps) else None
    if not isinstance(step, TypeStep):
        raise UsageError(msg("Step {number} types nothing.", number=number))
    slot = slot_in(text)
    steps = (*task.steps[: number - 1], step.model_copy(update={"text": text}), *task.steps[number:])
    used = task.model_copy(update={"steps": steps}).used_slots
    slots = {name: about for name, about in task.slots.items() if name in used} | (
        {slot: task.slots.get(slot, "")} if slot else {}
    )
    return TaughtTask.model_validate({**task.model_dump(mode="json"), "steps": steps, "slots": slots})
