"""The one place where the taught tasks join the functions of heed and of plug-ins."""

from collections.abc import Mapping

from executors.config import ExecutorsConfig
from executors.executor import Executor
from executors.proposals.support import RunSupport
from executors.registry import load_executors
from executors.taught.executor import TaughtExecutor
from executors.taught.tasks import TaughtTasks
from function_pool.plugins import installed_pool
from function_pool.spec import Pool


def known_pool(config: ExecutorsConfig) -> Pool:
    """Returns the installed functions, followed by the taught tasks."""
    taught = {task.spec.name: task.spec for task in TaughtTasks(config.taught_folder).usable().values()}
    return Pool(functions={**installed_pool().functions, **taught})


def known_executors(config: ExecutorsConfig, support: RunSupport | None = None) -> Mapping[str, Executor]:
    """Returns the installed executors and those of the taught tasks, by function name.

    Args:
        config: the section ``executors``.
        support: pictures and a model for runs on an app's screen.
    """
    tasks = TaughtTasks(config.taught_folder)
    taught = {
        task.spec.name: TaughtExecutor(config, tasks, task.name, task.app, support) for task in tasks.usable().values()
    }
    return {**load_executors(config, support=support), **taught}
