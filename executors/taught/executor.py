"""Carries out a taught task: opens its app at the first page and plays its steps, as recipes are played."""

from android_bridge.device import Device
from android_bridge.facts.properties import PROPERTIES
from executors.apps import app_of, launch
from executors.config import ExecutorsConfig
from executors.executor import RefusedError
from executors.guided import GuidedExecutor
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.proposals.support import RunSupport
from executors.recipes.recipe import Recipe
from executors.screen import HandOverExecutor, hand_over, require_screen
from executors.taught.tasks import TaughtTasks
from function_pool.call import FunctionCall
from heed.errors import UsageError
from heed.messages import message_of, msg


class _OpenAfresh(HandOverExecutor):
    """Opens an app at its first page."""

    def __init__(self, config: ExecutorsConfig, app: str) -> None:
        super().__init__(config)
        self._app = app

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        app = app_of(self._app)
        opening = await launch(phone, app, afresh=True)
        return hand_over(opening, app.package, Effect(kind="app_opened", detail={"app": app.words}), before=front)


class TaughtExecutor(GuidedExecutor):
    """Carries out one taught task, as its file has it at that moment."""

    def __init__(
        self, config: ExecutorsConfig, tasks: TaughtTasks, name: str, app: str, support: RunSupport | None = None
    ) -> None:
        """Args: ``tasks`` has the task called ``name``; ``app`` is its package; ``support`` takes pictures."""
        super().__init__(_OpenAfresh(config, app), (), support)
        self._tasks, self._name = tasks, name

    async def recipe_for(self, phone: Device, call: FunctionCall, app: str) -> Recipe:
        """Returns the task's steps for the language that the phone has now."""
        try:
            task = self._tasks.get(self._name)
        except UsageError as error:
            raise RefusedError(message_of(error)) from error
        if lacking := sorted(set(task.slots) - call.parameters.keys()):
            raise RefusedError(
                msg("{name} was changed: it needs {lacking} now.", name=self._name, lacking=lacking),
                msg("Start heed again, and say it."),
            )
        return task.recipe(await language_of(phone))


async def language_of(phone: Device) -> str:
    """Returns the language of the phone's apps, such as ``en``."""
    (properties,) = await observe(phone, PROPERTIES)
    locale = properties.get("persist.sys.locale") or properties.get("ro.product.locale", "")
    return str(locale).partition("-")[0].casefold() or "en"
