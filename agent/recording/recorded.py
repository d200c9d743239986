"""Which commands are recorded: those of the readers, with nothing listed twice."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import android_bridge
import collectors
import executors
from android_bridge.facts.packages import package
from android_bridge.facts.reader import Reader
from executors.registry import load_executors

_EXAMPLES = (package("com.android.settings"),)
"""One reader of each family whose command names an app."""


def recorded_readers() -> tuple[Reader[Any], ...]:
    """Returns every reader of heed whose command changes nothing on the phone, by name."""
    found = {*_EXAMPLES, *_required()}
    for room in (android_bridge, collectors, executors):
        found.update(_readers_in(room))
    return tuple(
        sorted((reader for reader in found if not reader.writes), key=lambda reader: (reader.name, reader.command))
    )


def _readers_in(room: ModuleType) -> Iterator[Reader[Any]]:
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        yield from (value for value in vars(import_module(module.name)).values() if isinstance(value, Reader))


def _required() -> Iterator[Reader[Any]]:
    """Yields the readers of what functions require of a phone, which their classes make."""
    for executor in load_executors().values():
        yield from (requirement.reader for requirement in executor.requirements)
