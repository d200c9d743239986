"""An executor that goes on where another one hands over: it plays a recipe on the page that has been opened."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY
from android_bridge.facts.packages import package
from android_bridge.facts.reader import UnreadableError
from executors.capability import Requirement
from executors.executor import Executor, Receipt
from executors.observation import observe, proof
from executors.plan import SCREEN_EFFECT, Effect, Outcome, OutcomeKind, Preparation, Step
from executors.recipes.recipe import Recipe
from executors.steps.drivers import open_driver
from executors.steps.find import matching
from executors.steps.guards import Halt
from executors.steps.owner_touch import watch_touches
from executors.steps.player import Leave, Player, Progress
from executors.steps.vocabulary import AnyStep, FinishStep, TypeStep, Words, finish_of
from function_pool.call import FunctionCall
from heed.messages import Message, msg

REACHED = "screen_reached"
"""Kind of the effect that a finish brings with its own words."""
_RECEIPT = "screen"
"""Key of the receipt under which the progress is stored."""


class GuidedExecutor(Executor):
    """Carries out a function with another executor, and goes on in the app where a recipe fits.

    The steps are a part of the plan, so that consent binds to them. The outcome stays ``HANDED_OVER``: the last
    button is the owner's.
    """

    def __init__(self, opening: Executor, recipes: Sequence[Recipe]) -> None:
        """Args: ``opening`` opens the page; ``recipes`` are those of its function, in order of preference."""
        super().__init__(opening.config)
        self.opening, self.recipes = opening, recipes

    def all_requirements(self) -> tuple[Requirement, ...]:
        """Those of the executor that opens the page: without a fitting recipe the page is all there is."""
        return self.opening.all_requirements()

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        prepared = await self.opening.prepare(phone, call)
        if prepared.already or not prepared.hands_over:
            return prepared
        recipe = await self.recipe_for(phone, call, str(prepared.before.get("app", "")))
        if recipe is None:
            return prepared
        steps = recipe.filled(call)
        opened = (kept for effect in prepared.effects for kept in _still_true(effect, recipe))
        effects = (*opened, *(effect for step in steps for effect in step_effects(step)))
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

    async def perform_noting(self, phone: Device, step: Step, note: Callable[[Receipt], None]) -> Receipt:
        receipt = await self.opening.perform(phone, step)
        if not step.screen:
            return receipt

        def store(progress: Progress) -> None:
            note({**receipt, _RECEIPT: progress.model_dump(mode="json")})

        looks_only = len(step.screen) == 1
        async with watch_touches(phone) as touch, open_driver(phone, with_helper=not looks_only) as driver:
            app, leave = str(step.before["app"]), Leave(str(step.before["leave"]))
            player = Player(phone, driver, touch, store, app=app, risk=step.risk, leave=leave)
            progress = await player.play(step.screen)
        return {**receipt, _RECEIPT: progress.model_dump(mode="json")}

    async def recover(self, phone: Device, step: Step) -> Receipt:
        return await self.opening.recover(phone, step)

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        stored = receipt.get(_RECEIPT)
        if not step.screen or stored is None:
            return await self.opening.verify(phone, step, receipt)
        progress = Progress.model_validate(stored)
        if not progress.ended:
            return Outcome(kind=OutcomeKind.FAILED, message=_interrupted(progress))
        if progress.halt is not None and len(step.screen) == 1:  # only looked, and found the page otherwise than known
            return await self.opening.verify(phone, step, receipt)
        if progress.halt is not None:
            told = (*step.opening, _halted(step, progress, progress.halt))
            return Outcome(kind=OutcomeKind.HANDED_OVER, told=told)
        return await self._verify_end(phone, step, finish_of(step.screen))

    async def _verify_end(self, phone: Device, step: Step, finish: FinishStep) -> Outcome:
        """Reads whether the end of the recipe, which the run has reached, still stands on the screen."""
        reached = _words(finish.reached)
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
            told.append(Effect(kind="screen_yours", detail={"button": _words(finish.button_name)}))
        # Of the screen's texts only those that the recipe looked for are kept.
        seen = "; ".join(nodes[0].text or nodes[0].description for nodes in found if nodes)
        return Outcome(kind=OutcomeKind.HANDED_OVER, told=(*step.opening, *told), proof=(proof(HIERARCHY, seen),))

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await self.opening.undo(phone, step, receipt)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await self.opening.verify_undo(phone, step, receipt)


def guide(executor: Executor, recipes: Mapping[str, Sequence[Recipe]]) -> Executor:
    """Returns the executor, with the recipes of its function where there are any."""
    own = recipes.get(executor.function, ())
    return GuidedExecutor(executor, own) if own else executor


def _words(words: Words) -> dict[str, JsonValue]:
    return {language.value: text for language, text in words.items()}


def _still_true(effect: Effect, recipe: Recipe) -> list[Effect]:
    """Returns an effect of opening the page as it holds with the recipe's steps: they enter arguments themselves."""
    if effect.kind in recipe.replaces:
        return []
    fields = effect.detail.get("fields")
    if effect.kind != "page_by_hand" or not isinstance(fields, list):
        return [effect]
    left = [field for field in fields if str(field).partition(" = ")[0] not in recipe.slots]
    return [effect.model_copy(update={"detail": {"fields": left}})] if left else []


def step_effects(step: AnyStep) -> list[Effect]:
    """Returns what the consent request says about a step; nothing about one that only looks."""
    if step.shown is None or (isinstance(step, FinishStep) and step.last_button is None):
        return []
    detail: dict[str, JsonValue] = {}
    for field in step.shown:
        value = getattr(step, field)
        detail[field] = value if isinstance(value, str) else _words(value)
    searches = isinstance(step, TypeStep) and step.enter
    return [Effect(kind=SCREEN_EFFECT + ("search" if searches else step.do), detail=detail)]


def _halted(step: Step, progress: Progress, halt: Halt) -> Effect:
    reason = halt.message
    detail: dict[str, JsonValue] = {"step": progress.step, "of": progress.of}
    detail["reason"] = reason if isinstance(reason, str) else reason.model_dump(mode="json")
    back = step.before["leave"] == Leave.BACK
    return Effect(kind="screen_halted_back" if back else "screen_halted", detail=detail)


def _interrupted(progress: Progress) -> Message:
    return msg(
        "It was interrupted at step {step} of {of} on the app's screen; whether that step was done is not known. "
        "Nothing goes on by itself: look at the app.",
        step=progress.step,
        of=progress.of,
    )
