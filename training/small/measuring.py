"""Compares what the small model writes with what the reader reads, on moments by writers that nobody learned from."""

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from pydantic import JsonValue

from evaluation.proactivemobile.matching import equivalent
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from heed.language import Language
from heed.model import Frozen
from models.reader.context_reader import ContextReader
from training.small.asking import SmallModel, stated
from training.small.chats import Task, tasks

POOL = default_pool()


class Row(Frozen):
    """The figures of one language or function."""

    name: str
    calls: int
    small: int
    """Calls of which the small model writes all parameters acceptably."""
    reader: int
    """Those of which the reader reads them."""


class Measured(Frozen):
    """One comparison."""

    rows: tuple[Row, ...]
    seconds: float
    """The median of a call."""
    mebibytes: int
    """Most memory of the model process."""

    @property
    def table(self) -> str:
        """The figures, one row each."""
        rows = [f"{row.name:<26} {row.calls:>4} {row.small:>6} {row.reader:>6}" for row in self.rows]
        costs = f"{self.seconds:.1f} s a call (median), {self.mebibytes} MiB at most"
        return "\n".join((f"{'':<26} {'all':>4} {'small':>6} {'reader':>6}", *rows, costs))


async def measure(base: Path, adapter: Path, folder: Path) -> Measured:
    """The comparison of ``adapter`` (GGUF) with the reader; ``folder`` is for the engine's files."""
    model, reader = SmallModel(base, adapter, folder), ContextReader.load()
    counts: Counter[tuple[str, str]] = Counter()
    seconds: list[float] = []
    memory = 0
    try:
        for language in Language:
            for task in tasks(language, held_out=True):
                start = time.perf_counter()
                reply = await model.ask(task.spec, task.said)
                seconds.append(time.perf_counter() - start)
                memory = max(memory, reply.peak_memory)
                read = reader.arguments(POOL.get(task.spec.name), task.said, None)
                for name in (language.value, task.spec.name):
                    counts[name, "calls"] += 1
                    counts[name, "small"] += _acceptable(task, stated(reply))
                    counts[name, "reader"] += _acceptable(task, read)
    finally:
        await model.close()
    names = dict.fromkeys(name for name, _ in counts)
    rows = tuple(
        Row(name=name, calls=counts[name, "calls"], small=counts[name, "small"], reader=counts[name, "reader"])
        for name in names
    )
    return Measured(rows=rows, seconds=median(seconds), mebibytes=memory // 1024)


def _acceptable(task: Task, values: Mapping[str, JsonValue]) -> bool:
    """Whether the parameters that are asked for are leniently those of the label."""
    asked = {name: value for name, value in values.items() if name in task.spec.parameters}
    made, wanted = (FunctionCall(name=task.spec.name, parameters=dict(each)) for each in (asked, task.arguments))
    return equivalent([made], [wanted], POOL, None, lenient=True)
