"""Loads the executors: heed's own and those of plug-ins, through the same entry-point group."""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points

from android_bridge.device import Device
from executors.capability import WRITES_SETTINGS, incapable
from executors.config import ExecutorsConfig
from executors.executor import Executor
from executors.guided import guide
from executors.proposals.support import RunSupport
from executors.recipes.recipe import recipes_in
from heed.errors import UsageError
from heed.messages import Text, msg

GROUP = "heed.executors"
"""Each entry names an iterable of ``Executor`` classes."""


def load_executors(
    config: ExecutorsConfig | None = None,
    entries: Iterable[EntryPoint] | None = None,
    support: RunSupport | None = None,
) -> Mapping[str, Executor]:
    """Returns every installed executor by its function's name.

    Args:
        config: the configuration that each executor gets; by default no service is set.
        entries: the entry points to load; by default those of the installed packages.
        support: pictures and a model for runs on an app's screen; without it no model proposes steps.

    Raises ``UsageError`` that names the plug-in which cannot be loaded or brings a function twice.
    """
    chosen = config or ExecutorsConfig()
    recipes = recipes_in(chosen.recipe_folder) if chosen.recipes else {}
    found: dict[str, Executor] = {}
    origins: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP) if entries is None else entries, key=lambda entry: entry.name):
        for executor in _classes(entry):
            function = executor.function
            if function in found:
                message = msg(
                    "{entry} brings an executor for {function}, which {origins} has already.",
                    entry=entry.value,
                    function=function,
                    origins=origins[function],
                )
                raise UsageError(message, msg("Uninstall one of the two."))
            found[function], origins[function] = guide(executor.of(chosen), recipes, support), entry.value
    return found


def _classes(entry: EntryPoint) -> list[type[Executor]]:
    try:
        classes = list(entry.load())
    except (ImportError, AttributeError, TypeError) as error:
        message = msg("The executors of {entry} cannot be loaded: {error}.", entry=entry.value, error=error)
        raise UsageError(message, msg("Update or uninstall that plug-in.")) from error
    for executor in classes:
        if not (isinstance(executor, type) and issubclass(executor, Executor) and hasattr(executor, "function")):
            raise UsageError(
                msg("{entry} contains {executor!r}, which is not an executor.", entry=entry.value, executor=executor),
                msg("Update or uninstall it."),
            )
    return classes


async def incapable_functions(
    executors: Mapping[str, Executor], phone: Device, *, writes: bool = False
) -> Mapping[str, Text]:
    """Returns the functions that ``phone`` cannot carry out, each with the reason; they are not suggested there.

    Args:
        executors: the executors by function name.
        phone: the phone to read.
        writes: also test whether settings can be written, with a key of heed that is deleted again; only for a check
            that the owner asked for.

    Raises ``DeviceError`` when the phone does not answer.
    """
    requirements = {name: [*executor.all_requirements()] for name, executor in executors.items()}
    if writes:
        for name in (name for name in ("set_display", "set_power_saving_mode") if name in requirements):
            requirements[name].append(WRITES_SETTINGS)
    return await incapable(requirements, phone)
