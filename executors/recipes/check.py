"""Compares a recipe with a phone: its app, the version, and which of its views the screen in front shows."""

from android_bridge.device import Device
from android_bridge.facts.packages import package
from executors.observation import observe
from executors.recipes.recipe import Recipe
from executors.steps.drivers import ShellDriver
from executors.steps.guards import Halt, VisibleScreen, judge, shown
from executors.steps.player import look
from executors.steps.vocabulary import AnyStep, FinishStep
from function_pool.risk import Risk
from heed.messages import Text, msg


async def check_recipe(device: Device, recipe: Recipe) -> tuple[Text, ...]:
    """Returns what was found, one sentence each; touches nothing.

    Args:
        device: the phone; where the recipe's app is in front, its steps are compared with the screen.
        recipe: the recipe, with its slots open: a step whose view depends on an argument is not found.

    Raises ``DeviceError`` when the phone does not answer.
    """
    (installed,) = await observe(device, package(recipe.app))
    if installed is None:
        return (msg("{app} is not on this phone.", app=recipe.app),)
    if not recipe.serves(installed):
        return (msg("{app} {version} is not among its versions.", app=recipe.app, version=installed.version),)
    fits = msg("{app} {version} is on this phone.", app=recipe.app, version=installed.version)
    screen = await look(device, ShellDriver(device))
    if screen.front.partition("/")[0] != recipe.app:
        return fits, msg("Open it: its steps are compared with the screen that is in front.")
    steps = enumerate(recipe.steps, 1)
    return fits, *(_step(screen, step, number, recipe.app) for number, step in steps)


def _step(screen: VisibleScreen, step: AnyStep, number: int, app: str) -> Text:
    """Returns whether a step could be done now, as strictly as for a function that pays."""
    halt = judge(screen, step, app, Risk.R3)
    if isinstance(step, FinishStep) and not isinstance(halt, Halt):
        halt = shown(screen, step, app) or halt
    verdict = halt.message if isinstance(halt, Halt) else msg("it could be done now")
    return msg("Step {number} ({kind}): {verdict}", number=number, kind=step.do, verdict=verdict)
