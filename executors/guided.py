"""An executor that goes on where another one hands over: on the page that has been opened, by a recipe or a model."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY
from android_bridge.facts.packages import package
from android_bridge.facts.reader import UnreadableError
from executors.apps import app_of
from executors.capability import Requirement
from executors.config import LastButtonRule
from executors.executor import AskOwner, Executor, Receipt, RefusedError
from executors.last_press import LastPress, button_before
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.proposals.run import ModelRun
from executors.proposals.support import RunSupport
from executors.proposals.task import BY_MODEL, ModelTask, task_for
from executors.recipes.recipe import Recipe
from executors.steps.drivers import ScreenDriver, open_driver
from executors.steps.effects import in_words, step_effects
from executors.steps.find import matching
from executors.steps.guards import Halt
from executors.steps.owner_touch import watch_touches
from executors.steps.player import Leave, Player, Progress, ProgressRecorder
from executors.steps.vocabulary import AnyStep, FinishStep, finish_of
from function_pool.call import FunctionCall
from function_pool.plugins import installed_pool
from heed.messages import Message, msg

REACHED = "screen_reached"
"""Kind of the effect that a finish brings with its own words."""
_HELPER = Effect(kind="screen_helper")
"""What a run of several steps puts on the phone while it lasts."""
_RECEIPT = "screen"
"""Key of the receipt under which the progress is stored."""


class GuidedExecutor(Executor):
    """Carries out a function with another executor, and goes on in the app where a recipe fits or a model is on.

    The steps, or the task for the model, are a part of the plan, so that consent binds to them. The outcome stays
    ``HANDED_OVER``: the last button is the owner's.
    """

    def __init__(self, opening: Executor, recipes: Sequence[Recipe], support: RunSupport | None = None) -> None:
        """Does nothing yet.

        Args:
            opening: opens the page.
            recipes: those of its function, in order of preference.
            support: pictures and a model; without it no model is asked, and no second question.
        """
        super().__init__(opening.config)
        self.opening, self.recipes, self.support = opening, recipes, support

    def all_requirements(self) -> tuple[Requirement, ...]:
        """Those of the executor that opens the page: without a fitting recipe the page is all there is."""
        return self.opening.all_requirements()

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        prepared = await self.opening.prepare(phone, call)
        if prepared.already or not prepared.hands_over:
            return prepared
        recipe = await self.recipe_for(phone, call, str(prepared.before.get("app", "")))
        if recipe is None:
            return self._with_model(prepared, call)
        steps = recipe.filled(call)
        opened = (kept for effect in prepared.effects for kept in _still_true(effect, recipe))
        helper = () if _only_looks(steps) else (_HELPER,)
        effects = (*opened, *helper, *(effect for step in steps for effect in step_effects(step)))
        before = {**prepared.before, "leave": recipe.leave}
        return prepared.model_copy(update={"screen": steps, "effects": effects, "before": before})

    async def recipe_for(self, phone: Device, call: FunctionCall, app: str) -> Recipe | None:
        """Returns the recipe for a call in the app that the page is of; None where no recipe fits."""
        fitting = [recipe for recipe in self.recipes if recipe.fits(call, app)]
        if not fitting:
            return None
        (installed,) = await observe(phone, package(app))
        return next((recipe for recipe in fitting if recipe.serves(installed)), None)

    async def perform(self, phone: Device, step: Step) -> Receipt:
        """Like ``perform_noting``; the progress is not stored."""
        return await self.perform_noting(phone, step, lambda _: None)

    def _with_model(self, prepared: Preparation, call: FunctionCall) -> Preparation:
        """Returns the preparation with the task for a model; unchanged where none may operate the app."""
        if self.support is None or self.support.model is None:
            return prepared
        spec, app = installed_pool().get(call.name), str(prepared.before.get("app", ""))
        by_hand = any(effect.kind == "page_by_hand" for effect in prepared.effects)
        task = task_for(call, spec, app, self.config.model_steps, by_hand=by_hand)
        if task is None:
            return prepared
        opened = (effect for effect in prepared.effects if effect.kind != "page_by_hand")
        return prepared.model_copy(
            update={
                "by_model": task,
                "effects": (*opened, _HELPER, _task_effect(task)),
                "before": {**prepared.before, "leave": Leave.STAY},
                "reasons": (*prepared.reasons, BY_MODEL),
            }
        )

    async def perform_noting(
        self, phone: Device, step: Step, note: Callable[[Receipt], None], ask: AskOwner | None = None
    ) -> Receipt:
        receipt = await self.opening.perform(phone, step)
        if not step.screen and step.by_model is None:
            return receipt

        def store(progress: Progress) -> None:
            note({**receipt, _RECEIPT: progress.model_dump(mode="json")})

        with_helper = not _only_looks(step.screen)
        async with watch_touches(phone) as touch, open_driver(phone, with_helper=with_helper) as driver:
            app, leave = str(step.before["app"]), Leave(str(step.before["leave"]))
            player = Player(phone, driver, touch, store, app=app, risk=step.risk, leave=leave)
            run = _Run(phone, step, driver, player, store)
            progress = await self._played(run, ask)
        return {**receipt, _RECEIPT: progress.model_dump(mode="json")}

    async def _played(self, run: "_Run", ask: AskOwner | None) -> Progress:
        """Plays the steps or the task, and asks about the last button where the owner wants that."""
        progress, last = await self._by_model(run) if run.step.by_model else await self._by_recipe(run)
        button = button_before(progress, last)
        if button is None or ask is None or self.support is None or self.config.last_button is LastButtonRule.HAND_OVER:
            return progress
        take = partial(self.support.pictures.take, run.phone, run.driver.views)
        return await LastPress(run.step, run.player, run.store, ask, take).after(progress, button)

    async def _by_recipe(self, run: "_Run") -> tuple[Progress, AnyStep | None]:
        progress = await run.player.play(run.step.screen)
        return progress, run.step.screen[progress.step - 1]

    async def _by_model(self, run: "_Run") -> tuple[Progress, AnyStep | None]:
        if run.step.by_model is None or self.support is None or self.support.model is None:
            raise RefusedError(msg("The model that you allowed is not switched on any more."))
        proposals = ModelRun(
            run.phone,
            run.driver,
            run.player,
            run.store,
            task=run.step.by_model,
            support=self.support,
            model=self.support.model,
            answer_seconds=self.config.model_steps.answer_seconds,
        )
        return await proposals.play(), proposals.last

    async def recover(self, phone: Device, step: Step) -> Receipt:
        return await self.opening.recover(phone, step)

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        progress = progress_in(receipt)
        if progress is None:
            return await self.opening.verify(phone, step, receipt)
        if not progress.ended:
            return Outcome(kind=OutcomeKind.FAILED, message=_interrupted(progress))
        only_looked = _only_looks(step.screen) and progress.asked is None
        if progress.halt is not None and only_looked:  # and found the page otherwise than known
            return await self.opening.verify(phone, step, receipt)
        told = _ended(step, progress)
        if told is not None:
            return Outcome(kind=OutcomeKind.HANDED_OVER, told=(*step.opening, told))
        return await self._verify_end(phone, step, finish_of(step.screen))

    async def _verify_end(self, phone: Device, step: Step, finish: FinishStep) -> Outcome:
        """Reads whether the end of the recipe, which the run has reached, still stands on the screen."""
        reached = in_words(finish.reached)
        told = [Effect(kind=REACHED, detail=reached)]
        try:
            (hierarchy,) = await observe(phone, HIERARCHY)
        except UnreadableError:  # a screen that never stands still cannot be dumped
            return Outcome(kind=OutcomeKind.HANDED_OVER, told=(*step.opening, *told))
        wanted = (*finish.before, *([finish.last_button] if finish.last_button else []))
        found = [matching(hierarchy, locator, str(step.before["app"])) for locator in wanted]
        if not all(found):
            told = [Effect(kind="screen_left", detail={"reached": reached})]
        elif finish.last_button is not None:
            told.append(Effect(kind="screen_yours", detail={"button": in_words(finish.button_name)}))
        # Of the screen's texts only those that the recipe looked for are kept.
        seen = "; ".join(nodes[0].text or nodes[0].description for nodes in found if nodes)
        return Outcome(kind=OutcomeKind.HANDED_OVER, told=(*step.opening, *told), proof=(proof(HIERARCHY, seen),))

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await self.opening.undo(phone, step, receipt)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await self.opening.verify_undo(phone, step, receipt)


class _Run(NamedTuple):
    """What one run works with."""

    phone: Device
    step: Step
    driver: ScreenDriver
    player: Player
    store: ProgressRecorder


def guide(executor: Executor, recipes: Mapping[str, Sequence[Recipe]], support: RunSupport | None = None) -> Executor:
    """Returns the executor, with the recipes of its function where there are any and a model where one is on."""
    own = recipes.get(executor.function, ())
    by_model = support is not None and support.model is not None
    return GuidedExecutor(executor, own, support) if own or by_model else executor


def _only_looks(steps: Sequence[AnyStep]) -> bool:
    """Whether a recipe has nothing but its finish: it looks at the page once."""
    return len(steps) == 1


def progress_in(receipt: Receipt | None) -> Progress | None:
    """Returns how far the run on the app's screen got; None for an action without one."""
    stored = (receipt or {}).get(_RECEIPT)
    return None if stored is None else Progress.model_validate(stored)


def _still_true(effect: Effect, recipe: Recipe) -> list[Effect]:
    """Returns an effect of opening the page as it holds with the recipe's steps: they enter arguments themselves."""
    if effect.kind in recipe.replaces:
        return []
    fields = effect.detail.get("fields")
    if effect.kind != "page_by_hand" or not isinstance(fields, list):
        return [effect]
    left = [field for field in fields if not (isinstance(field, list) and field[0] in recipe.slots)]
    return [effect.model_copy(update={"detail": {"fields": left}})] if left else []


def _task_effect(task: ModelTask) -> Effect:
    """Returns what the consent request says about a task for a model."""
    texts: list[JsonValue] = [[name, text] for name, text in task.texts.items()]
    detail = {"app": app_of(task.app).words, "steps": task.steps, "seconds": round(task.seconds), "texts": texts}
    return Effect(kind=f"screen_by_{task.model}", detail=detail)


def _ended(step: Step, progress: Progress) -> Effect | None:
    """Returns how a run ended; None for a recipe that was played to its end."""
    if progress.pressing and progress.asked is not None:
        return Effect(kind="last_button_pressed", detail={"button": f"“{progress.asked.name}”"})
    if progress.halt is not None:
        return _halted(step, progress, progress.halt)
    return Effect(kind="screen_prepared") if step.by_model is not None else None


def _halted(step: Step, progress: Progress, halt: Halt) -> Effect:
    reason = halt.message
    detail: dict[str, JsonValue] = {"step": progress.step, "of": progress.of}
    detail["reason"] = reason if isinstance(reason, str) else reason.model_dump(mode="json")
    back = step.before["leave"] == Leave.BACK
    return Effect(kind="screen_halted_back" if back else "screen_halted", detail=detail)


def _interrupted(progress: Progress) -> Message:
    if progress.asked is not None:
        button = progress.asked.name
        if progress.pressing:
            return msg(
                "It was interrupted while “{button}” was being pressed; whether it was is not known.", button=button
            )
        return msg("It was interrupted while you were asked about “{button}”, which was not pressed.", button=button)
    return msg(
        "It was interrupted at step {step} of {of} on the app's screen; whether that step was done is not known. "
        "Nothing goes on by itself: look at the app.",
        step=progress.step,
        of=progress.of,
    )
