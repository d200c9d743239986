"""The routes of taught tasks: their steps to read, their texts to change, and their deletion."""

from fastapi import APIRouter
from pydantic import Field

from agent.console.page_updates import PagePart
from agent.console.parts import ConsoleParts
from agent.teaching.editing import with_text
from agent.teaching.sentences import step_sentences
from executors.apps import app_of
from executors.steps.vocabulary import TypeStep
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from function_pool.validation import MAX_TEXT
from heed.language import Language
from heed.model import Frozen
from heed.safe_text import Shown, ShownWhole


class TaughtText(Frozen):
    """A new text for one step of a task."""

    step: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=MAX_TEXT)


class TaughtStepView(Frozen):
    """One step of a taught task."""

    number: int
    sentence: ShownWhole
    text: ShownWhole = ""
    """What it types; empty for a step that types nothing."""


class TaughtTaskView(Frozen):
    """One taught task."""

    name: str
    app: Shown
    slots: tuple[str, ...]
    steps: tuple[TaughtStepView, ...]


def taught_routes(parts: ConsoleParts) -> APIRouter:
    """The routes of taught tasks."""
    router = APIRouter()
    tasks, language = TaughtTasks(parts.runtime.config.executors.taught_folder), parts.wording.language

    @router.get("/taught")
    async def taught() -> list[TaughtTaskView]:
        return [_view(task, language) for task in tasks.usable().values()]

    @router.post("/taught/{name}/text")
    async def change(name: str, wanted: TaughtText) -> None:
        tasks.save(with_text(tasks.get(name), wanted.step, wanted.text))
        parts.updates.report(PagePart.MEMORY)

    @router.post("/taught/{name}/forget")
    async def forget(name: str) -> None:
        tasks.forget(name)
        parts.updates.report(PagePart.MEMORY)

    return router


def _view(task: TaughtTask, language: Language) -> TaughtTaskView:
    told = zip(task.steps, step_sentences(task, language), strict=True)
    steps = (
        TaughtStepView(number=number, sentence=sentence, text=step.text if isinstance(step, TypeStep) else "")
        for number, (step, sentence) in enumerate(told, 1)
    )
    return TaughtTaskView(
        name=task.name, app=str(app_of(task.app).words[language]), slots=tuple(task.slots), steps=tuple(steps)
    )
